#include "local/cloudformation/parameters.h"

#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/allowed_pattern.h"
#include "local/cloudformation/limits.h"
#include "local/cloudformation/mistakes.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

bool IsNumber(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) && std::isfinite(number);
}

// The checks of one parameter. One use.
class ParameterChecker {
 public:
  ParameterChecker(const Template& t, std::string name,
                   const Json::Value& declaration, Mistakes& mistakes)
      : template_(t),
        name_(std::move(name)),
        declaration_(declaration),
        mistakes_(mistakes) {}

  // `given` may be null.
  ParameterValue Check(const std::string* given) {
    CheckDeclaration();
    ParameterValue value;
    value.secret = IsTrue("NoEcho");
    if (given != nullptr) {
      value.text = *given;
    } else if (declaration_.isMember("Default")) {
      if (!IsScalar(declaration_["Default"])) {
        Mistake("Default must be a text or a number");
        return value;
      }
      value.text = ScalarText(declaration_["Default"]);
    } else {
      Mistake("has neither a value nor a default");
      return value;
    }
    if (value.text.size() > kMaxParameterValueBytes) {
      Mistake(absl::StrCat("the value has ", value.text.size(),
                           " bytes; at most ", kMaxParameterValueBytes,
                           " are allowed"));
      return value;
    }
    const std::string type = ScalarText(declaration_["Type"]);
    value.is_list = type == "CommaDelimitedList" || type == "List<Number>";
    if (value.is_list && !value.text.empty()) {
      for (absl::string_view item : absl::StrSplit(value.text, ',')) {
        value.items.emplace_back(absl::StripAsciiWhitespace(item));
      }
    }
    const std::vector<std::string> single = {value.text};
    for (const std::string& item : value.is_list ? value.items : single) {
      CheckItem(type, item, value.secret);
    }
    return value;
  }

 private:
  void Mistake(absl::string_view what) {
    if (mistakes_.full()) return;
    mistakes_.Add(absl::StrCat("line ", template_.Line(declaration_),
                               ": parameter ", name_, ": ", what));
  }

  bool IsTrue(const std::string& member) const {
    return declaration_[member] == Json::Value(true) ||
           declaration_[member] == Json::Value("true");
  }

  void CheckDeclaration() {
    static const auto& types = *new std::set<std::string>{
        "CommaDelimitedList", "List<Number>", "Number", "String"};
    static const auto& members = *new std::set<std::string>{
        "AllowedPattern", "AllowedValues", "ConstraintDescription",
        "Default",        "Description",   "MaxLength",
        "MaxValue",       "MinLength",     "MinValue",
        "NoEcho",         "Type"};
    if (types.count(ScalarText(declaration_["Type"])) == 0) {
      Mistake(absl::StrCat("Type must be one of ", absl::StrJoin(types, ", "),
                           ", not ", json::Describe(declaration_["Type"])));
    }
    for (const std::string& member : declaration_.getMemberNames()) {
      if (members.count(member) == 0) {
        Mistake(absl::StrCat(member, " is not known or not supported"));
      }
    }
  }

  // Uses the template's ConstraintDescription, if there is one.
  void Refuse(const std::string& item, bool secret, absl::string_view rule) {
    const Json::Value& description = declaration_["ConstraintDescription"];
    Mistake(absl::StrCat(
        secret ? "the value" : json::Describe(Json::Value(item)),
        " is not allowed: must be ",
        description.isString() ? description.asString() : std::string(rule)));
  }

  void CheckItem(absl::string_view type, const std::string& item, bool secret) {
    if ((type == "Number" || type == "List<Number>") && !IsNumber(item)) {
      Refuse(item, secret, "a number");
      return;
    }
    CheckAllowedValues(item, secret);
    CheckPattern(item, secret);
    CheckLimits(item, secret);
  }

  void CheckAllowedValues(const std::string& item, bool secret) {
    if (!declaration_.isMember("AllowedValues")) return;
    const Json::Value& allowed = declaration_["AllowedValues"];
    std::vector<std::string> texts;
    if (!allowed.isArray()) {
      Mistake("AllowedValues must be a list");
      return;
    }
    for (const Json::Value& value : allowed) texts.push_back(ScalarText(value));
    if (std::find(texts.begin(), texts.end(), item) == texts.end()) {
      Refuse(item, secret, absl::StrCat("one of ", absl::StrJoin(texts, ", ")));
    }
  }

  void CheckPattern(const std::string& item, bool secret) {
    if (!declaration_.isMember("AllowedPattern")) return;
    const std::string expression = ScalarText(declaration_["AllowedPattern"]);
    const absl::StatusOr<bool> matches =
        MatchesAllowedPattern(expression, item);
    if (!matches.ok()) {
      Mistake(absl::StrCat("AllowedPattern: ", matches.status().message()));
    } else if (!*matches) {
      Refuse(item, secret, absl::StrCat("of the pattern ", expression));
    }
  }

  void CheckLimits(const std::string& item, bool secret) {
    double value = 0;
    const bool number = absl::SimpleAtod(item, &value);
    const auto length = static_cast<double>(item.size());
    CheckLimit("MinLength", secret, item,
               [=](double limit) { return length >= limit; });
    CheckLimit("MaxLength", secret, item,
               [=](double limit) { return length <= limit; });
    CheckLimit("MinValue", secret, item,
               [=](double limit) { return number && value >= limit; });
    CheckLimit("MaxValue", secret, item,
               [=](double limit) { return number && value <= limit; });
  }

  template <typename Holds>
  void CheckLimit(const std::string& member, bool secret,
                  const std::string& item, Holds holds) {
    if (!declaration_.isMember(member)) return;
    double limit = 0;
    const std::string text = ScalarText(declaration_[member]);
    if (!absl::SimpleAtod(text, &limit)) {
      Mistake(absl::StrCat(member, " must be a number"));
    } else if (!holds(limit)) {
      Refuse(item, secret, absl::StrCat("within its ", member, " of ", text));
    }
  }

  const Template& template_;
  const std::string name_;
  const Json::Value& declaration_;
  Mistakes& mistakes_;
};

}  // namespace

absl::StatusOr<ParameterValues> ResolveParameters(
    const Template& t, const std::map<std::string, std::string>& given) {
  Mistakes mistakes;
  ParameterValues values;
  for (const auto& [name, value] : given) {
    if (t.parameters.count(name) == 0) {
      mistakes.Add(absl::StrCat("the template has no parameter ", name));
    }
  }
  for (const auto& [name, declaration] : t.parameters) {
    const auto found = given.find(name);
    values[name] = ParameterChecker(t, name, *declaration, mistakes)
                       .Check(found == given.end() ? nullptr : &found->second);
  }
  if (absl::Status status = mistakes.ToStatus(); !status.ok()) return status;
  return values;
}

}  // namespace byoshin::local::cloudformation
