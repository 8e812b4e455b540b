// One evaluation of one value of a template; used by resolver.h only.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_EVALUATION_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_EVALUATION_H_

#include <json/json.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/functions.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

// Not thread-safe. Errors name the path inside the value and the line. The
// total size of the results is bounded: see limits.h.
class Evaluation {
 public:
  struct Scope {
    const Template& t;
    const ParameterValues& parameters;
    const StackContext& stack;
    FunctionContext context = FunctionContext::kProperties;
    // Whether a condition holds.
    std::function<absl::StatusOr<bool>(const std::string& name)> condition;
    // Null if resources must not be referred to.
    const ResourceLookup* lookup = nullptr;
  };

  explicit Evaluation(Scope scope) : scope_(std::move(scope)) {}

  // nullopt for AWS::NoValue.
  absl::StatusOr<std::optional<Json::Value>> Evaluate(const Json::Value& value);

  // For conditions and assertions.
  absl::StatusOr<bool> IsTrue(const Json::Value& value);

  // The value, which must be a text, a number or a boolean.
  absl::StatusOr<std::string> Text(const Json::Value& value);

 private:
  using Result = absl::StatusOr<std::optional<Json::Value>>;

  absl::Status Error(const Json::Value& at, absl::string_view what) const;

  // Counts what functions have produced. An error above the limit, so that a
  // small template can't become a huge value.
  absl::Status Produce(std::size_t bytes, const Json::Value& at);

  Result EvaluateMembers(const Json::Value& object);
  Result EvaluateElements(const Json::Value& array);
  Result Call(const FunctionCall& call, const Json::Value& at);
  Result Ref(const std::string& name, const Json::Value& at);
  Result GetAtt(const Attribute& attribute, const Json::Value& at);
  Result Sub(const Json::Value& argument, const Json::Value& at);
  // The value of a variable of Fn::Sub.
  absl::StatusOr<std::string> SubVariable(const std::string& name,
                                          const Json::Value& variables,
                                          const Json::Value& at);
  Result Join(const Json::Value& argument, const Json::Value& at);
  Result Select(const Json::Value& argument, const Json::Value& at);
  Result Split(const Json::Value& argument, const Json::Value& at);
  Result If(const Json::Value& argument, const Json::Value& at);
  Result FindInMap(const Json::Value& argument, const Json::Value& at);

  absl::StatusOr<bool> Equals(const Json::Value& argument,
                              const Json::Value& at);
  // And, Or, Not.
  absl::StatusOr<bool> Combine(const FunctionCall& call, const Json::Value& at);
  // Contains, EachMemberEquals, EachMemberIn.
  absl::StatusOr<bool> CompareLists(const FunctionCall& call,
                                    const Json::Value& at);

  // The list that a value becomes.
  absl::StatusOr<std::vector<Json::Value>> List(const Json::Value& value);
  // The arguments, of which there must be `count`.
  absl::Status NeedArguments(const Json::Value& argument,
                             Json::ArrayIndex count, const Json::Value& at,
                             absl::string_view what) const;

  const Scope scope_;
  std::vector<std::string> path_;
  std::size_t produced_ = 0;  // bytes
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_EVALUATION_H_
