#include "infra/cloudformation/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/references.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"

namespace byoshin::infra::cloudformation {
namespace {

bool IsPseudoParameter(const std::string& name) {
  static const auto* const kNames = new std::set<std::string>{
      "AWS::AccountId", "AWS::NotificationARNs", "AWS::NoValue",
      "AWS::Partition", "AWS::Region",           "AWS::StackId",
      "AWS::StackName", "AWS::URLSuffix"};
  return kNames->count(name) > 0;
}

bool IsLogicalId(const std::string& id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c));
  });
}

class Checker {
 public:
  explicit Checker(const Template& stack) : stack_(stack) {}

  absl::Status Run() {
    CollectIds();
    CheckConditions();
    CheckResources();
    CheckOutputs();
    CheckCircles();
    if (mistakes_.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("the template has ", mistakes_.size(),
                     mistakes_.size() == 1 ? " mistake:" : " mistakes:", "\n  ",
                     absl::StrJoin(mistakes_, "\n  ")));
  }

 private:
  using Ids = std::set<std::string>;

  void Report(absl::string_view place, absl::string_view what) {
    mistakes_.push_back(absl::StrCat(place, ": ", what));
  }

  void AddId(absl::string_view section, const std::string& id, Ids& ids) {
    const std::string place = absl::StrCat(section, "/", id);
    if (!IsLogicalId(id)) Report(place, "an id has only letters and digits");
    if (!ids.insert(id).second) Report(place, "declared twice");
  }

  void CollectIds() {
    for (const auto& [id, parameter] : stack_.parameters()) {
      AddId("Parameters", id, parameters_);
      if (!parameter.allowed_pattern.empty() && parameter.constraint.empty()) {
        Report(absl::StrCat("Parameters/", id),
               "a pattern needs a constraint that says what it wants");
      }
    }
    for (const auto& entry : stack_.conditions()) {
      AddId("Conditions", entry.first, conditions_);
    }
    Ids rules, outputs;
    for (const auto& entry : stack_.assertions()) {
      AddId("Rules", entry.first, rules);
    }
    for (const auto& entry : stack_.outputs()) {
      AddId("Outputs", entry.first, outputs);
    }
    Ids resources;
    for (const auto& entry : stack_.resources()) {
      AddId("Resources", entry.id, resources);
      types_.emplace(entry.id, entry.type);
      if (parameters_.count(entry.id) > 0) {
        Report(absl::StrCat("Resources/", entry.id),
               "a parameter has the same id");
      }
    }
  }

  void CheckConditions() {
    for (const auto& [id, condition] : stack_.conditions()) {
      CheckOverParameters(absl::StrCat("Conditions/", id), condition);
    }
    for (const auto& [id, rule] : stack_.assertions()) {
      const std::string place = absl::StrCat("Rules/", id);
      if (!rule.when.absent()) CheckOverParameters(place, rule.when);
      CheckOverParameters(place, rule.assert_that);
    }
  }

  // Conditions and rules are evaluated before there is any resource.
  void CheckOverParameters(const std::string& place, const Value& value) {
    for (const Reference& reference : CheckReferences(place, value)) {
      if (NamesResource(reference)) {
        Report(reference.place, absl::StrCat("\"", reference.id,
                                             "\" is a resource, which a "
                                             "condition can't refer to"));
      }
    }
  }

  void CheckResources() {
    for (const auto& entry : stack_.resources()) {
      const std::string place = absl::StrCat("Resources/", entry.id);
      std::set<std::string>& needs = needs_[entry.id];
      for (const std::string& missing : entry.properties.missing()) {
        Report(place, absl::StrCat("the property ", missing,
                                   " is required, but missing"));
      }
      CheckCondition(absl::StrCat(place, "/Condition"),
                     entry.options.condition);
      for (const std::string& id : entry.options.depends_on) {
        if (types_.count(id) == 0) {
          Report(absl::StrCat(place, "/DependsOn"),
                 absl::StrCat("\"", id, "\" is no resource of the template"));
        }
        needs.insert(id);
      }
      for (const auto& [name, value] : entry.properties.members()) {
        for (const Reference& reference : CheckReferences(
                 absl::StrCat(place, "/Properties/", name), value)) {
          if (NamesResource(reference)) needs.insert(reference.id);
        }
      }
    }
  }

  void CheckOutputs() {
    for (const auto& [id, output] : stack_.outputs()) {
      const std::string place = absl::StrCat("Outputs/", id);
      CheckCondition(place, output.condition);
      CheckReferences(place, output.value);
    }
  }

  bool NamesResource(const Reference& reference) const {
    return (reference.kind == Reference::Kind::kRef ||
            reference.kind == Reference::Kind::kAttribute) &&
           types_.count(reference.id) > 0;
  }

  void CheckCondition(absl::string_view place, const std::string& name) {
    if (name.empty() || conditions_.count(name) > 0) return;
    Report(place,
           absl::StrCat("\"", name, "\" is no condition of the template"));
  }

  std::vector<Reference> CheckReferences(const std::string& place,
                                         const Value& value) {
    std::vector<Reference> references;
    FindReferences(place, value, references);
    for (const Reference& reference : references) {
      const std::string mistake = MistakeOf(reference);
      if (!mistake.empty()) Report(reference.place, mistake);
    }
    return references;
  }

  // Empty if there is none.
  std::string MistakeOf(const Reference& reference) const {
    const std::string& id = reference.id;
    switch (reference.kind) {
      case Reference::Kind::kMistake:
        return id;
      case Reference::Kind::kCondition:
        if (conditions_.count(id) > 0) return "";
        return absl::StrCat("\"", id, "\" is no condition of the template");
      case Reference::Kind::kRef:
        if (parameters_.count(id) > 0 || types_.count(id) > 0 ||
            IsPseudoParameter(id)) {
          return "";
        }
        return absl::StrCat("\"", id,
                            "\" is neither a parameter nor a resource of the "
                            "template");
      case Reference::Kind::kAttribute:
        break;
    }
    const auto type = types_.find(id);
    if (type == types_.end()) {
      return absl::StrCat("\"", id, "\" is no resource of the template");
    }
    const std::vector<std::string>& known = type->second.attributes;
    if (std::find(known.begin(), known.end(), reference.attribute) !=
        known.end()) {
      return "";
    }
    return absl::StrCat(type->second.name, " has no attribute \"",
                        reference.attribute, "\"; it has ",
                        known.empty() ? "none" : absl::StrJoin(known, ", "));
  }

  void CheckCircles() {
    Ids done;
    for (const auto& entry : stack_.resources()) {
      std::vector<std::string> path;
      Follow(entry.id, path, done);
    }
  }

  // Depth first; `path` is the current path, `done` the resources that lead to
  // no cycle or to a reported one.
  void Follow(const std::string& id, std::vector<std::string>& path,
              Ids& done) {
    const auto again = std::find(path.begin(), path.end(), id);
    if (again != path.end()) {
      std::vector<std::string> circle(again, path.end());
      circle.push_back(id);
      Report(absl::StrCat("Resources/", id),
             absl::StrCat("depends on itself: ",
                          absl::StrJoin(circle, " needs ")));
      return;
    }
    const auto needs = needs_.find(id);
    if (needs == needs_.end() || done.count(id) > 0) return;
    path.push_back(id);
    for (const std::string& next : needs->second) Follow(next, path, done);
    path.pop_back();
    done.insert(id);
  }

  const Template& stack_;
  Ids parameters_;
  Ids conditions_;
  std::map<std::string, ResourceType> types_;
  // Which resources each resource refers to.
  std::map<std::string, std::set<std::string>> needs_;
  std::vector<std::string> mistakes_;
};

}  // namespace

absl::Status Check(const Template& stack) { return Checker(stack).Run(); }

absl::StatusOr<std::string> WriteTemplate(const Template& stack,
                                          Format format) {
  if (absl::Status status = Check(stack); !status.ok()) return status;
  const Value document = stack.ToValue();
  return format == Format::kYaml ? ToYaml(document) : ToJson(document);
}

}  // namespace byoshin::infra::cloudformation
