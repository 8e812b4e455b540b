// The interface of an AWS service behind the gateway, which calls it with
// requests whose signature has been verified.
//
//   class Sqs final : public Service {
//    public:
//     const ServiceTraits& traits() const override { return kTraits; }
//     std::vector<NeededPermission> PermissionsFor(
//         const Call& call) const override;
//     void Handle(Call call, AnswerFunction answer) override;
//   };
#ifndef BYOSHIN_LOCAL_GATEWAY_SERVICE_H_
#define BYOSHIN_LOCAL_GATEWAY_SERVICE_H_

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/body_stream.h"
#include "core/http/client.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {

// The wire format of a request and its answer.
enum class WireProtocol {
  kJson10,    // AWS JSON 1.0 or 1.1: X-Amz-Target names the operation
  kQuery,     // Action=...&Version=... in the body or the URL; XML back
  kRestJson,  // method and path name the operation; JSON, or raw bytes
};

// The caller according to the signature.
struct Caller {
  std::string access_key_id{};
  std::string account_id{};
};

// Belongs to one thread at a time.
struct Call {
  // "PutItem"; empty for kRestJson, where the service derives it from the
  // method and the path.
  std::string operation{};
  WireProtocol protocol = WireProtocol::kJson10;
  // JSON text, or the encoded parameters of the Query protocol, including those
  // of the URL.
  std::string body{};
  // The percent-encoded path of the URL. In the Query protocol of SQS, it often
  // names a queue.
  std::string path = "/";
  // Used by kRestJson, as the client sent it.
  std::string method = "POST";
  std::string query{};
  // All for kRestJson; else only Accept and X-Amzn-Trace-Id.
  std::vector<http::Header> headers{};
  std::string request_id{};
  std::string region{};
  // The address that the client used, for URLs in answers:
  // "http://127.0.0.1:4566".
  std::string endpoint{};
  Caller caller{};
  // False once the client is known to have disconnected. Never null.
  // Thread-safe.
  std::function<bool()> connected = [] { return true; };
  // A request in progress holds simulated time. A service calls this before the
  // request waits for time to pass or for another request, as a long poll does.
  // Never null. Thread-safe; calling it again has no effect.
  std::function<void()> let_time_pass = [] {};

  // The body as JSON. It is parsed once, on the first call.
  const absl::StatusOr<Json::Value>& JsonBody() const;
  // The same, for the last reader, which may change it.
  absl::StatusOr<Json::Value> TakeJsonBody();

  // What JsonBody() has parsed.
  mutable std::shared_ptr<absl::StatusOr<Json::Value>> parsed_body{};
};

// A permission that a call requires.
struct NeededPermission {
  std::string action{};    // "sqs:SendMessage"
  std::string resource{};  // an ARN, or "*"

  bool operator==(const NeededPermission&) const = default;
};

struct Answer {
  int status = 200;
  // The gateway adds x-amzn-RequestId and, for kJson10, x-amz-crc32.
  std::vector<http::Header> headers{};
  std::string content_type{};
  std::string body{};
  // If set, the body is sent piece by piece, after `body`: called once, before
  // the answer function returns, with where to write. It must not block, but
  // may keep the stream and write later, on any thread. Simulated time is held
  // until the stream ends, unless Call::let_time_pass is called.
  std::function<void(std::shared_ptr<http::BodyStream>)> stream_body{};
};

// Takes the answer. May be called on any thread and does not block. Only the
// first call has an effect.
using AnswerFunction = std::function<void(Answer answer)>;

// Thread-safe.
class Service {
 public:
  virtual ~Service() = default;

  virtual const ServiceTraits& traits() const = 0;
  absl::string_view name() const { return traits().name; }

  // The permissions that `call` requires; empty if none is. A resource that a
  // malformed body does not name is "*": Handle() rejects such a call.
  virtual std::vector<NeededPermission> PermissionsFor(
      const Call& call) const = 0;

  // Called on the gateway's threads; must not block. Every call must be
  // answered eventually.
  virtual void Handle(Call call, AnswerFunction answer) = 0;

  // Answers calls that only wait, as if their time were up: the gateway is
  // about to stop.
  virtual void EndLongPolls() {}
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_SERVICE_H_
