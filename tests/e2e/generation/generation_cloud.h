// The whole cloud with the template and the zips of asynchronous generation, in
// the test's own process, on a simulated clock: users who call the API over
// HTTP, a model and a database that fail on command, and what became of it.
//
//   time::SimulatedClock clock(kStart);
//   GenerationCloud cloud(clock);
//   const std::string id = cloud.Start("alice", "SUBGOAL_GENERATION", params);
//   clock.AwaitIdle();
//   cloud.Show("alice", id)["status"];  // "COMPLETED"
//
// Functions run in real time and have the machine's clock: rows have its times.
// Everything else, and what functions wait for, has the simulated time.
#ifndef BYOSHIN_TESTS_E2E_GENERATION_GENERATION_CLOUD_H_
#define BYOSHIN_TESTS_E2E_GENERATION_GENERATION_CLOUD_H_

#include <json/json.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/json_protocol.h"
#include "core/aws/rdsdata/json_client.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/sync/mutex.h"
#include "core/time/real_clock.h"
#include "core/time/simulated_clock.h"
#include "local/bedrock/faults.h"
#include "local/cloudformation/stack.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::e2e {

// The minute that tests begin with.
inline const absl::Time kStart = absl::FromUnixSeconds(1'764'670'980);

inline constexpr char kSubGoals[] = "SUBGOAL_GENERATION";
inline constexpr char kActions[] = "ACTION_GENERATION";
inline constexpr char kTasks[] = "TASK_GENERATION";

struct Reply {
  int status = 0;
  Json::Value body{};
  // Names are in lower case.
  std::map<std::string, std::string> headers{};
};

// Thread-safe. The test fails if it can't be started.
class GenerationCloud {
 public:
  struct Options {
    std::map<std::string, std::string> parameters{};
    // As those of StackCloudOptions, besides what DatabaseFails() says.
    std::function<absl::Status(absl::string_view service,
                               absl::string_view operation)>
        fault{};
    std::function<bool()> crash{};
  };

  explicit GenerationCloud(time::SimulatedClock& clock, Options options);
  explicit GenerationCloud(time::SimulatedClock& clock)
      : GenerationCloud(clock, Options{}) {}

  local::stack::StackCloud* operator->() { return cloud_.get(); }
  // An output of the template.
  std::string Output(absl::string_view name) const;
  // The template as it was deployed.
  const std::string& template_text() const { return template_text_; }

  // A call of the API; without a user, without a token.
  Reply Call(absl::string_view user, const std::string& method,
             const std::string& path, const std::string& body = "");
  // The same with any token, or "" for none.
  Reply CallWithToken(const std::string& token, const std::string& method,
                      const std::string& path, const std::string& body = "");
  // All calls so far and their answers, for check_openapi.js.
  Json::Value exchanges() const;
  // An ID token of the user, who is created if necessary.
  std::string Token(absl::string_view user);
  // The tokens that Cognito gives: "IdToken", "AccessToken".
  Json::Value NewTokens(absl::string_view user);

  // The usual calls; each expects success, and returns `data`.
  Json::Value Generate(absl::string_view user, const std::string& type,
                       const Json::Value& params);
  Json::Value Show(absl::string_view user, const std::string& process_id);
  Json::Value Retry(absl::string_view user, const std::string& process_id);
  // The same as Generate(), returning the process's id.
  std::string Start(absl::string_view user, const std::string& type,
                    const Json::Value& params);

  // Params of a new goal, and a reference to a goal.
  static Json::Value GoalParams(const std::string& goal_id);
  static Json::Value GoalOf(const std::string& goal_id);
  // Has the sub-goals of a new goal generated; returns the goal's id.
  std::string NewGoal(absl::string_view user);

  local::bedrock::Faults& model();
  // While true, every call of the Data API fails in a way that is worth another
  // try, but that clients don't retry by themselves.
  void SetDatabaseFails(bool fails) { database_fails_ = fails; }

  // The execution of a process: Step Functions' own description, and the
  // history of its events.
  Json::Value Execution(const std::string& process_id);
  std::vector<Json::Value> Events(const std::string& process_id);
  // When events of this type happened, from the execution's start on.
  std::vector<absl::Duration> TimesOf(const std::string& process_id,
                                      absl::string_view event_type);

  // The rows of a query, as the database's owner.
  std::vector<std::vector<std::string>> Query(const std::string& sql);
  // Invokes a function of the template, by its name in constants.h.
  Json::Value Invoke(absl::string_view function, const std::string& payload);
  // All lines of all log groups.
  std::vector<std::string> LogLines();
  // What the cloud says about permissions that were missing.
  std::vector<std::string> denials() const;

  // A call of AWS's API with the account's own credentials.
  Json::Value Aws(const std::string& service, const std::string& target,
                  const Json::Value& input);

 private:
  Reply Send(http::Request request);

  time::SimulatedClock& clock_;
  time::RealClock wall_clock_;
  http::CurlClient http_client_{""};
  std::string template_text_;
  std::atomic<bool> database_fails_ = false;
  mutable sync::Mutex mutex_;
  std::vector<std::string> notes_ ABSL_GUARDED_BY(mutex_);
  struct KnownToken {
    std::string token{};
    absl::Time given{};
  };
  std::map<std::string, KnownToken> tokens_ ABSL_GUARDED_BY(mutex_);
  Json::Value exchanges_ ABSL_GUARDED_BY(mutex_){Json::arrayValue};
  std::unique_ptr<local::stack::StackCloud> cloud_;
  local::cloudformation::Stack stack_;
  env::Environment environment_;
};

// Whether the status is that of a process that is over.
bool IsOver(const std::string& status);

}  // namespace byoshin::e2e

#endif  // BYOSHIN_TESTS_E2E_GENERATION_GENERATION_CLOUD_H_
