// An AWS service's endpoint for the JSON 1.0 protocol, strict about the wire,
// that can also misbehave. FakeSqs and FakeDynamoDb are two of them.
//
//   absl::StatusOr<std::unique_ptr<AwsEndpoint>> endpoint = AwsEndpoint::Start(
//       {.service = "sqs", .target_prefix = "AmazonSQS."},
//       [](absl::string_view operation, const Json::Value& input) {
//         return AwsEndpoint::Success(Json::objectValue);
//       });
//   (*endpoint)->Inject(Fault::kThrottle, 2);  // then all is well again
//   ...
//   EXPECT_THAT((*endpoint)->violations(), IsEmpty());
//
// https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
#ifndef BYOSHIN_TESTS_INTEGRATION_AWS_ENDPOINT_H_
#define BYOSHIN_TESTS_INTEGRATION_AWS_ENDPOINT_H_

#include <json/json.h>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"

namespace byoshin::integration {

// What can happen to a request instead of being served.
enum class Fault {
  kThrottle,       // 400, a throttling error
  kInternalError,  // 500, an AWS error
  kUnavailable,    // 503 of a load balancer, in HTML
  kAccessDenied,   // 400
  kHang,           // no answer as long as the endpoint lives
  kReset,          // the connection closes without an answer
  kGarbage,        // 200, not JSON
  kEmptyBody,      // 200
  kEmptyObject,    // 200, {}
};

// The parameter of a test that goes through several of them.
struct FaultCase {
  const char* name;
  Fault fault;
};

// Thread-safe.
class AwsEndpoint {
 public:
  struct Options {
    std::string service{};        // as in the signature's scope: "sqs"
    std::string target_prefix{};  // "AmazonSQS."
  };
  // Called for one request at a time.
  using Operation = std::function<http::ServerResponse(
      absl::string_view operation, const Json::Value& input)>;

  static absl::StatusOr<std::unique_ptr<AwsEndpoint>> Start(
      Options options, Operation operation);

  // What services answer.
  static http::ServerResponse Success(const Json::Value& output);
  static http::ServerResponse Error(int status, absl::string_view type,
                                    absl::string_view message);

  AwsEndpoint(const AwsEndpoint&) = delete;
  AwsEndpoint& operator=(const AwsEndpoint&) = delete;

  // "http://127.0.0.1:40123"
  std::string url() const { return server_->url(); }

  // For the next `times` requests.
  void Inject(Fault fault, int times = 1);

  // For all requests from now on.
  void InjectAlways(Fault fault);

  // What was injected is over.
  void Recover();

  // All requests so far, faulty ones included.
  std::vector<http::ServerRequest> requests() const;

  // What was wrong with requests' form: method, headers, signature, JSON. Such
  // requests are refused.
  std::vector<std::string> violations() const;

 private:
  AwsEndpoint(Options options, Operation operation)
      : options_(std::move(options)), operation_(std::move(operation)) {}

  void Handle(const http::ServerRequest& request,
              const http::Responder& respond);
  // Wants `mutex_` held.
  void Misbehave(Fault fault, const http::Responder& respond);
  absl::Status CheckForm(const http::ServerRequest& request) const;

  const Options options_;
  const Operation operation_;

  mutable std::mutex mutex_;
  std::deque<Fault> faults_;
  std::optional<Fault> always_;  // once `faults_` is empty
  std::vector<http::ServerRequest> requests_;
  std::vector<std::string> violations_;
  std::vector<http::Responder> hanging_;

  // Last, so that it stops before what its handler uses is gone.
  std::unique_ptr<http::Server> server_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_AWS_ENDPOINT_H_
