// What stands behind the gateway: an AWS service, called with requests whose
// signature has been verified.
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
#include "core/http/client.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {

// How a request and its answer are written down.
enum class WireProtocol {
  kJson10,    // AWS JSON 1.0 or 1.1: X-Amz-Target names the operation
  kQuery,     // Action=...&Version=... in the body or the URL; XML back
  kRestJson,  // method and path name the operation; JSON, or raw bytes
};

// Who calls, according to the signature.
struct Caller {
  std::string access_key_id{};
  std::string account_id{};
};

// Belongs to one thread at a time.
struct Call {
  // "PutItem"; empty for kRestJson, where the service tells it from the method
  // and the path.
  std::string operation{};
  WireProtocol protocol = WireProtocol::kJson10;
  // JSON text, or the parameters of the Query protocol still encoded, those of
  // the URL among them.
  std::string body{};
  // Of the URL, percent-encoded: the Query protocol of SQS is often addressed
  // to a queue's own path.
  std::string path = "/";
  // What kRestJson needs besides, as the client sent it.
  std::string method = "POST";
  std::string query{};
  std::vector<http::Header> headers{};
  std::string request_id{};
  std::string region{};
  // Where the client has reached us, for URLs in answers:
  // "http://127.0.0.1:4566".
  std::string endpoint{};
  Caller caller{};
  // False once the client is known to have gone. Never null. Thread-safe.
  std::function<bool()> connected = [] { return true; };
  // A request under way keeps simulated time from jumping. A service calls this
  // before it lets the request wait for time to pass or for somebody else to do
  // something, as a long poll does. Never null. Thread-safe; calling it again
  // is harmless.
  std::function<void()> let_time_pass = [] {};

  // The body as JSON. However many look at it on its way, it is parsed once.
  const absl::StatusOr<Json::Value>& JsonBody() const;
  // The same for the last one, who may change it.
  absl::StatusOr<Json::Value> TakeJsonBody();

  // What JsonBody() has parsed.
  mutable std::shared_ptr<absl::StatusOr<Json::Value>> parsed_body{};
};

// What a caller must be allowed to do.
struct NeededPermission {
  std::string action{};    // "sqs:SendMessage"
  std::string resource{};  // an ARN; "*" where there is none

  bool operator==(const NeededPermission&) const = default;
};

struct Answer {
  int status = 200;
  // The gateway adds x-amzn-RequestId and, for kJson10, x-amz-crc32.
  std::vector<http::Header> headers{};
  std::string content_type{};
  std::string body{};
};

// Takes the answer, on any thread; does not block. Only the first call counts.
using AnswerFunction = std::function<void(Answer answer)>;

// Thread-safe.
class Service {
 public:
  virtual ~Service() = default;

  virtual const ServiceTraits& traits() const = 0;
  absl::string_view name() const { return traits().name; }

  // What `call` needs; empty if no permission is required. What a malformed
  // body does not tell is "*": Handle() refuses such a call.
  virtual std::vector<NeededPermission> PermissionsFor(
      const Call& call) const = 0;

  // Called on the gateway's threads, so it must not block. Every call is
  // answered, sooner or later.
  virtual void Handle(Call call, AnswerFunction answer) = 0;

  // Answers those who only wait for something to happen, as when their time is
  // up: the gateway is about to stop.
  virtual void EndLongPolls() {}
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_SERVICE_H_
