// The one address behind which all services of the local cloud stand: takes
// HTTP requests, verifies their signatures, finds out which service and
// operation is meant, and brings the answers back.
//
//   CredentialSet credentials;
//   credentials.Add({.access_key_id = "test",
//                    .secret_access_key = aws::Secret("test")});
//   absl::StatusOr<std::unique_ptr<Gateway>> gateway =
//       Gateway::Start({.port = 4566}, {sqs.get(), dynamodb.get()},
//                      credentials, clock);
//   if (!gateway.ok()) return gateway.status();
//   (*gateway)->url();  // "http://127.0.0.1:4566"
//
// A request is for the service and operation that X-Amz-Target names
// ("AmazonSQS.SendMessage"); without one it is for the service of its
// signature's credential scope, in the Query protocol (Action=SendMessage in
// the body or the URL).
//
// Requests of web pages on other origins, and for other hosts, are refused
// whatever they ask for: see local/gateway/guard.h.
//
// GET /_byoshin/health needs no signature, and tells that all is well:
//   {"services":["dynamodb","sqs"],"status":"ok"}
#ifndef BYOSHIN_LOCAL_GATEWAY_GATEWAY_H_
#define BYOSHIN_LOCAL_GATEWAY_GATEWAY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"

namespace byoshin::local {

// LocalStack's, which many tools expect.
inline constexpr std::uint16_t kDefaultPort = 4566;
inline constexpr char kHealthPath[] = "/_byoshin/health";

// The longest body that DynamoDB takes; no other service takes a longer one.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
inline constexpr std::size_t kMaxBodyBytes = std::size_t{16} << 20;
// Room for a session token and a presigned URL.
inline constexpr std::size_t kMaxHeaderBytes = std::size_t{32} << 10;

// What came of one request, for access logs. Texts are what the client claims:
// they are empty where it claims nothing.
struct AccessRecord {
  std::string request_id{};
  std::string remote{};
  std::string service{};
  std::string operation{};
  // Of who proved to have it.
  std::string access_key_id{};
  int status = 0;
  std::size_t request_bytes = 0;
  std::size_t response_bytes = 0;
  // From the whole request to the answer, in real time.
  absl::Duration duration{};
};

// How long a client may take before it is cut off.
struct ClientTimeouts {
  absl::Duration between_requests = absl::Seconds(75);
  absl::Duration to_send_header = absl::Seconds(10);
  absl::Duration to_send_body = absl::Seconds(30);
  absl::Duration to_take_answer = absl::Seconds(30);
};

struct GatewayOptions {
  // Loopback, so that nothing is exposed unasked.
  std::string address = "127.0.0.1";
  // 0 lets the system choose a free one.
  std::uint16_t port = kDefaultPort;
  // That parse requests, verify signatures and do services' short work; what
  // may take long, services do on threads of their own.
  int threads = 2;
  // Fewer where the system does not allow as many open files.
  int max_connections = 10000;
  ClientTimeouts timeouts{};
  // How long Stop() lets requests finish; then it cuts them off.
  absl::Duration drain_timeout = absl::Milliseconds(500);
  // What clients sign by, if not the services' clock: where time is simulated,
  // programs of their own still sign by the wall clock. Outlives the gateway.
  const time::Clock* signing_clock = nullptr;
  // Besides the cloud's own: see GuardOptions.
  std::vector<std::string> allowed_origins{};
  std::vector<std::string> allowed_hosts{};
  // Asked first about each request that is not refused: true if it takes it,
  // because it is not for an AWS service but for a page, say. Must not block.
  std::function<bool(const http::ServerRequest&, const http::Responder&)>
      take_other = nullptr;
  // Called on any thread; must not block.
  std::function<void(const AccessRecord&)> on_request = nullptr;
  std::function<void(const absl::Status&)> on_accept_error = nullptr;
};

// Thread-safe.
class Gateway {
 public:
  // Services, credentials and clock outlive the gateway. Requests keep
  // simulated time from jumping until they are answered: see
  // Call::let_time_pass. Errors as of http::Server::Start(); InvalidArgument
  // also if two services have the same name.
  static absl::StatusOr<std::unique_ptr<Gateway>> Start(
      const GatewayOptions& options, const std::vector<Service*>& services,
      const CredentialSet& credentials, time::Clock& clock);

  Gateway() = default;
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;
  // As Stop().
  virtual ~Gateway() = default;

  virtual std::uint16_t port() const = 0;
  virtual std::string url() const = 0;
  // Clients connected at this moment.
  virtual int connections() const = 0;

  // Ends long polls and lets requests under way finish, at most drain_timeout.
  // Services are not called afterwards, but may still answer.
  virtual void Stop() = 0;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_GATEWAY_H_
