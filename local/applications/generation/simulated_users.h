// The users of asynchronous generation in a simulation: each minute one
// of them has a look, and goes on.
//
//   SimulatedUsers users({.http_client = client, .endpoint = cloud.url(),
//                         .parts = parts, .token = …});
//   users.Visit(clock.Now());  // each minute
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_SIMULATED_USERS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_SIMULATED_USERS_H_

#include <json/json.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "local/applications/generation/generation_parts.h"

namespace byoshin::local::applications {

// Functions limit the requests of a user by the machine's clock, which is slow
// compared with a simulated one.
inline constexpr int kSimulatedUsers = 32;
// One of so many processes is cancelled as soon as it is started.
inline constexpr int kCancelledOneIn = 5;

// Not thread-safe.
class SimulatedUsers {
 public:
  // The client outlives it.
  struct World {
    http::Client& http_client;
    // The cloud's address.
    std::string endpoint{};
    GenerationParts parts{};
    // An ID token of the user, who is created if necessary. Never null.
    std::function<absl::StatusOr<std::string>(const std::string& user)> token;
  };
  explicit SimulatedUsers(World world);

  // The user whose turn is in this minute retries a process that has failed, or
  // has actions generated for sub-goals that are there, or begins a new goal;
  // and may cancel it. Blocks.
  void Visit(absl::Time minute);

  struct Counts {
    // Processes, of which some are retries.
    std::int64_t started = 0;
    std::int64_t retried = 0;
    std::int64_t cancelled = 0;
    // Calls that were answered with an error, or not at all, except those that
    // came too late.
    std::int64_t failed_calls = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  struct User {
    std::string name{};
    std::string goal_id{};
    // The last one; empty before the first.
    std::string process_id{};
  };

  // Starts what comes next, and returns its id; empty if that failed.
  std::string GoOn(User& user, const std::string& token, absl::Time minute);
  // The `data` of the answer; null if the call failed.
  Json::Value Call(const std::string& token, const char* method,
                   absl::string_view path, const Json::Value& body = {});
  Json::Value Generate(const std::string& token, absl::string_view type,
                       const Json::Value& params);

  const World world_;
  std::vector<User> users_;
  Counts counts_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_SIMULATED_USERS_H_
