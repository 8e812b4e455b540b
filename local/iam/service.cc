#include "local/iam/service.h"

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
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/url.h"
#include "local/gateway/error.h"
#include "local/gateway/paging.h"
#include "local/gateway/permission.h"
#include "local/gateway/query.h"
#include "local/gateway/query_api.h"
#include "local/gateway/service_traits.h"
#include "local/gateway/xml.h"
#include "local/iam/evaluation.h"

namespace byoshin::local::iam {
namespace {

constexpr ServiceTraits kIamTraits = {
    .name = "iam",
    .target_prefix = "AWSIdentityManagementV20100508",
    .xml_namespace = "https://iam.amazonaws.com/doc/2010-05-08/"};
constexpr ServiceTraits kStsTraits = {
    .name = "sts",
    .target_prefix = "AWSSecurityTokenServiceV20110615",
    .xml_namespace = "https://sts.amazonaws.com/doc/2011-06-15/"};

constexpr std::size_t kDefaultPageSize = 100;
constexpr std::size_t kMaxPageSize = 1000;
constexpr char kMaxSessionSeconds[] = "3600";

struct Request {
  const Iam& iam;
  const QueryParameters& parameters;

  std::string Text(absl::string_view name) const {
    return std::string(parameters.Find(name).value_or(""));
  }
};

using Operation = absl::Status (*)(const Request& request, XmlWriter& xml);

absl::Status NoSuchEntity(absl::string_view message) {
  return ServiceError({.code = "NoSuchEntity",
                       .message = std::string(message),
                       .http_status = 404});
}

absl::StatusOr<Role> FindRole(const Request& request) {
  const std::string name = request.Text("RoleName");
  if (name.empty()) return MissingQueryParameter("roleName");
  for (Role& role : request.iam.Roles()) {
    if (role.name == name) return std::move(role);
  }
  return NoSuchEntity(
      absl::StrCat("The role with name ", name, " cannot be found."));
}

absl::StatusOr<Page> PageFor(const Request& request,
                             const std::vector<std::string>& keys) {
  std::size_t size = kDefaultPageSize;
  if (const std::string text = request.Text("MaxItems");
      !text.empty() && (!absl::SimpleAtoi(text, &size) || size == 0)) {
    return ServiceError({.code = "ValidationError",
                         .message = "MaxItems must be from 1 to 1000"});
  }
  std::optional<Page> page = PageOf(
      keys,
      {.limit = std::min(size, kMaxPageSize), .token = request.Text("Marker")});
  if (page.has_value()) return *std::move(page);
  return ServiceError(
      {.code = "ValidationError", .message = "The Marker is not valid."});
}

void WritePageEnd(const Page& page, XmlWriter& xml) {
  xml.Element("IsTruncated", page.next_token.empty() ? "false" : "true");
  ElementUnlessEmpty(xml, "Marker", page.next_token);
}

// The content of <Role>, or of a <member> of roles.
// https://docs.aws.amazon.com/IAM/latest/APIReference/API_Role.html
void WriteRole(const Role& role, XmlWriter& xml) {
  xml.Element("Path", role.details.path);
  xml.Element("RoleName", role.name);
  xml.Element("RoleId", role.details.id);
  xml.Element("Arn", role.arn);
  TimeElement(xml, "CreateDate", role.details.created);
  // IAM returns documents percent-encoded.
  xml.Element("AssumeRolePolicyDocument",
              http::PercentEncode(role.details.trust_text));
  ElementUnlessEmpty(xml, "Description", role.details.description);
  xml.Element("MaxSessionDuration", kMaxSessionSeconds);
}

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRole.html
absl::Status GetRole(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Role> role = FindRole(request);
  if (!role.ok()) return role.status();
  xml.Open("Role");
  WriteRole(*role, xml);
  xml.Close("Role");
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRoles.html
absl::Status ListRoles(const Request& request, XmlWriter& xml) {
  const std::string prefix = request.Text("PathPrefix");
  std::map<std::string, Role> roles;
  std::vector<std::string> names;
  for (Role& role : request.iam.Roles()) {
    if (!absl::StartsWith(role.details.path, prefix)) continue;
    std::string name = role.name;
    roles.emplace(std::move(name), std::move(role));
  }
  for (const auto& [name, role] : roles) names.push_back(name);
  const absl::StatusOr<Page> page = PageFor(request, names);
  if (!page.ok()) return page.status();
  xml.Open("Roles");
  for (std::size_t i = page->begin; i < page->end; ++i) {
    xml.Open("member");
    WriteRole(roles.at(names[i]), xml);
    xml.Close("member");
  }
  xml.Close("Roles");
  WritePageEnd(*page, xml);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRolePolicies.html
absl::Status ListRolePolicies(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Role> role = FindRole(request);
  if (!role.ok()) return role.status();
  std::vector<std::string> names;
  for (const auto& [name, text] : role->details.inline_texts) {
    names.push_back(name);
  }
  const absl::StatusOr<Page> page = PageFor(request, names);
  if (!page.ok()) return page.status();
  xml.Open("PolicyNames");
  for (std::size_t i = page->begin; i < page->end; ++i) {
    xml.Element("member", names[i]);
  }
  xml.Close("PolicyNames");
  WritePageEnd(*page, xml);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html
absl::Status GetRolePolicy(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Role> role = FindRole(request);
  if (!role.ok()) return role.status();
  const std::string name = request.Text("PolicyName");
  if (name.empty()) return MissingQueryParameter("policyName");
  const auto policy = role->details.inline_texts.find(name);
  if (policy == role->details.inline_texts.end()) {
    return NoSuchEntity(
        absl::StrCat("The role policy with name ", name, " cannot be found."));
  }
  xml.Element("RoleName", role->name);
  xml.Element("PolicyName", name);
  xml.Element("PolicyDocument", http::PercentEncode(policy->second));
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAttachedRolePolicies.html
absl::Status ListAttachedRolePolicies(const Request& request, XmlWriter& xml) {
  const absl::StatusOr<Role> role = FindRole(request);
  if (!role.ok()) return role.status();
  std::vector<std::string> arns = role->details.managed_arns;
  std::sort(arns.begin(), arns.end());
  const absl::StatusOr<Page> page = PageFor(request, arns);
  if (!page.ok()) return page.status();
  xml.Open("AttachedPolicies");
  for (std::size_t i = page->begin; i < page->end; ++i) {
    xml.Open("member");
    xml.Element("PolicyName", arns[i].substr(arns[i].rfind('/') + 1));
    xml.Element("PolicyArn", arns[i]);
    xml.Close("member");
  }
  xml.Close("AttachedPolicies");
  WritePageEnd(*page, xml);
  return absl::OkStatus();
}

const std::map<std::string, Operation>& Operations() {
  static const auto& operations = *new std::map<std::string, Operation>{
      {"GetRole", GetRole},
      {"GetRolePolicy", GetRolePolicy},
      {"ListAttachedRolePolicies", ListAttachedRolePolicies},
      {"ListRolePolicies", ListRolePolicies},
      {"ListRoles", ListRoles},
  };
  return operations;
}

}  // namespace

const ServiceTraits& IamService::traits() const { return kIamTraits; }

std::vector<NeededPermission> IamService::PermissionsFor(
    const Call& call) const {
  // Roles have no region.
  Call where = call;
  where.region.clear();
  return {PermissionByName(where, traits(), {{"RoleName", "role/"}})};
}

void IamService::Handle(Call call, AnswerFunction answer) {
  answer(QueryAnswer(call, traits().xml_namespace, [&](XmlWriter& xml) {
    const auto operation = Operations().find(call.operation);
    if (operation == Operations().end()) return UnknownQueryOperation(call);
    const absl::StatusOr<QueryParameters> parameters =
        QueryParameters::Parse(call.body);
    if (!parameters.ok()) return parameters.status();
    return operation->second({.iam = iam_, .parameters = *parameters}, xml);
  }));
}

// https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
const ServiceTraits& StsService::traits() const { return kStsTraits; }

std::vector<NeededPermission> StsService::PermissionsFor(
    const Call& call) const {
  // GetCallerIdentity needs no permission.
  if (call.operation == "GetCallerIdentity") return {};
  return {PermissionByName(call, traits(), {})};
}

void StsService::Handle(Call call, AnswerFunction answer) {
  answer(QueryAnswer(call, traits().xml_namespace, [&](XmlWriter& xml) {
    if (call.operation != "GetCallerIdentity") {
      return UnknownQueryOperation(call);
    }
    const Principal principal = iam_.PrincipalOf(call.caller.access_key_id);
    xml.Element("Arn", principal.id);
    // The user id of the account is its number; that of a session its key.
    xml.Element("UserId", principal.kind == Principal::Kind::kAccount
                              ? call.caller.account_id
                              : call.caller.access_key_id);
    xml.Element("Account", call.caller.account_id);
    return absl::OkStatus();
  }));
}

}  // namespace byoshin::local::iam
