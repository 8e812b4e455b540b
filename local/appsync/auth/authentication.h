// Finds out who sends a request to a GraphQL API, by an API key, a signature,
// a token of a user pool, or the API's own function.
//
//   authentication.Check(
//       *state, {.http = request, .operation = operation},
//       [](Authentication::Outcome outcome) { … });
//
// https://docs.aws.amazon.com/appsync/latest/devguide/security-authz.html
#ifndef BYOSHIN_LOCAL_APPSYNC_AUTH_AUTHENTICATION_H_
#define BYOSHIN_LOCAL_APPSYNC_AUTH_AUTHENTICATION_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/http/server_message.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "core/time/alarms.h"
#include "core/time/clock.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/model/api_state.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/authenticator.h"
#include "local/gateway/credential_set.h"
#include "local/iam/iam.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {

// The name of AppSync in signatures and actions.
inline constexpr char kAppSync[] = "appsync";

using CallerPointer = std::shared_ptr<const ApiCaller>;

// Thread-safe.
class Authentication {
 public:
  // All outlive it.
  struct World {
    const CredentialSet& credentials;
    // The clock that clients sign by.
    const time::Clock& signing_clock;
    time::Clock& clock;
    const iam::Iam& iam;
    // Null if the cloud has no user pools.
    const cognito::TokenVerifier* tokens;
    lambda::FunctionInvoker& functions;
    std::string account_id;
    // Answers of functions are dropped once it is closed.
    std::shared_ptr<async::Gate> gate;
  };

  // What the credentials are for; an authorizer's function is told.
  struct Operation {
    std::string request_id{};
    std::string query{};
    std::string name{};
    json::Data variables{};
  };
  // Whether the account's keys, which may be known to every page, are accepted.
  enum class Signatures { kAccepted, kRefused };
  struct Request {
    // Its headers have the credentials; the rest is what was signed.
    const http::ServerRequest& http;
    const Operation& operation;
    Signatures signatures = Signatures::kAccepted;
  };
  using Outcome = std::variant<CallerPointer, AuthRefusal>;
  using Done = std::function<void(Outcome)>;

  explicit Authentication(World world);

  // Calls `done` once: at once, or when a function has answered or its time is
  // over. What `request` refers to is not used after this returns.
  void Check(const ApiState& state, const Request& request, Done done);

 private:
  struct CachedAnswer {
    absl::Time expires;
    Outcome outcome;
  };
  // The API's id, the function and the token.
  using CacheKey = std::pair<std::string, std::string>;

  Outcome CheckKey(const ApiState& state, absl::string_view key) const;
  Outcome CheckSignature(const ApiState& state, const Request& request) const;
  // Null if the token is of no user pool of the API.
  std::optional<Outcome> CheckToken(const ApiState& state,
                                    absl::string_view token) const;
  std::optional<Outcome> FindCached(const CacheKey& key);
  void AskFunction(const ApiState& state,
                   const AuthenticationProvider& provider,
                   const Request& request, Done done);
  Outcome ReadAnswer(const CacheKey& key,
                     const AuthenticationProvider& provider, bool is_default,
                     absl::StatusOr<lambda::FunctionInvoker::Result> result);
  void Keep(const CacheKey& key, CachedAnswer answer);

  const World world_;
  const Authenticator authenticator_;
  time::Alarms alarms_;
  sync::Mutex mutex_;
  std::map<CacheKey, CachedAnswer> cache_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_AUTH_AUTHENTICATION_H_
