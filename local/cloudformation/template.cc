#include "local/cloudformation/template.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/limits.h"
#include "local/cloudformation/mistakes.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::cloudformation {
namespace {

bool IsLogicalId(absl::string_view id) {
  return !id.empty() && id.size() <= kMaxNameLength &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c));
         });
}

// For a single use.
class TemplateParser {
 public:
  explicit TemplateParser(absl::string_view text) {
    template_.text = std::string(text);
  }

  absl::StatusOr<Template> Parse() {
    if (template_.text.size() > kMaxTemplateBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("the template has ", template_.text.size(),
                       " bytes; at most ", kMaxTemplateBytes, " are allowed"));
    }
    absl::StatusOr<Json::Value> root = json::ParseValue(template_.text);
    if (!root.ok()) return NotJson(root.status());
    template_.root = std::make_shared<const Json::Value>(*std::move(root));
    if (!template_.root->isObject()) {
      return absl::InvalidArgumentError("the template must be a JSON object");
    }
    RefuseNulls(*template_.root, "");
    ParseSections();
    if (absl::Status status = mistakes_.ToStatus(); !status.ok()) return status;
    return std::move(template_);
  }

 private:
  absl::Status NotJson(const absl::Status& status) const {
    const absl::string_view text =
        absl::StripLeadingAsciiWhitespace(template_.text);
    if (text.empty()) {
      return absl::InvalidArgumentError("the template is empty");
    }
    if (text[0] != '{' && absl::StrContains(text, ":")) {
      return absl::InvalidArgumentError(
          "the template is not JSON and looks like YAML, which the local cloud "
          "does not read; convert it, for example with `rain fmt --json "
          "FILE`");
    }
    return absl::InvalidArgumentError(
        absl::StrCat("the template is not JSON: ", status.message()));
  }

  void Mistake(const Json::Value& at, absl::string_view where,
               absl::string_view what) {
    if (mistakes_.full()) return;
    mistakes_.Add(
        absl::StrCat("line ", template_.Line(at), ": ", where, ": ", what));
  }

  void RefuseNulls(const Json::Value& value, const std::string& where) {
    if (mistakes_.full()) return;
    if (value.isNull()) {
      Mistake(value, where, "null values are not allowed in templates");
    } else if (value.isObject()) {
      for (const std::string& name : value.getMemberNames()) {
        RefuseNulls(value[name],
                    where.empty() ? name : absl::StrCat(where, ".", name));
      }
    } else if (value.isArray()) {
      for (const Json::Value& element : value) {
        RefuseNulls(element, absl::StrCat(where, "[]"));
      }
    }
  }

  // Reports members of `object` that are not among the known ones.
  void CheckMembers(const Json::Value& object, const std::string& where,
                    const std::set<std::string>& known) {
    for (const std::string& name : object.getMemberNames()) {
      if (known.count(name) != 0) continue;
      Mistake(object[name], where,
              absl::StrCat(name, " is not known or not supported; known are ",
                           absl::StrJoin(known, ", ")));
    }
  }

  void ParseSections() {
    const Json::Value& root = *template_.root;
    CheckMembers(
        root, "template",
        {"AWSTemplateFormatVersion", "Conditions", "Description", "Mappings",
         "Metadata", "Outputs", "Parameters", "Resources", "Rules"});
    if (root.isMember("AWSTemplateFormatVersion") &&
        root["AWSTemplateFormatVersion"] != Json::Value("2010-09-09")) {
      Mistake(root["AWSTemplateFormatVersion"], "AWSTemplateFormatVersion",
              "must be \"2010-09-09\"");
    }
    template_.description = Text(root, "Description", "template");
    if (template_.description.size() > kMaxDescriptionBytes) {
      Mistake(root["Description"], "Description",
              absl::StrCat("has more than ", kMaxDescriptionBytes, " bytes"));
    }
    if (root.isMember("Metadata") && !root["Metadata"].isObject()) {
      Mistake(root["Metadata"], "Metadata", "must be an object");
    }
    ParseSection("Parameters", kMaxParameters, template_.parameters);
    ParseSection("Rules", kNoLimit, template_.rules);
    ParseSection("Conditions", kNoLimit, template_.conditions);
    ParseSection("Mappings", kMaxMappings, template_.mappings);
    for (const auto& [id, source] : template_.mappings) {
      ParseMapping(absl::StrCat("Mappings.", id), *source);
    }
    std::map<std::string, const Json::Value*> resources;
    ParseSection("Resources", kMaxResources, resources);
    if (!root.isMember("Resources") ||
        root["Resources"] == Json::Value(Json::objectValue)) {
      Mistake(root, "Resources", "at least one resource must be declared");
    }
    for (const auto& [id, source] : resources) ParseResource(id, *source);
    std::map<std::string, const Json::Value*> outputs;
    ParseSection("Outputs", kMaxOutputs, outputs);
    for (const auto& [id, source] : outputs) ParseOutput(id, *source);
    for (const auto& [id, source] : template_.parameters) {
      if (template_.resources.count(id) != 0) {
        Mistake(*source, absl::StrCat("Parameters.", id),
                "a resource has the same name");
      }
    }
  }

  void ParseSection(const std::string& name, std::size_t max,
                    std::map<std::string, const Json::Value*>& out) {
    const Json::Value& root = *template_.root;
    if (!root.isMember(name)) return;
    const Json::Value& section = root[name];
    if (!section.isObject()) {
      Mistake(section, name, "must be an object");
      return;
    }
    if (section.size() > max) {
      Mistake(section, name,
              absl::StrCat("has ", section.size(), " entries; at most ", max,
                           " are allowed"));
      return;
    }
    for (const std::string& id : section.getMemberNames()) {
      const Json::Value& item = section[id];
      if (!IsLogicalId(id)) {
        Mistake(item, absl::StrCat(name, ".", id),
                absl::StrCat("names must be of letters and digits, at most ",
                             kMaxNameLength));
      } else if (!item.isObject()) {
        Mistake(item, absl::StrCat(name, ".", id), "must be an object");
      } else {
        out[id] = &item;
      }
    }
  }

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/mappings-section-structure.html
  void ParseMapping(const std::string& where, const Json::Value& mapping) {
    if (mapping.size() > kMaxMappingAttributes) {
      Mistake(mapping, where,
              absl::StrCat("has more than ", kMaxMappingAttributes, " keys"));
    }
    for (const std::string& key : mapping.getMemberNames()) {
      const std::string inner = absl::StrCat(where, ".", key);
      if (!mapping[key].isObject()) {
        Mistake(mapping[key], inner, "must be an object");
        continue;
      }
      for (const std::string& name : mapping[key].getMemberNames()) {
        const Json::Value& value = mapping[key][name];
        const bool valid = IsScalar(value) ||
                           (value.isArray() &&
                            std::all_of(value.begin(), value.end(), IsScalar));
        if (!valid) {
          Mistake(value, absl::StrCat(inner, ".", name),
                  "must be a text or a list of texts");
        }
      }
    }
  }

  std::string Text(const Json::Value& object, const std::string& member,
                   const std::string& where) {
    if (!object.isMember(member)) return "";
    if (object[member].isString()) return object[member].asString();
    Mistake(object[member], where, absl::StrCat(member, " must be a text"));
    return "";
  }

  void ParseResource(const std::string& id, const Json::Value& source) {
    const std::string where = absl::StrCat("Resources.", id);
    CheckMembers(source, where,
                 {"Condition", "DeletionPolicy", "DependsOn", "Metadata",
                  "Properties", "Type", "UpdateReplacePolicy"});
    TemplateResource resource;
    resource.source = &source;
    resource.type = Text(source, "Type", where);
    if (!source.isMember("Type")) Mistake(source, where, "Type is missing");
    resource.condition = Text(source, "Condition", where);
    resource.deletion_policy = Policy(source, "DeletionPolicy", where);
    resource.update_replace_policy =
        Policy(source, "UpdateReplacePolicy", where);
    static const Json::Value& no_properties =
        *new Json::Value(Json::objectValue);
    resource.properties =
        source.isMember("Properties") ? &source["Properties"] : &no_properties;
    if (!resource.properties->isObject()) {
      Mistake(*resource.properties, where, "Properties must be an object");
    }
    ParseDependsOn(source, where, resource.depends_on);
    template_.resources[id] = std::move(resource);
  }

  void ParseDependsOn(const Json::Value& source, const std::string& where,
                      std::vector<std::string>& out) {
    const Json::Value& depends_on = source["DependsOn"];
    if (depends_on.isString()) {
      out.push_back(depends_on.asString());
      return;
    }
    if (!source.isMember("DependsOn")) return;
    const bool texts =
        depends_on.isArray() &&
        std::all_of(depends_on.begin(), depends_on.end(),
                    [](const Json::Value& v) { return v.isString(); });
    if (!texts) {
      Mistake(depends_on, where, "DependsOn must be a text or a list of texts");
      return;
    }
    for (const Json::Value& id : depends_on) out.push_back(id.asString());
  }

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
  std::optional<RemovalPolicy> Policy(const Json::Value& source,
                                      const std::string& member,
                                      const std::string& where) {
    const std::string policy = Text(source, member, where);
    if (policy == "Retain" || policy == "RetainExceptOnCreate") {
      return RemovalPolicy::kRetain;
    }
    if (policy.empty()) return std::nullopt;
    if (policy != "Delete") {
      Mistake(source[member], where,
              absl::StrCat(member,
                           " must be Delete, Retain or RetainExceptOnCreate: "
                           "the local cloud takes no snapshots"));
    }
    return RemovalPolicy::kDelete;
  }

  void ParseOutput(const std::string& id, const Json::Value& source) {
    const std::string where = absl::StrCat("Outputs.", id);
    CheckMembers(source, where,
                 {"Condition", "Description", "Export", "Value"});
    TemplateOutput output;
    output.condition = Text(source, "Condition", where);
    output.description = Text(source, "Description", where);
    if (source.isMember("Value")) {
      output.value = &source["Value"];
    } else {
      Mistake(source, where, "Value is missing");
    }
    if (source.isMember("Export")) {
      const Json::Value& exported = source["Export"];
      if (exported.isObject() && exported.size() == 1 &&
          exported.isMember("Name")) {
        output.export_name = &exported["Name"];
      } else {
        Mistake(exported, where, "Export must have a Name and nothing else");
      }
    }
    template_.outputs[id] = std::move(output);
  }

  static constexpr std::size_t kNoLimit =
      std::numeric_limits<std::size_t>::max();

  Template template_;
  Mistakes mistakes_;
};

}  // namespace

int Template::Line(const Json::Value& value) const {
  return json::LineAt(text, value.getOffsetStart());
}

absl::StatusOr<Template> ParseTemplate(absl::string_view text) {
  return TemplateParser(text).Parse();
}

}  // namespace byoshin::local::cloudformation
