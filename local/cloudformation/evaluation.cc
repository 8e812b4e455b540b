#include "local/cloudformation/evaluation.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/functions.h"
#include "local/cloudformation/limits.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::cloudformation {
namespace {

// CloudFormation treats 0 and "0" as equal.
bool Same(const Json::Value& a, const Json::Value& b) {
  if (IsScalar(a) && IsScalar(b)) return ScalarText(a) == ScalarText(b);
  return a == b;
}

// The approximate size of the value; an empty element counts, too.
std::size_t SizeOf(const Json::Value& value) {
  if (value.isString()) return value.asString().size() + 1;
  std::size_t size = 1;
  if (value.isArray() || value.isObject()) {
    for (const Json::Value& element : value) size += SizeOf(element);
  }
  return size;
}

}  // namespace

absl::Status Evaluation::Produce(std::size_t bytes, const Json::Value& at) {
  // So that the sum does not overflow.
  produced_ += std::min(bytes, kMaxEvaluatedBytes + 1);
  if (produced_ <= kMaxEvaluatedBytes) return absl::OkStatus();
  return Error(at, absl::StrCat("functions produce more than ",
                                kMaxEvaluatedBytes, " bytes"));
}

absl::Status Evaluation::Error(const Json::Value& at,
                               absl::string_view what) const {
  return absl::InvalidArgumentError(absl::StrCat(
      path_.empty()
          ? ""
          : absl::StrCat("property ", absl::StrJoin(path_, "."), ", "),
      "line ", scope_.t.Line(at), ": ", what));
}

Evaluation::Result Evaluation::Evaluate(const Json::Value& value) {
  if (std::optional<FunctionCall> call = CallIn(value, scope_.context)) {
    Result result = Call(*call, value);
    if (result.ok() && result->has_value()) {
      // What Fn::If gives was counted when it was evaluated.
      if (call->name != "Fn::If") {
        absl::Status counted = Produce(SizeOf(**result), value);
        if (!counted.ok()) return counted;
      }
      // Keeps the position, for later errors about the result.
      (*result)->setOffsetStart(value.getOffsetStart());
      (*result)->setOffsetLimit(value.getOffsetLimit());
    }
    return result;
  }
  if (value.isObject()) return EvaluateMembers(value);
  if (value.isArray()) return EvaluateElements(value);
  return std::make_optional(value);
}

Evaluation::Result Evaluation::EvaluateMembers(const Json::Value& object) {
  Json::Value out(Json::objectValue);
  out.setOffsetStart(object.getOffsetStart());
  for (const std::string& name : object.getMemberNames()) {
    path_.push_back(name);
    Result value = Evaluate(object[name]);
    path_.pop_back();
    if (!value.ok()) return value;
    if (value->has_value()) out[name] = **std::move(value);
  }
  return std::make_optional(std::move(out));
}

Evaluation::Result Evaluation::EvaluateElements(const Json::Value& array) {
  Json::Value out(Json::arrayValue);
  out.setOffsetStart(array.getOffsetStart());
  for (const Json::Value& element : array) {
    Result value = Evaluate(element);
    if (!value.ok()) return value;
    if (value->has_value()) out.append(**std::move(value));
  }
  return std::make_optional(std::move(out));
}

Evaluation::Result Evaluation::Call(const FunctionCall& call,
                                    const Json::Value& at) {
  const Json::Value& argument = *call.argument;
  if (!IsKnownFunction(call.name, scope_.context)) {
    return Error(
        at, absl::StrCat("function ", call.name, " is not supported here"));
  }
  if (call.name == "Ref") {
    if (!argument.isString()) return Error(at, "Ref must be a name");
    return Ref(argument.asString(), at);
  }
  if (call.name == "Fn::GetAtt") {
    absl::StatusOr<Attribute> attribute = ParseGetAtt(argument);
    if (!attribute.ok()) return Error(at, attribute.status().message());
    return GetAtt(*attribute, at);
  }
  if (call.name == "Fn::Sub") return Sub(argument, at);
  if (call.name == "Fn::Join") return Join(argument, at);
  if (call.name == "Fn::Select") return Select(argument, at);
  if (call.name == "Fn::Split") return Split(argument, at);
  if (call.name == "Fn::If") return If(argument, at);
  if (call.name == "Fn::FindInMap") return FindInMap(argument, at);
  absl::StatusOr<bool> truth = IsTrue(at);
  if (!truth.ok()) return truth.status();
  return std::make_optional(Json::Value(*truth));
}

Evaluation::Result Evaluation::Ref(const std::string& name,
                                   const Json::Value& at) {
  const StackContext& stack = scope_.stack;
  if (name == "AWS::NoValue") return std::optional<Json::Value>();
  if (name == "AWS::AccountId") return Json::Value(stack.account_id);
  if (name == "AWS::Partition") return Json::Value(stack.partition);
  if (name == "AWS::Region") return Json::Value(stack.region);
  if (name == "AWS::StackId") return Json::Value(stack.stack_id);
  if (name == "AWS::StackName") return Json::Value(stack.stack_name);
  if (name == "AWS::URLSuffix") return Json::Value(stack.url_suffix);
  if (name == "AWS::NotificationARNs") return Json::Value(Json::arrayValue);
  if (const auto parameter = scope_.parameters.find(name);
      parameter != scope_.parameters.end()) {
    if (!parameter->second.is_list) return Json::Value(parameter->second.text);
    Json::Value list(Json::arrayValue);
    for (const std::string& item : parameter->second.items) list.append(item);
    return std::make_optional(std::move(list));
  }
  if (scope_.lookup == nullptr) {
    return Error(at,
                 absl::StrCat("Ref to ", name, ", which is not a parameter"));
  }
  absl::StatusOr<std::string> id = (*scope_.lookup)(name, "");
  if (!id.ok()) return Error(at, id.status().message());
  return Json::Value(*id);
}

Evaluation::Result Evaluation::GetAtt(const Attribute& attribute,
                                      const Json::Value& at) {
  if (scope_.lookup == nullptr) {
    return Error(at, "resources must not be referred to here");
  }
  absl::StatusOr<std::string> value =
      (*scope_.lookup)(attribute.resource, attribute.name);
  if (!value.ok()) return Error(at, value.status().message());
  return Json::Value(*value);
}

Evaluation::Result Evaluation::Sub(const Json::Value& argument,
                                   const Json::Value& at) {
  const bool pair = argument.isArray() && argument.size() == 2 &&
                    argument[0].isString() && argument[1].isObject();
  if (!argument.isString() && !pair) {
    return Error(at, "Fn::Sub needs a text, or a text and an object");
  }
  absl::StatusOr<std::vector<SubPart>> parts =
      ParseSubText((pair ? argument[0] : argument).asString());
  if (!parts.ok()) return Error(at, parts.status().message());
  const Json::Value no_variables(Json::objectValue);
  // Each once: a variable that occurs twice, in a variable that occurs twice,
  // and so on, would be evaluated very often.
  std::map<std::string, std::string> values;
  std::string text;
  for (const SubPart& part : *parts) {
    if (part.kind == SubPart::Kind::kText) {
      text += part.text;
      continue;
    }
    auto known = values.find(part.text);
    if (known == values.end()) {
      absl::StatusOr<std::string> value =
          SubVariable(part.text, pair ? argument[1] : no_variables, at);
      if (!value.ok()) return value.status();
      known = values.emplace(part.text, *std::move(value)).first;
    }
    text += known->second;
    if (text.size() > kMaxEvaluatedBytes) break;  // the caller refuses it
  }
  return Json::Value(text);
}

absl::StatusOr<std::string> Evaluation::SubVariable(
    const std::string& name, const Json::Value& variables,
    const Json::Value& at) {
  Result value = std::optional<Json::Value>();
  if (variables.isMember(name)) {
    value = Evaluate(variables[name]);
  } else if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
    value = GetAtt({name.substr(0, dot), name.substr(dot + 1)}, at);
  } else {
    value = Ref(name, at);
  }
  if (!value.ok()) return value.status();
  if (!value->has_value() || !IsScalar(**value)) {
    return Error(at, absl::StrCat("Fn::Sub: ", name, " is not a text"));
  }
  return ScalarText(**value);
}

absl::Status Evaluation::NeedArguments(const Json::Value& argument,
                                       Json::ArrayIndex count,
                                       const Json::Value& at,
                                       absl::string_view what) const {
  if (argument.isArray() && argument.size() == count) return absl::OkStatus();
  return Error(at, what);
}

absl::StatusOr<std::vector<Json::Value>> Evaluation::List(
    const Json::Value& value) {
  Result result = Evaluate(value);
  if (!result.ok()) return result.status();
  if (!result->has_value() || !(*result)->isArray()) {
    return Error(value, "a list is needed here");
  }
  return std::vector<Json::Value>((*result)->begin(), (*result)->end());
}

Evaluation::Result Evaluation::Join(const Json::Value& argument,
                                    const Json::Value& at) {
  absl::Status shape =
      NeedArguments(argument, 2, at, "Fn::Join needs a delimiter and a list");
  if (!shape.ok()) return shape;
  if (!argument[0].isString()) {
    return Error(at, "Fn::Join: the delimiter must be a text");
  }
  absl::StatusOr<std::vector<Json::Value>> list = List(argument[1]);
  if (!list.ok()) return list.status();
  std::vector<std::string> texts;
  for (const Json::Value& item : *list) {
    if (!IsScalar(item)) return Error(at, "Fn::Join needs a list of texts");
    texts.push_back(ScalarText(item));
  }
  const std::string delimiter = argument[0].asString();
  absl::Status counted = Produce(delimiter.size() * texts.size(), at);
  if (!counted.ok()) return counted;
  return Json::Value(absl::StrJoin(texts, delimiter));
}

Evaluation::Result Evaluation::Select(const Json::Value& argument,
                                      const Json::Value& at) {
  absl::Status shape =
      NeedArguments(argument, 2, at, "Fn::Select needs an index and a list");
  if (!shape.ok()) return shape;
  absl::StatusOr<std::string> text = Text(argument[0]);
  if (!text.ok()) return text.status();
  absl::StatusOr<std::vector<Json::Value>> list = List(argument[1]);
  if (!list.ok()) return list.status();
  uint32_t index = 0;
  if (!absl::SimpleAtoi(*text, &index) || index >= list->size()) {
    return Error(at, absl::StrCat("Fn::Select cannot select ", *text,
                                  " of a list of ", list->size()));
  }
  return std::make_optional((*list)[index]);
}

Evaluation::Result Evaluation::Split(const Json::Value& argument,
                                     const Json::Value& at) {
  absl::Status shape =
      NeedArguments(argument, 2, at, "Fn::Split needs a delimiter and a text");
  if (!shape.ok()) return shape;
  if (!argument[0].isString() || argument[0].asString().empty()) {
    return Error(at, "Fn::Split: the delimiter must be a text, not empty");
  }
  absl::StatusOr<std::string> text = Text(argument[1]);
  if (!text.ok()) return text.status();
  Json::Value list(Json::arrayValue);
  for (const std::string& piece : std::vector<std::string>(
           absl::StrSplit(*text, argument[0].asString()))) {
    list.append(piece);
  }
  return std::make_optional(std::move(list));
}

Evaluation::Result Evaluation::If(const Json::Value& argument,
                                  const Json::Value& at) {
  if (!argument.isArray() || argument.size() != 3 || !argument[0].isString()) {
    return Error(at, "Fn::If needs the name of a condition and two values");
  }
  absl::StatusOr<bool> holds = scope_.condition(argument[0].asString());
  if (!holds.ok()) return Error(at, holds.status().message());
  return Evaluate(argument[*holds ? 1 : 2]);
}

Evaluation::Result Evaluation::FindInMap(const Json::Value& argument,
                                         const Json::Value& at) {
  absl::Status shape = NeedArguments(
      argument, 3, at, "Fn::FindInMap needs a mapping and two keys");
  if (!shape.ok()) return shape;
  std::vector<std::string> keys;
  for (const Json::Value& key : argument) {
    absl::StatusOr<std::string> text = Text(key);
    if (!text.ok()) return text.status();
    keys.push_back(*std::move(text));
  }
  const auto mapping = scope_.t.mappings.find(keys[0]);
  if (mapping == scope_.t.mappings.end()) {
    return Error(at,
                 absl::StrCat("Fn::FindInMap: there is no mapping ", keys[0]));
  }
  const Json::Value& top = (*mapping->second)[keys[1]];
  if (!top.isObject() || !top.isMember(keys[2])) {
    return Error(at, absl::StrCat("Fn::FindInMap: unable to get mapping for ",
                                  absl::StrJoin(keys, "::")));
  }
  return std::make_optional(top[keys[2]]);
}

absl::StatusOr<std::string> Evaluation::Text(const Json::Value& value) {
  Result result = Evaluate(value);
  if (!result.ok()) return result.status();
  if (!result->has_value() || !IsScalar(**result)) {
    return Error(value, "a text is needed here");
  }
  return ScalarText(**result);
}

absl::StatusOr<bool> Evaluation::IsTrue(const Json::Value& value) {
  std::optional<FunctionCall> call = CallIn(value, scope_.context);
  if (!call.has_value() || !IsKnownFunction(call->name, scope_.context)) {
    return Error(value, "a condition function is needed here");
  }
  if (call->name == "Condition") {
    if (!call->argument->isString()) {
      return Error(value, "Condition must be a name");
    }
    absl::StatusOr<bool> holds = scope_.condition(call->argument->asString());
    if (!holds.ok()) return Error(value, holds.status().message());
    return holds;
  }
  if (call->name == "Fn::Equals") return Equals(*call->argument, value);
  if (call->name == "Fn::And" || call->name == "Fn::Or" ||
      call->name == "Fn::Not") {
    return Combine(*call, value);
  }
  if (call->name == "Fn::Contains" || call->name == "Fn::EachMemberEquals" ||
      call->name == "Fn::EachMemberIn") {
    return CompareLists(*call, value);
  }
  return Error(value, absl::StrCat(call->name, " is neither true nor false"));
}

absl::StatusOr<bool> Evaluation::Equals(const Json::Value& argument,
                                        const Json::Value& at) {
  absl::Status shape =
      NeedArguments(argument, 2, at, "Fn::Equals needs two values");
  if (!shape.ok()) return shape;
  Result a = Evaluate(argument[0]);
  if (!a.ok()) return a.status();
  Result b = Evaluate(argument[1]);
  if (!b.ok()) return b.status();
  if (!a->has_value() || !b->has_value())
    return a->has_value() == b->has_value();
  return Same(**a, **b);
}

absl::StatusOr<bool> Evaluation::Combine(const FunctionCall& call,
                                         const Json::Value& at) {
  const Json::Value& conditions = *call.argument;
  const bool negates = call.name == "Fn::Not";
  const Json::ArrayIndex least = negates ? 1 : 2;
  const Json::ArrayIndex most = negates ? 1 : 10;
  if (!conditions.isArray() || conditions.size() < least ||
      conditions.size() > most) {
    return Error(
        at, absl::StrCat(call.name, " needs ",
                         negates ? "one condition" : "2 to 10 conditions"));
  }
  std::size_t holding = 0;
  for (const Json::Value& condition : conditions) {
    absl::StatusOr<bool> holds = IsTrue(condition);
    if (!holds.ok()) return holds;
    holding += *holds ? 1 : 0;
  }
  if (negates) return holding == 0;
  return call.name == "Fn::And" ? holding == conditions.size() : holding > 0;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-rules.html
absl::StatusOr<bool> Evaluation::CompareLists(const FunctionCall& call,
                                              const Json::Value& at) {
  absl::Status shape = NeedArguments(
      *call.argument, 2, at, absl::StrCat(call.name, " needs two arguments"));
  if (!shape.ok()) return shape;
  absl::StatusOr<std::vector<Json::Value>> first = List((*call.argument)[0]);
  if (!first.ok()) return first.status();
  const auto has = [](const std::vector<Json::Value>& list,
                      const Json::Value& wanted) {
    return std::any_of(list.begin(), list.end(), [&](const Json::Value& item) {
      return Same(item, wanted);
    });
  };
  if (call.name == "Fn::EachMemberIn") {
    absl::StatusOr<std::vector<Json::Value>> second = List((*call.argument)[1]);
    if (!second.ok()) return second.status();
    return std::all_of(
        first->begin(), first->end(),
        [&](const Json::Value& item) { return has(*second, item); });
  }
  absl::StatusOr<std::string> text = Text((*call.argument)[1]);
  if (!text.ok()) return text.status();
  const Json::Value wanted(*text);
  if (call.name == "Fn::Contains") return has(*first, wanted);
  return std::all_of(
      first->begin(), first->end(),
      [&](const Json::Value& item) { return Same(item, wanted); });
}

}  // namespace byoshin::local::cloudformation
