#include "local/gateway/exchange.h"

#include <chrono>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/crc32.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"
#include "local/gateway/cors.h"
#include "local/gateway/error.h"
#include "local/gateway/gateway.h"
#include "local/gateway/request_id.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {
namespace {

// The namespace of errors that belong to no service.
constexpr char kFaultNamespace[] =
    "http://webservices.amazon.com/AWSFault/2005-15-09";

bool SpeaksQuery(const ServiceTraits* traits) {
  return traits != nullptr && *traits->xml_namespace != 0;
}

AccessRecord WithId(AccessRecord record, const ServiceTraits* traits) {
  record.request_id = NewRequestId(traits == nullptr ? RequestIdForm::kUuid
                                                     : traits->request_id_form);
  return record;
}

}  // namespace

Exchange::Exchange(Start start)
    : respond_(std::move(start.respond)),
      traits_(start.traits),
      protocol_(start.protocol),
      allowed_origin_(std::move(start.allowed_origin)),
      on_request_(std::move(start.on_request)),
      started_(std::chrono::steady_clock::now()),
      record_(WithId(std::move(start.record), start.traits)),
      hold_(start.clock) {}

void Exchange::Send(Answer answer) {
  http::ServerResponse response{.status = answer.status,
                                .headers = std::move(answer.headers)};
  response.headers.push_back({"x-amzn-RequestId", record_.request_id});
  response.headers.push_back({"Content-Type", std::move(answer.content_type)});
  if (protocol_ == WireProtocol::kJson10) {
    response.headers.push_back(
        {"x-amz-crc32", absl::StrCat(crypto::Crc32(answer.body))});
  }
  if (!allowed_origin_.empty()) {
    AddCorsHeaders(allowed_origin_, response.headers);
  }
  response.body = std::move(answer.body);

  const sync::MutexLock lock(mutex_);
  if (std::exchange(answered_, true)) return;
  record_.status = response.status;
  record_.response_bytes = response.body.size();
  record_.duration =
      absl::FromChrono(std::chrono::steady_clock::now() - started_);
  if (on_request_ != nullptr) (*on_request_)(record_);
  respond_(std::move(response));
  hold_.End();
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
  }
  // The Query protocol's names mean nothing to clients that never spoke it.
  if (!SpeaksQuery(traits_)) answer.headers.clear();
  Send(std::move(answer));
}

void Exchange::LetTimePass() {
  const sync::MutexLock lock(mutex_);
  hold_.End();
}

}  // namespace byoshin::local
