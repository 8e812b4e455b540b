#include "local/cloudformation/functions.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::local::cloudformation {
namespace {

class Walker {
 public:
  Walker(FunctionContext context, ReferenceVisitor& visitor)
      : context_(context), visitor_(visitor) {}

  void Visit(const Json::Value& value) {
    if (value.isArray()) {
      for (const Json::Value& element : value) Visit(element);
      return;
    }
    if (!value.isObject()) return;
    if (std::optional<FunctionCall> call = CallIn(value, context_)) {
      VisitCall(*call, value);
      return;
    }
    for (const std::string& name : value.getMemberNames()) {
      if (absl::StartsWith(name, "Fn::")) {
        visitor_.OnMistake(absl::StrCat(name, " must stand alone"),
                           value[name]);
      }
      Visit(value[name]);
    }
  }

 private:
  void VisitCall(const FunctionCall& call, const Json::Value& at) {
    const Json::Value& argument = *call.argument;
    if (!IsKnownFunction(call.name, context_)) {
      visitor_.OnMistake(
          absl::StrCat("function ", call.name, " is not supported here"), at);
    } else if (call.name == "Ref" || call.name == "Condition") {
      if (!argument.isString()) {
        visitor_.OnMistake(absl::StrCat(call.name, " must be a name"), at);
      } else if (call.name == "Ref") {
        visitor_.OnRef(argument.asString(), at);
      } else {
        visitor_.OnCondition(argument.asString(), at);
      }
    } else if (call.name == "Fn::GetAtt") {
      absl::StatusOr<Attribute> attribute = ParseGetAtt(argument);
      if (attribute.ok()) {
        visitor_.OnAttribute(*attribute, at);
      } else {
        visitor_.OnMistake(std::string(attribute.status().message()), at);
      }
    } else if (call.name == "Fn::Sub") {
      VisitSub(argument, at);
    } else if (call.name == "Fn::If") {
      VisitIf(argument, at);
    } else {
      if (call.name == "Fn::FindInMap" && argument.isArray() &&
          argument.size() > 0 && argument[0].isString()) {
        visitor_.OnMapping(argument[0].asString(), at);
      }
      Visit(argument);
    }
  }

  void VisitSub(const Json::Value& argument, const Json::Value& at) {
    const bool pair = argument.isArray() && argument.size() == 2 &&
                      argument[0].isString() && argument[1].isObject();
    if (!argument.isString() && !pair) {
      visitor_.OnMistake("Fn::Sub needs a text, or a text and an object", at);
      return;
    }
    const Json::Value no_variables(Json::objectValue);
    const Json::Value& variables = pair ? argument[1] : no_variables;
    absl::StatusOr<std::vector<SubPart>> parts =
        ParseSubText((pair ? argument[0] : argument).asString());
    if (!parts.ok()) {
      visitor_.OnMistake(std::string(parts.status().message()), at);
      return;
    }
    for (const SubPart& part : *parts) {
      if (part.kind == SubPart::Kind::kText || variables.isMember(part.text)) {
        continue;
      }
      const std::pair<std::string, std::string> halves =
          absl::StrSplit(part.text, absl::MaxSplits('.', 1));
      if (absl::StrContains(part.text, ".")) {
        visitor_.OnAttribute({halves.first, halves.second}, at);
      } else {
        visitor_.OnRef(part.text, at);
      }
    }
    if (pair) {
      for (const Json::Value& variable : variables) Visit(variable);
    }
  }

  void VisitIf(const Json::Value& argument, const Json::Value& at) {
    if (!argument.isArray() || argument.size() != 3 ||
        !argument[0].isString()) {
      visitor_.OnMistake("Fn::If needs the name of a condition and two values",
                         at);
      return;
    }
    const std::string condition = argument[0].asString();
    visitor_.OnCondition(condition, at);
    using Branches = ReferenceVisitor::Branches;
    const Branches branches = visitor_.BranchesOf(condition);
    if (branches != Branches::kIfFalse) Visit(argument[1]);
    if (branches != Branches::kIfTrue) Visit(argument[2]);
  }

  const FunctionContext context_;
  ReferenceVisitor& visitor_;
};

}  // namespace

std::optional<FunctionCall> CallIn(const Json::Value& value,
                                   FunctionContext context) {
  if (!value.isObject() || value.size() != 1) return std::nullopt;
  const auto member = value.begin();
  const std::string name = member.name();
  // Policies have conditions, too; this form is only a reference inside a
  // condition.
  const bool is_call =
      absl::StartsWith(name, "Fn::") || name == "Ref" ||
      (name == "Condition" && context != FunctionContext::kProperties);
  if (!is_call) return std::nullopt;
  return FunctionCall{.name = name, .argument = &*member};
}

bool IsKnownFunction(absl::string_view name, FunctionContext context) {
  static const auto& values = *new std::set<std::string>{
      "Fn::FindInMap", "Fn::If",  "Fn::Join", "Fn::Select",
      "Fn::Split",     "Fn::Sub", "Ref"};
  static const auto& truths = *new std::set<std::string>{
      "Condition", "Fn::And", "Fn::Equals", "Fn::Not", "Fn::Or"};
  static const auto& of_rules = *new std::set<std::string>{
      "Fn::Contains", "Fn::EachMemberEquals", "Fn::EachMemberIn"};
  const std::string key(name);
  if (values.count(key) != 0) return true;
  if (context == FunctionContext::kProperties) return name == "Fn::GetAtt";
  return truths.count(key) != 0 ||
         (context == FunctionContext::kRules && of_rules.count(key) != 0);
}

absl::StatusOr<Attribute> ParseGetAtt(const Json::Value& argument) {
  if (argument.isArray() && argument.size() == 2 && argument[0].isString() &&
      argument[1].isString()) {
    return Attribute{argument[0].asString(), argument[1].asString()};
  }
  if (argument.isString() && absl::StrContains(argument.asString(), ".")) {
    const std::pair<std::string, std::string> halves =
        absl::StrSplit(argument.asString(), absl::MaxSplits('.', 1));
    return Attribute{halves.first, halves.second};
  }
  return absl::InvalidArgumentError(
      "Fn::GetAtt needs the name of a resource and of an attribute");
}

absl::StatusOr<std::vector<SubPart>> ParseSubText(absl::string_view text) {
  std::vector<SubPart> parts;
  const auto append_text = [&parts](absl::string_view piece) {
    if (piece.empty()) return;
    if (parts.empty() || parts.back().kind != SubPart::Kind::kText) {
      parts.push_back({.kind = SubPart::Kind::kText});
    }
    absl::StrAppend(&parts.back().text, piece);
  };
  while (!text.empty()) {
    const std::size_t begin = text.find("${");
    append_text(text.substr(0, begin));
    if (begin == absl::string_view::npos) break;
    text.remove_prefix(begin + 2);
    const std::size_t end = text.find('}');
    if (end == absl::string_view::npos) {
      return absl::InvalidArgumentError("Fn::Sub: a \"${\" without a \"}\"");
    }
    absl::string_view name = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (absl::ConsumePrefix(&name, "!")) {
      append_text(absl::StrCat("${", name, "}"));
    } else if (name.empty()) {
      return absl::InvalidArgumentError("Fn::Sub: a \"${}\" without a name");
    } else {
      parts.push_back(
          {.kind = SubPart::Kind::kVariable, .text = std::string(name)});
    }
  }
  return parts;
}

void VisitReferences(const Json::Value& value, FunctionContext context,
                     ReferenceVisitor& visitor) {
  Walker(context, visitor).Visit(value);
}

}  // namespace byoshin::local::cloudformation
