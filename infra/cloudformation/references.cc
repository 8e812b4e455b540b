#include "infra/cloudformation/references.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {
namespace {

using Kind = Reference::Kind;

// "Queue" or "Queue.Arn", as Sub writes them.
Reference FromSubVariable(const std::string& place, const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return {Kind::kRef, place, name};
  return {Kind::kAttribute, place, name.substr(0, dot), name.substr(dot + 1)};
}

void FindInSub(const std::string& place, const Value& argument,
               std::vector<Reference>& references) {
  const auto* parts = argument.IfIs<Value::Items>();
  const std::string& text =
      (parts == nullptr ? argument : parts->front()).As<std::string>();
  std::set<std::string> unused;
  if (parts != nullptr) {
    for (const auto& [name, value] : parts->back().As<Value::Members>()) {
      unused.insert(name);
      FindReferences(absl::StrCat(place, "/", name), value, references);
    }
  }
  const std::set<std::string> own = unused;
  std::vector<std::string> names;
  if (!FindSubVariables(text, names)) {
    references.push_back({Kind::kMistake, place, "\"${\" without an end"});
  }
  for (const std::string& name : names) {
    if (own.count(name) > 0) {
      unused.erase(name);
    } else {
      references.push_back(FromSubVariable(place, name));
    }
  }
  for (const std::string& name : unused) {
    references.push_back(
        {Kind::kMistake, place,
         absl::StrCat("the text does not use the variable \"", name, "\"")});
  }
}

void FindInFunction(const std::string& place, const Value::Function& function,
                    std::vector<Reference>& references) {
  const std::string here = absl::StrCat(place, "/", function.name);
  const Value& argument = function.argument.front();
  if (function.name == "Ref") {
    references.push_back({Kind::kRef, here, argument.As<std::string>()});
  } else if (function.name == "Condition") {
    references.push_back({Kind::kCondition, here, argument.As<std::string>()});
  } else if (function.name == "Fn::Sub") {
    FindInSub(here, argument, references);
  } else if (function.name == "Fn::GetAtt") {
    const Value::Items& parts = argument.As<Value::Items>();
    references.push_back({Kind::kAttribute, here, parts[0].As<std::string>(),
                          parts[1].As<std::string>()});
  } else {
    if (function.name == "Fn::If") {
      const Value::Items& parts = argument.As<Value::Items>();
      references.push_back(
          {Kind::kCondition, here, parts[0].As<std::string>()});
    }
    FindReferences(here, argument, references);
  }
}

}  // namespace

void FindReferences(const std::string& place, const Value& value,
                    std::vector<Reference>& references) {
  if (value.absent()) {
    references.push_back({Kind::kMistake, place, "there is no value"});
  } else if (const auto* function = value.IfIs<Value::Function>()) {
    FindInFunction(place, *function, references);
  } else if (const auto* members = value.IfIs<Value::Members>()) {
    std::set<std::string> names;
    for (const auto& [name, member] : *members) {
      const std::string here = absl::StrCat(place, "/", name);
      if (!names.insert(name).second) {
        references.push_back({Kind::kMistake, here, "declared twice"});
      }
      FindReferences(here, member, references);
    }
  } else if (const auto* items = value.IfIs<Value::Items>()) {
    for (size_t i = 0; i < items->size(); ++i) {
      FindReferences(absl::StrCat(place, "/", i), (*items)[i], references);
    }
  }
}

}  // namespace byoshin::infra::cloudformation
