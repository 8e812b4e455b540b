#include "infra/cloudformation/value.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::infra::cloudformation {
namespace {

Value Call(absl::string_view name, Value argument) {
  Value::Function function;
  function.name = std::string(name);
  function.argument.push_back(std::move(argument));
  return Value(std::move(function));
}

}  // namespace

Value::Value(Items items)
    : data_(std::make_shared<const Items>(std::move(items))) {}
Value::Value(Members members)
    : data_(std::make_shared<const Members>(std::move(members))) {}
Value::Value(Function function)
    : data_(std::make_shared<const Function>(std::move(function))) {}

Value List(Value::Items items) { return Value(std::move(items)); }

Value Object(Value::Members members) {
  Value::Members present;
  for (auto& member : members) {
    if (!member.second.absent()) present.push_back(std::move(member));
  }
  return Value(std::move(present));
}

Value Seconds(absl::Duration duration) {
  const int64_t seconds = absl::ToInt64Seconds(duration);
  if (absl::Seconds(seconds) != duration) {
    std::fprintf(stderr, "not a whole number of seconds: %s\n",
                 absl::FormatDuration(duration).c_str());
    std::abort();
  }
  return Value(seconds);
}

Value Ref(absl::string_view id) { return Call("Ref", id); }

Value GetAtt(absl::string_view id, absl::string_view attribute) {
  return Call("Fn::GetAtt", List({id, attribute}));
}

Value Sub(absl::string_view text, Value::Members variables) {
  if (variables.empty()) return Call("Fn::Sub", text);
  return Call("Fn::Sub", List({text, Value(std::move(variables))}));
}

Value Join(absl::string_view delimiter, Value::Items items) {
  return Call("Fn::Join", List({delimiter, List(std::move(items))}));
}

Value If(absl::string_view condition, Value then_value, Value else_value) {
  return Call("Fn::If",
              List({condition, std::move(then_value), std::move(else_value)}));
}

Value Condition(absl::string_view name) { return Call("Condition", name); }

Value Equals(Value left, Value right) {
  return Call("Fn::Equals", List({std::move(left), std::move(right)}));
}

Value Not(Value condition) {
  return Call("Fn::Not", List({std::move(condition)}));
}

Value And(Value::Items conditions) {
  return Call("Fn::And", List(std::move(conditions)));
}

Value Or(Value::Items conditions) {
  return Call("Fn::Or", List(std::move(conditions)));
}

Value NoValue() { return Ref("AWS::NoValue"); }

bool FindSubVariables(absl::string_view text, std::vector<std::string>& names) {
  for (size_t at = text.find("${"); at != absl::string_view::npos;
       at = text.find("${")) {
    text.remove_prefix(at + 2);
    const size_t end = text.find('}');
    if (end == absl::string_view::npos) return false;
    const absl::string_view name = text.substr(0, end);
    // ${!Literal} is the text ${Literal}.
    if (!absl::StartsWith(name, "!")) names.emplace_back(name);
    text.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace byoshin::infra::cloudformation
