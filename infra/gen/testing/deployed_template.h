// A template as CloudFormation would see it once the parameters have values:
// for tests that ask what a deployment has, not how the template says it.
//
//   const DeployedTemplate deployed(SchedulerStack(), {{"ApiBaseUrl", "…"}});
//   deployed.Has("MockApi");
//   deployed.Properties("SchedulingQueue")["VisibilityTimeout"].asInt();
//
// Works on the generated JSON, so that it does not share mistakes with the
// builder.
#ifndef BYOSHIN_INFRA_GEN_TESTING_DEPLOYED_TEMPLATE_H_
#define BYOSHIN_INFRA_GEN_TESTING_DEPLOYED_TEMPLATE_H_

#include <json/json.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "infra/gen/stack.h"

namespace byoshin::infra::testing {

// Not thread-safe. What makes no sense fails the test.
class DeployedTemplate {
 public:
  // Parameters that are not given have their defaults, or, where there are
  // none, something made up.
  explicit DeployedTemplate(const Stack& stack,
                            std::map<std::string, std::string> parameters = {});

  const Json::Value& source() const { return source_; }

  // Whether the resource exists in this deployment.
  bool Has(const std::string& id) const;
  // The ids of all resources of a type that exist; of every type if empty.
  std::vector<std::string> Ids(const std::string& type = "") const;
  std::string TypeOf(const std::string& id) const;
  // With every function replaced by its value. References become: the URL of a
  // queue, the name of a table, otherwise the resource's id. Attributes become
  // "Id.Attribute".
  Json::Value Properties(const std::string& id) const;
  // Nothing if the deployment does not have the output.
  std::optional<Json::Value> Output(const std::string& name) const;
  // What the rules have against these parameters.
  std::vector<std::string> Refusals() const;

 private:
  // Nothing stands for AWS::NoValue.
  std::optional<Json::Value> Evaluate(const Json::Value& value) const;
  std::optional<Json::Value> Call(const std::string& function,
                                  const Json::Value& argument) const;
  Json::Value EvaluateMembers(const Json::Value& value) const;
  bool IsTrue(const Json::Value& condition) const;
  bool IsTrue(const std::string& condition) const;
  Json::Value Reference(const std::string& id) const;
  std::string Substitute(const std::string& text,
                         const Json::Value& variables) const;

  Json::Value source_;
  std::map<std::string, std::string> parameters_;
};

}  // namespace byoshin::infra::testing

#endif  // BYOSHIN_INFRA_GEN_TESTING_DEPLOYED_TEMPLATE_H_
