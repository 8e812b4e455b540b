#include "local/cloudformation/stack_xml.h"

#include <json/json.h>

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/gateway/query_api.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr char kIamTypes[] = "AWS::IAM::";

// Drift is not detected.
void WriteDrift(absl::string_view member, XmlWriter& xml) {
  xml.Open("DriftInformation");
  xml.Element(member, "NOT_CHECKED");
  xml.Close("DriftInformation");
}

std::string DescriptionOf(const Stack& stack) {
  const absl::StatusOr<Template> t = ParseTemplate(stack.template_text);
  return t.ok() ? t->description : "";
}

void WriteTimes(const Stack& stack, XmlWriter& xml) {
  TimeElement(xml, "CreationTime", stack.created);
  // Only an update counts.
  if (absl::StartsWith(stack.status, "UPDATE_")) {
    TimeElement(xml, "LastUpdatedTime", stack.updated);
  }
}

void WriteStatus(const Stack& stack, XmlWriter& xml) {
  xml.Element("StackStatus", stack.status);
  ElementUnlessEmpty(xml, "StackStatusReason", stack.reason);
}

void WriteOutput(const std::string& key, const StackOutput& output,
                 XmlWriter& xml) {
  xml.Open("member");
  xml.Element("OutputKey", key);
  xml.Element("OutputValue", output.value);
  ElementUnlessEmpty(xml, "Description", output.description);
  ElementUnlessEmpty(xml, "ExportName", output.export_name);
  xml.Close("member");
}

// The elements of a resource that all answers share.
void WriteIdentity(const StackResource& resource, XmlWriter& xml) {
  xml.Element("LogicalResourceId", resource.logical_id);
  ElementUnlessEmpty(xml, "PhysicalResourceId", resource.state.physical_id);
  xml.Element("ResourceType", resource.type);
  xml.Element("ResourceStatus", resource.status);
  WriteDrift("StackResourceDriftStatus", xml);
}

void WriteTemplateParameter(const std::string& name, const Json::Value& source,
                            XmlWriter& xml) {
  xml.Open("member");
  xml.Element("ParameterKey", name);
  if (source.isMember("Default")) {
    xml.Element("DefaultValue", ScalarText(source["Default"]));
  }
  const bool secret =
      source.isMember("NoEcho") && ScalarText(source["NoEcho"]) == "true";
  xml.Element("NoEcho", secret ? "true" : "false");
  if (source.isMember("Description")) {
    xml.Element("Description", ScalarText(source["Description"]));
  }
  xml.Close("member");
}

}  // namespace

void WriteStackMember(const Stack& stack, XmlWriter& xml) {
  xml.Open("member");
  xml.Element("StackId", stack.id);
  xml.Element("StackName", stack.name);
  ElementUnlessEmpty(xml, "Description", DescriptionOf(stack));
  xml.Open("Parameters");
  for (const auto& [name, value] : stack.parameters) {
    xml.Open("member");
    xml.Element("ParameterKey", name);
    xml.Element("ParameterValue", value);
    xml.Close("member");
  }
  xml.Close("Parameters");
  WriteTimes(stack, xml);
  WriteStatus(stack, xml);
  xml.Element("DisableRollback", "false");
  xml.Element("NotificationARNs", "");
  xml.Element("Capabilities", "");
  xml.Open("Outputs");
  for (const auto& [key, output] : stack.outputs) WriteOutput(key, output, xml);
  xml.Close("Outputs");
  xml.Element("Tags", "");
  xml.Element("EnableTerminationProtection", "false");
  WriteDrift("StackDriftStatus", xml);
  xml.Close("member");
}

void WriteSummaryMember(const Stack& stack, XmlWriter& xml) {
  xml.Open("member");
  xml.Element("StackId", stack.id);
  xml.Element("StackName", stack.name);
  ElementUnlessEmpty(xml, "TemplateDescription", DescriptionOf(stack));
  WriteTimes(stack, xml);
  WriteStatus(stack, xml);
  WriteDrift("StackDriftStatus", xml);
  xml.Close("member");
}

void WriteResourceMember(const Stack& stack, const StackResource& resource,
                         XmlWriter& xml) {
  xml.Open("member");
  xml.Element("StackName", stack.name);
  xml.Element("StackId", stack.id);
  WriteIdentity(resource, xml);
  TimeElement(xml, "Timestamp", resource.changed);
  xml.Close("member");
}

void WriteResourceSummaryMember(const StackResource& resource, XmlWriter& xml) {
  xml.Open("member");
  WriteIdentity(resource, xml);
  TimeElement(xml, "LastUpdatedTimestamp", resource.changed);
  xml.Close("member");
}

void WriteResourceDetail(const Stack& stack, const StackResource& resource,
                         XmlWriter& xml) {
  xml.Open("StackResourceDetail");
  xml.Element("StackName", stack.name);
  xml.Element("StackId", stack.id);
  WriteIdentity(resource, xml);
  TimeElement(xml, "LastUpdatedTimestamp", resource.changed);
  xml.Close("StackResourceDetail");
}

void WriteEventMember(const Stack& stack, const StackEvent& event,
                      XmlWriter& xml) {
  xml.Open("member");
  xml.Element("StackId", stack.id);
  xml.Element("StackName", stack.name);
  xml.Element("EventId", absl::StrCat(event.logical_id, "-", event.status, "-",
                                      event.number));
  xml.Element("LogicalResourceId", event.logical_id);
  ElementUnlessEmpty(xml, "PhysicalResourceId", event.physical_id);
  xml.Element("ResourceType", event.type);
  TimeElement(xml, "Timestamp", event.time);
  xml.Element("ResourceStatus", event.status);
  ElementUnlessEmpty(xml, "ResourceStatusReason", event.reason);
  xml.Close("member");
}

void WriteExportMember(const Stack& stack, const StackOutput& output,
                       XmlWriter& xml) {
  xml.Open("member");
  xml.Element("ExportingStackId", stack.id);
  xml.Element("Name", output.export_name);
  xml.Element("Value", output.value);
  xml.Close("member");
}

void WriteTemplateSummary(const Template& t, XmlWriter& xml) {
  ElementUnlessEmpty(xml, "Description", t.description);
  xml.Open("Parameters");
  for (const auto& [name, source] : t.parameters) {
    WriteTemplateParameter(name, *source, xml);
  }
  xml.Close("Parameters");
  std::set<std::string> types;
  bool named = false;
  for (const auto& [id, resource] : t.resources) {
    if (!absl::StartsWith(resource.type, kIamTypes)) continue;
    types.insert(resource.type);
    named = named || resource.properties->isMember("RoleName");
  }
  if (types.empty()) return;
  xml.Open("Capabilities");
  xml.Element("member", named ? "CAPABILITY_NAMED_IAM" : "CAPABILITY_IAM");
  xml.Close("Capabilities");
  xml.Element("CapabilitiesReason",
              absl::StrCat("The following resource(s) require capabilities: [",
                           absl::StrJoin(types, ", "), "]"));
}

}  // namespace byoshin::local::cloudformation
