// A kind of stack that Byoshin brings, with everything that knows what it
// means: its template, the servers it needs besides the cloud, what `up` and
// `simulate` print about it, its panel on the page and its commands. The cloud,
// the dashboard and the other commands know none of them; see docs/adding.md.
//
//   Application SchedulerApplication() {
//     return {.name = "scheduler",
//             .stack_name = "byoshin",
//             .template_path = kTemplate,
//             .run = [](RunWorld world) -> std::unique_ptr<ApplicationRun> {
//               return std::make_unique<SchedulerRun>(std::move(world));
//             }};
//   }
//
// applications.h has the list of them.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_APPLICATION_H_
#define BYOSHIN_LOCAL_APPLICATIONS_APPLICATION_H_

#include <json/json.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/time/clock.h"
#include "local/cli/arguments.h"
#include "local/cli/command.h"
#include "local/cloud/module.h"
#include "local/dashboard/time_range.h"
#include "local/gateway/credential_set.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::applications {

// What a run of the cloud gives to its applications. What is referred to
// outlives the run.
struct RunWorld {
  enum class Pace { kReal, kSimulated };

  time::Clock& clock;
  Pace pace = Pace::kReal;
  http::Client& http_client;
  // Of `up` or `simulate`.
  const cli::Arguments& arguments;
  // Credentials that the cloud accepts.
  LocalCredentials credentials{};
  // Results and notes for people, with line breaks. They don't block, and may
  // be called on any thread. Never null.
  std::function<void(const std::string& text)> print{};
  std::function<void(const std::string& text)> note{};
  // Whether what has this name is to fail now, as --faults says. Never null.
  std::function<bool(absl::string_view what)> fails{};
};

// What an application expects to be done by now, such as slots to be stored.
struct ExpectedWork {
  // "slot", "slots", "stored".
  std::string one{};
  std::string many{};
  std::string done{};
  std::int64_t missing = 0;
  // Done, but late.
  std::int64_t late = 0;
  // Later work is not counted: it may be under way.
  absl::Time counted_to{};
};

// The end of a simulation.
struct SimulationReport {
  // Lines for people; empty if there is nothing to say.
  std::string text{};
  // What should have been done and was not: "3 slots are missing" is an error.
  std::int64_t missing = 0;
  std::string missing_text{};
};

// An application in one run of the cloud. It takes part in every run, whatever
// is deployed, and recognises its stacks by what is in them: a template of the
// user's own may be one of its kind. Not thread-safe, except where it says so.
// The destructor is called after the cloud has stopped.
class ApplicationRun {
 public:
  virtual ~ApplicationRun() = default;

  // For each stack that is to be deployed, or that an earlier run has deployed:
  // starts servers that the template needs, and fills in the parameters that
  // name them. The next run does so anew, whether it deploys the stack or not.
  virtual absl::Status Prepare(const stack::TemplateInputs& /*inputs*/,
                               stack::StackDeployment& /*deployment*/) {
    return absl::OkStatus();
  }

  // What it adds to the cloud.
  virtual cloud::ModuleSpec Module() = 0;

  // All stacks are deployed, and the cloud, which outlives Stop(), is about to
  // begin.
  virtual absl::Status Deployed(stack::StackCloud& /*cloud*/) {
    return absl::OkStatus();
  }

  // What `up` says when it begins, such as "Polling X every 5 seconds.", or
  // whole lines with their line breaks; empty if no stack of this kind is
  // deployed.
  virtual std::string Greeting() { return ""; }

  // The stack that Greeting() is about; empty if there is none.
  virtual std::string ShownStack() const { return ""; }

  // The cloud has begun.
  virtual void Begun() {}

  // A minute of a simulation begins, with the cloud at work: does what
  // simulated users do in it. Blocks; no simulated time passes meanwhile.
  virtual void SimulateUsers(absl::Time /*minute*/) {}

  // Whether something is going on that a simulation should wait for at its end,
  // besides messages in queues.
  virtual bool HasWorkUnderWay() { return false; }

  // The cloud is about to stop.
  virtual void Stop() {}

  // Of the work that was due at `since` or later. Empty `one` if no stack of
  // this kind is deployed. Thread-safe between Deployed() and Stop().
  virtual ExpectedWork CountWork(absl::Time /*since*/) { return {}; }

  // What came of the minutes that were simulated.
  virtual SimulationReport Report(const dashboard::TimeRange& /*minutes*/) {
    return {};
  }
};

struct Application {
  // For --stack, and of its panel: lower-case letters.
  std::string name{};
  // The name of its CloudFormation stack.
  std::string stack_name{};
  // Among the program's runfiles.
  std::string template_path{};
  // The folder there of the zips that the template's metadata name.
  std::string zips_folder = "lambdas";
  // What `up` takes for it.
  std::vector<cli::FlagSpec> up_flags{};
  // Names of what --faults can make fail besides services and functions, each
  // with an explanation: {"api", "the polled API"}.
  std::vector<std::pair<std::string, std::string>> faults{};
  std::vector<cli::Command> commands{};
  // Lines about its member of the dashboard's status. May be null.
  std::function<std::string(const Json::Value& status)> format_status{};
  std::function<std::unique_ptr<ApplicationRun>(RunWorld world)> run{};
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_APPLICATION_H_
