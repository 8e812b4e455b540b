#include "local/cloudformation/service.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_xml.h"
#include "local/cloudformation/template.h"
#include "local/gateway/error.h"
#include "local/gateway/paging.h"
#include "local/gateway/permission.h"
#include "local/gateway/query.h"
#include "local/gateway/query_api.h"
#include "local/gateway/service_traits.h"
#include "local/gateway/xml.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr ServiceTraits kTraits = {
    .name = "cloudformation",
    .target_prefix = "CloudFormation_20100515",
    .xml_namespace = "http://cloudformation.amazonaws.com/doc/2010-05-15/"};

// The page size of CloudFormation's lists.
constexpr std::size_t kPageSize = 100;

struct Request {
  const Deployer& deployer;
  const QueryParameters& parameters;
  // Stacks in other regions are not returned.
  const std::string& region;

  std::string Text(absl::string_view name) const {
    return std::string(parameters.Find(name).value_or(""));
  }
};

using Operation = absl::Status (*)(const Request& request, XmlWriter& xml);

absl::Status ValidationError(absl::string_view message) {
  return ServiceError(
      {.code = "ValidationError", .message = std::string(message)});
}

// "us-east-1" of "arn:aws:cloudformation:us-east-1:…".
bool IsIn(const Stack& stack, absl::string_view region) {
  const std::vector<absl::string_view> parts = absl::StrSplit(stack.id, ':');
  return parts.size() > 3 && parts[3] == region;
}

// In the order of their names.
std::vector<Stack> StacksOf(const Request& request) {
  std::vector<Stack> stacks;
  for (const std::string& name : request.deployer.Names()) {
    std::optional<Stack> stack = request.deployer.Find(name);
    // A stack without a status has just been started.
    if (stack.has_value() && !stack->status.empty() &&
        IsIn(*stack, request.region)) {
      stacks.push_back(*std::move(stack));
    }
  }
  return stacks;
}

absl::StatusOr<Stack> FindStack(const Request& request,
                                const std::string& name_or_id) {
  for (Stack& stack : StacksOf(request)) {
    if (stack.name == name_or_id || stack.id == name_or_id) {
      return std::move(stack);
    }
  }
  return ValidationError(
      absl::StrCat("Stack with id ", name_or_id, " does not exist"));
}

// The stack that the parameter StackName names.
absl::StatusOr<Stack> RequiredStack(const Request& request) {
  const std::string name = request.Text("StackName");
  if (name.empty()) return MissingQueryParameter("stackName");
  return FindStack(request, name);
}

absl::StatusOr<Page> PageFor(
    const Request& request, const std::vector<std::string>& keys,
    PageRequest::Order order = PageRequest::Order::kAscending) {
  std::optional<Page> page = PageOf(
      keys,
      {.limit = kPageSize, .token = request.Text("NextToken"), .order = order});
  if (!page.has_value()) return ValidationError("The NextToken is not valid.");
  return *std::move(page);
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
absl::Status DescribeStacks(const Request& request, XmlWriter& xml) {
  std::vector<Stack> stacks;
  if (const std::string name = request.Text("StackName"); !name.empty()) {
    absl::StatusOr<Stack> stack = FindStack(request, name);
    if (!stack.ok()) return stack.status();
    stacks.push_back(*std::move(stack));
  } else {
    stacks = StacksOf(request);
  }
  xml.Open("Stacks");
  for (const Stack& stack : stacks) WriteStackMember(stack, xml);
  xml.Close("Stacks");
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
absl::Status ListStacks(const Request& request, XmlWriter& xml) {
  absl::StatusOr<std::vector<std::string>> wanted =
      request.parameters.Values("StackStatusFilter");
  if (!wanted.ok()) return wanted.status();
  xml.Open("StackSummaries");
  for (const Stack& stack : StacksOf(request)) {
    if (wanted->empty() || std::find(wanted->begin(), wanted->end(),
                                     stack.status) != wanted->end()) {
      WriteSummaryMember(stack, xml);
    }
  }
  xml.Close("StackSummaries");
  return absl::OkStatus();
}

absl::Status NoResource(const Stack& stack, absl::string_view id) {
  return ValidationError(
      absl::StrCat("Resource ", id, " does not exist for stack ", stack.name));
}

// The stack to which the resource with this physical id belongs.
absl::StatusOr<Stack> StackOfResource(const Request& request,
                                      const std::string& physical_id) {
  for (Stack& stack : StacksOf(request)) {
    for (const auto& [id, resource] : stack.resources) {
      if (resource.state.physical_id == physical_id) return std::move(stack);
    }
  }
  return ValidationError(
      absl::StrCat("Stack for ", physical_id, " does not exist"));
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackResources.html
absl::Status DescribeStackResources(const Request& request, XmlWriter& xml) {
  const std::string name = request.Text("StackName");
  const std::string physical_id = request.Text("PhysicalResourceId");
  const std::string logical_id = request.Text("LogicalResourceId");
  if (name.empty() == physical_id.empty()) {
    return ValidationError(
        "Exactly one of StackName and PhysicalResourceId must be specified");
  }
  const absl::StatusOr<Stack> stack =
      name.empty() ? StackOfResource(request, physical_id)
                   : FindStack(request, name);
  if (!stack.ok()) return stack.status();
  if (!logical_id.empty() && !stack->resources.contains(logical_id)) {
    return NoResource(*stack, logical_id);
  }
  xml.Open("StackResources");
  for (const auto& [id, resource] : stack->resources) {
    if (!logical_id.empty() && id != logical_id) continue;
    WriteResourceMember(*stack, resource, xml);
  }
  xml.Close("StackResources");
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackResource.html
absl::Status DescribeStackResource(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Stack> stack = RequiredStack(request);
  if (!stack.ok()) return stack.status();
  const std::string id = request.Text("LogicalResourceId");
  if (id.empty()) return MissingQueryParameter("logicalResourceId");
  const auto resource = stack->resources.find(id);
  if (resource == stack->resources.end()) return NoResource(*stack, id);
  WriteResourceDetail(*stack, resource->second, xml);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
absl::Status ListStackResources(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Stack> stack = RequiredStack(request);
  if (!stack.ok()) return stack.status();
  std::vector<std::string> ids;
  for (const auto& [id, resource] : stack->resources) ids.push_back(id);
  const absl::StatusOr<Page> page = PageFor(request, ids);
  if (!page.ok()) return page.status();
  xml.Open("StackResourceSummaries");
  for (std::size_t i = page->begin; i < page->end; ++i) {
    WriteResourceSummaryMember(stack->resources.at(ids[i]), xml);
  }
  xml.Close("StackResourceSummaries");
  ElementUnlessEmpty(xml, "NextToken", page->next_token);
  return absl::OkStatus();
}

// Newest first.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackEvents.html
absl::Status DescribeStackEvents(const Request& request, XmlWriter& xml) {
  absl::StatusOr<Stack> stack = RequiredStack(request);
  if (!stack.ok()) return stack.status();
  std::reverse(stack->events.begin(), stack->events.end());
  std::vector<std::string> keys;
  for (const StackEvent& event : stack->events) {
    keys.push_back(absl::StrFormat("%020u", event.number));
  }
  const absl::StatusOr<Page> page =
      PageFor(request, keys, PageRequest::Order::kDescending);
  if (!page.ok()) return page.status();
  xml.Open("StackEvents");
  for (std::size_t i = page->begin; i < page->end; ++i) {
    WriteEventMember(*stack, stack->events[i], xml);
  }
  xml.Close("StackEvents");
  ElementUnlessEmpty(xml, "NextToken", page->next_token);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplate.html
absl::Status GetTemplate(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Stack> stack = RequiredStack(request);
  if (!stack.ok()) return stack.status();
  xml.Element("TemplateBody", stack->template_text);
  xml.Open("StagesAvailable");
  xml.Element("member", "Original");
  xml.Element("member", "Processed");
  xml.Close("StagesAvailable");
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListExports.html
absl::Status ListExports(const Request& request, XmlWriter& xml) {
  xml.Open("Exports");
  for (const Stack& stack : StacksOf(request)) {
    for (const auto& [key, output] : stack.outputs) {
      if (!output.export_name.empty()) WriteExportMember(stack, output, xml);
    }
  }
  xml.Close("Exports");
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ValidateTemplate.html
absl::Status ValidateTemplate(const Request& request, XmlWriter& xml) {
  if (!request.Text("TemplateURL").empty()) {
    return ValidationError(
        "TemplateURL is not offered by the local cloud, which has no S3; give "
        "the template itself as TemplateBody");
  }
  const std::string body = request.Text("TemplateBody");
  if (body.empty()) {
    return ValidationError(
        "Either Template URL or Template Body must be "
        "specified.");
  }
  const absl::StatusOr<Template> t = ParseTemplate(body);
  if (!t.ok()) {
    return ValidationError(
        absl::StrCat("Template format error: ", t.status().message()));
  }
  WriteTemplateSummary(*t, xml);
  return absl::OkStatus();
}

// Functions need their zips, and there is no S3 to upload them to.
absl::Status RefuseChange(const Request&, XmlWriter&) {
  return ServiceError(
      {.code = "InvalidAction",
       .message =
           "The local cloud does not change stacks over this API, because it "
           "has no S3 for their code. `byoshin up --template=FILE "
           "--zips=FOLDER` creates a stack and, started again, updates it; "
           "`byoshin down STACK` removes one."});
}

const std::map<std::string, Operation>& Operations() {
  static const auto& operations = *new std::map<std::string, Operation>{
      {"CreateChangeSet", RefuseChange},
      {"CreateStack", RefuseChange},
      {"DeleteStack", RefuseChange},
      {"DescribeStackEvents", DescribeStackEvents},
      {"DescribeStackResource", DescribeStackResource},
      {"DescribeStackResources", DescribeStackResources},
      {"DescribeStacks", DescribeStacks},
      {"GetTemplate", GetTemplate},
      {"ListExports", ListExports},
      {"ListStackResources", ListStackResources},
      {"ListStacks", ListStacks},
      {"UpdateStack", RefuseChange},
      {"ValidateTemplate", ValidateTemplate},
  };
  return operations;
}

}  // namespace

const ServiceTraits& CloudFormationService::traits() const { return kTraits; }

std::vector<NeededPermission> CloudFormationService::PermissionsFor(
    const Call& call) const {
  return {PermissionByName(call, traits(), {{"StackName", "stack/", "/*"}})};
}

void CloudFormationService::Handle(Call call, AnswerFunction answer) {
  answer(QueryAnswer(call, traits().xml_namespace, [&](XmlWriter& xml) {
    const auto operation = Operations().find(call.operation);
    if (operation == Operations().end()) return UnknownQueryOperation(call);
    const absl::StatusOr<QueryParameters> parameters =
        QueryParameters::Parse(call.body);
    if (!parameters.ok()) return parameters.status();
    return operation->second({.deployer = deployer_,
                              .parameters = *parameters,
                              .region = call.region},
                             xml);
  }));
}

}  // namespace byoshin::local::cloudformation
