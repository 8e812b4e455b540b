// One invocation of a function's own code, in the environment that a template
// makes for it, with a stand-in for AWS and for the API.
//
//   FunctionInvocation sender(deployed, "SenderFunction");
//   sender.RunSender();
//   sender.variables_read();  // what it asked its environment for
//   sender.requests();        // what it called
//   sender.logs();            // what it wrote
#ifndef BYOSHIN_INFRA_GEN_TESTING_FUNCTION_INVOCATION_H_
#define BYOSHIN_INFRA_GEN_TESTING_FUNCTION_INVOCATION_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "infra/gen/testing/deployed_template.h"

namespace byoshin::infra::testing {

// Lambda sets these itself; they are reserved.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
const std::map<std::string, std::string>& LambdasOwnVariables();

// What the template sets for a function.
std::map<std::string, std::string> VariablesOf(const DeployedTemplate& deployed,
                                               const std::string& function);

// Not thread-safe. A function that fails fails the test.
class FunctionInvocation {
 public:
  FunctionInvocation(const DeployedTemplate& deployed,
                     const std::string& function);

  // What the API answers; by default a count of 1.
  void set_api_answer(http::Response answer) { api_ = std::move(answer); }

  // For a minute's event, and for a message about one slot.
  void RunSender();
  void RunCollector();

  const std::set<std::string>& variables_read() const { return read_; }
  const std::vector<http::Request>& requests() const {
    return http_.requests();
  }
  const log::testing::RecordingSink& logs() const { return sink_; }

 private:
  void Handle(lambda::Handler& handler, absl::string_view payload);

  std::map<std::string, std::string> variables_;
  std::set<std::string> read_;
  const env::Environment environment_;
  http::Response api_;
  ::byoshin::time::testing::InstantClock clock_;
  http::testing::FakeClient http_;
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
};

}  // namespace byoshin::infra::testing

#endif  // BYOSHIN_INFRA_GEN_TESTING_FUNCTION_INVOCATION_H_
