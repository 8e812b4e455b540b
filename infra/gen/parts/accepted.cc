#include "infra/gen/parts/accepted.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::parts {

namespace cfn = cloudformation;
using cfn::Value;

Value Accept(const std::vector<Accepted>& findings) {
  Value::Items rules;
  for (const Accepted& accepted : findings) {
    Value::Items applies_to;
    for (const std::string& finding : accepted.findings) {
      applies_to.push_back(absl::StartsWith(finding, "/")
                               ? cfn::Object({{"regex", finding}})
                               : Value(finding));
    }
    rules.push_back(cfn::Object(
        {{"id", accepted.rule},
         {"reason", accepted.reason},
         {"applies_to",
          applies_to.empty() ? Value() : cfn::List(std::move(applies_to))}}));
  }
  return cfn::Object(
      {{"cdk_nag",
        cfn::Object({{"rules_to_suppress", cfn::List(std::move(rules))}})}});
}

Accepted QueueOfFailures() {
  return {.rule = "AwsSolutions-SQS3",
          .reason =
              "It is a dead-letter queue, but not of a queue: nothing "
              "takes messages from it that could fail."};
}

}  // namespace byoshin::infra::parts
