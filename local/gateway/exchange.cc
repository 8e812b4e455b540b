#include "local/gateway/exchange.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/crc32.h"
#include "core/http/body_stream.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"
#include "local/gateway/caller_waits.h"
#include "local/gateway/compression.h"
#include "local/gateway/cors.h"
#include "local/gateway/error.h"
#include "local/gateway/gateway.h"
#include "local/gateway/request_id.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {
namespace {

// The namespace of errors that belong to no service.
constexpr char kFaultNamespace[] =
    "http://webservices.amazon.com/AWSFault/2005-15-09";

// DynamoDB compresses longer answers only, if the client accepts it.
constexpr size_t kMaxPlainBytes = 4096;

bool SpeaksQuery(const ServiceTraits* traits) {
  return traits != nullptr && *traits->xml_namespace != 0;
}

AccessRecord WithId(AccessRecord record, const ServiceTraits* traits) {
  record.request_id = NewRequestId(traits == nullptr ? RequestIdForm::kUuid
                                                     : traits->request_id_form);
  return record;
}

}  // namespace

// Forwards an answer in pieces, and finishes the exchange when it ends.
class Exchange::StreamedBody final : public http::BodyStream {
 public:
  struct Begun {
    std::shared_ptr<http::BodyStream> body;
    int status = 0;
    std::size_t bytes = 0;  // so far
  };
  StreamedBody(std::shared_ptr<Exchange> exchange, Begun begun)
      : exchange_(std::move(exchange)),
        body_(std::move(begun.body)),
        status_(begun.status),
        bytes_(begun.bytes) {}
  ~StreamedBody() override { Abort(); }

  bool Write(std::string piece) override {
    const std::size_t size = piece.size();
    const bool written = body_->Write(std::move(piece));
    if (written) bytes_ += size;
    return written;
  }
  void End() override { Finish(&http::BodyStream::End); }
  void Abort() override { Finish(&http::BodyStream::Abort); }
  std::size_t unsent_bytes() const override { return body_->unsent_bytes(); }

 private:
  void Finish(void (http::BodyStream::*end)()) {
    if (finished_.exchange(true)) return;
    exchange_->Report(status_, bytes_);
    ((*body_).*end)();
    exchange_->ReleaseTime();
  }

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<http::BodyStream> body_;
  const int status_;
  std::atomic<std::size_t> bytes_;
  std::atomic<bool> finished_ = false;
};

Exchange::Exchange(Start start)
    : respond_(std::move(start.respond)),
      traits_(start.traits),
      protocol_(start.protocol),
      allowed_origin_(std::move(start.allowed_origin)),
      coding_(start.coding),
      content_type_(std::move(start.content_type)),
      on_request_(std::move(start.on_request)),
      waits_(std::move(start.waits)),
      started_(std::chrono::steady_clock::now()),
      record_(WithId(std::move(start.record), start.traits)),
      hold_(start.clock) {}

void Exchange::Send(Answer answer) {
  http::ServerResponse response{.status = answer.status,
                                .headers = std::move(answer.headers)};
  response.headers.push_back({"x-amzn-RequestId", record_.request_id});
  response.headers.push_back({"Content-Type", content_type_.empty()
                                                  ? answer.content_type
                                                  : content_type_});
  if (traits_ != nullptr && traits_->front_end == FrontEnd::kDynamoDb) {
    response.headers.push_back({"Server", "Server"});
  }
  if (coding_ != ContentCoding::kIdentity && !answer.stream_body &&
      answer.body.size() > kMaxPlainBytes) {
    answer.body = Compress(answer.body, coding_);
    response.headers.push_back({"Content-Encoding", CodingName(coding_)});
  }
  // Of the compressed answer, if it is compressed.
  if (protocol_ == WireProtocol::kJson10) {
    response.headers.push_back(
        {"x-amz-crc32", absl::StrCat(crypto::Crc32(answer.body))});
  }
  if (!allowed_origin_.empty()) {
    AddCorsHeaders(allowed_origin_, response.headers);
  }
  response.body = std::move(answer.body);

  {
    const sync::MutexLock lock(mutex_);
    if (std::exchange(answered_, true)) return;
  }
  const int status = response.status;
  const std::size_t bytes = response.body.size();
  if (!answer.stream_body) {
    Report(status, bytes);
    respond_(std::move(response));
    return ReleaseTime();
  }
  StreamedBody::Begun begun{.body = respond_.Begin(std::move(response)),
                            .status = status,
                            .bytes = bytes};
  answer.stream_body(
      std::make_shared<StreamedBody>(shared_from_this(), std::move(begun)));
}

void Exchange::Report(int status, std::size_t response_bytes) {
  const sync::MutexLock lock(mutex_);
  record_.status = status;
  record_.response_bytes = response_bytes;
  record_.duration =
      absl::FromChrono(std::chrono::steady_clock::now() - started_);
  if (on_request_ != nullptr) (*on_request_)(record_);
  reported_ = true;
  // Before the caller gets the answer, and goes on working.
  if (paused_ != nullptr) paused_->Resume();
}

void Exchange::SendError(const absl::Status& status) {
  if (protocol_ == WireProtocol::kQuery) {
    const absl::string_view xml_namespace =
        SpeaksQuery(traits_) ? traits_->xml_namespace : kFaultNamespace;
    return Send(QueryErrorAnswer(status, record_.request_id, xml_namespace));
  }
  Answer answer = JsonErrorAnswer(status, kCoralTypePrefix);
  if (traits_ != nullptr) {
    answer.content_type = std::string(traits_->json_content_type);
  } else if (protocol_ == WireProtocol::kRestJson) {
    answer.content_type = kRestContentType;
  }
  // The Query protocol's names mean nothing to clients that never spoke it.
  if (!SpeaksQuery(traits_)) answer.headers.clear();
  Send(std::move(answer));
}

void Exchange::LetTimePass() {
  const sync::MutexLock lock(mutex_);
  if (reported_ || std::exchange(lets_time_pass_, true)) return;
  if (waits_ != nullptr) paused_ = waits_->Pause(record_.access_key_id);
  hold_.End();
}

void Exchange::ReleaseTime() {
  const sync::MutexLock lock(mutex_);
  hold_.End();
  // It holds time, if the caller has ended meanwhile.
  paused_ = nullptr;
}

}  // namespace byoshin::local
