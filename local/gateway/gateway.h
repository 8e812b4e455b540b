// The single address of all services of the local cloud: accepts HTTP requests,
// verifies their signatures, passes each to its service, and returns the
// answer.
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
// Requests from web pages on other origins, and requests for other hosts, are
// rejected: see local/gateway/guard.h.
//
// GET /_byoshin/health needs no signature and reports the state:
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
#include "local/gateway/caller_waits.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"

namespace byoshin::local {

// LocalStack's, which many tools expect.
inline constexpr std::uint16_t kDefaultPort = 4566;
inline constexpr char kHealthPath[] = "/_byoshin/health";

// The longest body that DynamoDB accepts; no other service accepts a longer
// one.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
inline constexpr std::size_t kMaxBodyBytes = std::size_t{16} << 20;
// Room for a session token and a presigned URL.
inline constexpr std::size_t kMaxHeaderBytes = std::size_t{32} << 10;

// The outcome of a request, for access logs. Texts are as the client sent them,
// and empty if it sent none.
struct AccessRecord {
  std::string request_id{};
  std::string remote{};
  std::string service{};
  std::string operation{};
  // The authenticated caller's.
  std::string access_key_id{};
  int status = 0;
  std::size_t request_bytes = 0;
  std::size_t response_bytes = 0;
  // From the end of the request to the answer, in real time.
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
  // Loopback by default, so that nothing is exposed to the network.
  std::string address = "127.0.0.1";
  // 0 selects a free port.
  std::uint16_t port = kDefaultPort;
  // These parse requests, verify signatures and do the short work of services.
  // Services do long work on their own threads.
  int threads = 2;
  // Lowered if the system does not allow as many open files.
  int max_connections = 12000;
  ClientTimeouts timeouts{};
  // How long Stop() waits for requests to finish before it closes their
  // connections.
  absl::Duration drain_timeout = absl::Milliseconds(500);
  // The clock that signatures are checked against, if not the services' clock:
  // where time is simulated, clients still sign by the wall clock. Must outlive
  // the gateway.
  const time::Clock* signing_clock = nullptr;
  // In addition to the cloud's own: see GuardOptions.
  std::vector<std::string> allowed_origins{};
  std::vector<std::string> allowed_hosts{};
  // Called first with every request that is not rejected. Returns true if it
  // handles the request, for example because it is for a web page and not an
  // AWS service. Must not block.
  std::function<bool(const http::ServerRequest&, const http::Responder&)>
      take_other = nullptr;
  // Whether pages of any origin may send this request to `take_other`, because
  // its credentials are not known to every page, as those of a GraphQL API. May
  // be null.
  std::function<bool(const http::ServerRequest&)> open_to_pages = nullptr;
  // If set, requests are held until HandleEarly() is called, except those for
  // which this returns true, those with temporary credentials, which only
  // functions have, and those for the state. Must not block.
  std::function<bool(const http::ServerRequest&)> is_needed_early = nullptr;
  // Called on any thread; must not block.
  std::function<void(const AccessRecord&)> on_request = nullptr;
  std::function<void(const absl::Status&)> on_accept_error = nullptr;
  // Work of callers that is paused while their requests let time pass. May be
  // null.
  std::shared_ptr<CallerWaits> waits = nullptr;
};

// Thread-safe.
class Gateway {
 public:
  // Services, credentials and clock must outlive the gateway. A request holds
  // simulated time until it is answered: see Call::let_time_pass. Errors are
  // those of http::Server::Start(), and InvalidArgument if two services have
  // the same name.
  static absl::StatusOr<std::unique_ptr<Gateway>> Start(
      const GatewayOptions& options, const std::vector<Service*>& services,
      const CredentialSet& credentials, time::Clock& clock);

  Gateway() = default;
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;
  // Calls Stop().
  virtual ~Gateway() = default;

  virtual std::uint16_t port() const = 0;
  virtual std::string url() const = 0;
  // The number of open connections.
  virtual int connections() const = 0;

  // Handles the requests that are held, and from now on each at once. Only the
  // first call has an effect.
  virtual void HandleEarly() = 0;

  // Refuses requests that are held and all further ones, except those of
  // functions, which have temporary credentials, and those for the state.
  // Waits, at most `limit`, for those in progress: what they need can end
  // afterwards. Stop() follows.
  virtual void BeginStop(absl::Duration limit) = 0;

  // Refuses requests that are held, ends long polls and waits, at most
  // drain_timeout, for requests in progress. Services are not called
  // afterwards, but may still answer.
  virtual void Stop() = 0;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_GATEWAY_H_
