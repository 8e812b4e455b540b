// A value in a CloudFormation template: a literal, a list, an object, or one of
// CloudFormation's functions over such values.
//
//   Value name = Sub("${AWS::StackName}-queue");
//   Value url = If("CallsMockApi", Ref("MockApi"), "https://api.example.com");
//   Value tag = Object({{"Key", "Stack"}, {"Value", Ref("AWS::StackName")}});
//
// Functions are distinguished from plain objects so that their references can
// be checked (check.h) and YAML can use their short form.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_VALUE_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_VALUE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::infra::cloudformation {

// Immutable and cheap to copy: copies share their content. Thread-safe.
class Value {
 public:
  using Items = std::vector<Value>;
  // Kept in the order in which they are to be written.
  using Members = std::vector<std::pair<std::string, Value>>;
  // {name: argument}, such as {"Ref": "Queue"}.
  struct Function {
    std::string name;
    Items argument;  // exactly one; a vector because Value is incomplete here
  };

  // Absent: a property with this value is omitted.
  Value() = default;

  // Implicit, so that a list of properties reads like a template.
  Value(bool value) : data_(value) {}                          // NOLINT
  Value(int value) : data_(int64_t{value}) {}                  // NOLINT
  Value(int64_t value) : data_(value) {}                       // NOLINT
  Value(double value) : data_(value) {}                        // NOLINT
  Value(const char* text) : data_(std::string(text)) {}        // NOLINT
  Value(std::string text) : data_(std::move(text)) {}          // NOLINT
  Value(absl::string_view text) : data_(std::string(text)) {}  // NOLINT
  Value(Items items);                                          // NOLINT
  Value(Members members);                                      // NOLINT
  Value(Function function);                                    // NOLINT

  bool absent() const { return std::holds_alternative<std::monostate>(data_); }

  // The value as a T, one of bool, int64_t, double, std::string, Items, Members
  // and Function; nullptr if it is something else.
  template <typename T>
  const T* IfIs() const {
    if constexpr (std::is_same_v<T, Items> || std::is_same_v<T, Members> ||
                  std::is_same_v<T, Function>) {
      const auto* shared = std::get_if<std::shared_ptr<const T>>(&data_);
      return shared == nullptr ? nullptr : shared->get();
    } else {
      return std::get_if<T>(&data_);
    }
  }
  template <typename T>
  bool Is() const {
    return IfIs<T>() != nullptr;
  }
  // The value as a T, which it must be.
  template <typename T>
  const T& As() const {
    return *IfIs<T>();
  }

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string,
               std::shared_ptr<const Items>, std::shared_ptr<const Members>,
               std::shared_ptr<const Function>>
      data_;
};

// Braces make these read well: List({1, 2}), Object({{"Key", "Stack"}}).
// Members that are absent are left out.
Value List(Value::Items items);
Value Object(Value::Members members);

// The whole seconds in `duration`. A duration that is not a whole number of
// seconds ends the process: durations are constants.
Value Seconds(absl::Duration duration);

// A reference to a parameter, a resource or a pseudo parameter such as
// AWS::Region.
Value Ref(absl::string_view id);
Value GetAtt(absl::string_view id, absl::string_view attribute);

// `text` with ${Id}, ${Id.Attribute} and the names of `variables` replaced.
Value Sub(absl::string_view text, Value::Members variables = {});
Value Join(absl::string_view delimiter, Value::Items items);

// Condition functions. A condition is referred to by name, and inside other
// conditions by Condition().
Value If(absl::string_view condition, Value then_value, Value else_value);
Value Condition(absl::string_view name);
Value Equals(Value left, Value right);
Value Not(Value condition);
Value And(Value::Items conditions);
Value Or(Value::Items conditions);

// Omits a property, for a branch of If().
Value NoValue();

// What a Sub text refers to: for "${Queue.Arn}/${!Literal}" that is
// "Queue.Arn". False if the text has a "${" without an end.
bool FindSubVariables(absl::string_view text, std::vector<std::string>& names);

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_VALUE_H_
