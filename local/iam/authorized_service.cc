#include "local/iam/authorized_service.h"

#include <json/json.h>

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
#include "core/json/value.h"
#include "local/gateway/error.h"
#include "local/gateway/query.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::iam {
namespace {

constexpr char kDynamoDbTypePrefix[] = "com.amazon.coral.service#";
constexpr char kSqsTypePrefix[] = "com.amazonaws.sqs#";

std::string Arn(absl::string_view service, const Call& call,
                absl::string_view resource) {
  return absl::StrCat("arn:aws:", service, ":", call.region, ":",
                      call.caller.account_id, ":", resource);
}

std::string LastSegment(absl::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

Json::Value BodyOf(const Call& call) {
  absl::StatusOr<Json::Value> body = json::ParseValue(call.body);
  return body.ok() && body->isObject() ? *body : Json::objectValue;
}

std::string Text(const Json::Value& object, const char* name) {
  return object.isObject() && object[name].isString() ? object[name].asString()
                                                      : "";
}

// SQS's actions on batches are those on single messages.
std::string SqsAction(absl::string_view operation) {
  constexpr absl::string_view kBatch = "Batch";
  if (absl::EndsWith(operation, kBatch)) {
    operation.remove_suffix(kBatch.size());
  }
  return absl::StrCat("sqs:", operation);
}

std::string QueueNameOf(const Call& call) {
  std::string url;
  std::string name;
  if (call.protocol == WireProtocol::kQuery) {
    const absl::StatusOr<QueryParameters> parameters =
        QueryParameters::Parse(call.body);
    if (parameters.ok()) {
      url = std::string(parameters->Find("QueueUrl").value_or(""));
      name = std::string(parameters->Find("QueueName").value_or(""));
    }
  } else {
    const Json::Value body = BodyOf(call);
    url = Text(body, "QueueUrl");
    name = Text(body, "QueueName");
  }
  if (!name.empty()) return name;
  return LastSegment(url.empty() ? call.path : url);
}

std::string TableArn(const Call& call, const std::string& name) {
  return absl::StartsWith(name, "arn:")
             ? name
             : Arn("dynamodb", call, absl::StrCat("table/", name));
}

// What an element of a transaction does, by the member that says so.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
constexpr std::pair<const char*, const char*> kTransactionActions[] = {
    {"Put", "dynamodb:PutItem"},
    {"Update", "dynamodb:UpdateItem"},
    {"Delete", "dynamodb:DeleteItem"},
    {"ConditionCheck", "dynamodb:ConditionCheckItem"},
    {"Get", "dynamodb:GetItem"}};

// A transaction has no action of its own: who may do each of its elements may
// do it.
std::vector<NeededPermission> TransactionPermissions(const Call& call,
                                                     const Json::Value& items) {
  if (!items.isArray()) return {};
  // Each once.
  std::set<std::pair<std::string, std::string>> needed;
  for (const Json::Value& item : items) {
    if (!item.isObject()) continue;
    for (const auto& [member, action] : kTransactionActions) {
      const Json::Value& element = item[member];
      if (element.isNull()) continue;
      const std::string table = Text(element, "TableName");
      needed.emplace(action, table.empty() ? "*" : TableArn(call, table));
    }
  }
  std::vector<NeededPermission> permissions;
  for (const auto& [action, resource] : needed) {
    permissions.push_back({.action = action, .resource = resource});
  }
  return permissions;
}

// The tables and indexes that a request names, other than a transaction.
std::set<std::string> DynamoDbResources(const Call& call,
                                        const Json::Value& body) {
  std::set<std::string> arns;
  if (const std::string table = Text(body, "TableName"); !table.empty()) {
    const std::string index = Text(body, "IndexName");
    arns.insert(index.empty()
                    ? TableArn(call, table)
                    : absl::StrCat(TableArn(call, table), "/index/", index));
  }
  if (const std::string arn = Text(body, "ResourceArn"); !arn.empty()) {
    arns.insert(arn);
  }
  if (body["RequestItems"].isObject()) {
    for (const std::string& table : body["RequestItems"].getMemberNames()) {
      arns.insert(TableArn(call, table));
    }
  }
  return arns;
}

std::vector<NeededPermission> DynamoDbPermissions(const Call& call) {
  const Json::Value body = BodyOf(call);
  const std::string action = absl::StrCat("dynamodb:", call.operation);
  std::vector<NeededPermission> needed;
  if (absl::StartsWith(call.operation, "Transact")) {
    needed = TransactionPermissions(call, body["TransactItems"]);
  } else {
    for (const std::string& arn : DynamoDbResources(call, body)) {
      needed.push_back({.action = action, .resource = arn});
    }
  }
  if (needed.empty()) needed.push_back({.action = action, .resource = "*"});
  return needed;
}

// What a path below /…/functions/NAME/ stands for.
std::string LambdaAction(absl::string_view last_part) {
  constexpr std::pair<absl::string_view, absl::string_view> kActions[] = {
      {"invocations", "InvokeFunction"},
      {"configuration", "GetFunctionConfiguration"},
      {"policy", "GetPolicy"},
      {"concurrency", "GetFunctionConcurrency"},
      {"event-invoke-config", "GetFunctionEventInvokeConfig"}};
  for (const auto& [part, action] : kActions) {
    if (part == last_part) return absl::StrCat("lambda:", action);
  }
  return "lambda:GetFunction";
}

// "/2015-03-31/functions/NAME/invocations"
NeededPermission LambdaPermission(const Call& call) {
  const std::vector<std::string> parts =
      absl::StrSplit(call.path, '/', absl::SkipEmpty());
  const bool mappings = parts.size() > 1 && parts[1] == "event-source-mappings";
  if (mappings && parts.size() > 2) {
    return {.action = "lambda:GetEventSourceMapping",
            .resource = Arn("lambda", call,
                            absl::StrCat("event-source-mapping:", parts[2]))};
  }
  if (parts.size() < 3 || parts[1] != "functions") {
    return {.action = mappings ? "lambda:ListEventSourceMappings"
                               : "lambda:ListFunctions",
            .resource = "*"};
  }
  return {.action = LambdaAction(parts.size() > 3 ? parts.back() : ""),
          .resource =
              absl::StartsWith(parts[2], "arn:")
                  ? parts[2]
                  : Arn("lambda", call, absl::StrCat("function:", parts[2]))};
}

// API Gateway's actions are HTTP's methods, its resources paths.
NeededPermission ApiGatewayPermission(const Call& call) {
  return {.action = absl::StrCat("apigateway:", call.method),
          .resource = absl::StrCat("arn:aws:apigateway:", call.region,
                                   "::", call.path)};
}

// The parameter of this name, in either protocol; empty if there is none.
std::string ParameterOf(const Call& call, const char* name) {
  if (call.protocol != WireProtocol::kQuery) return Text(BodyOf(call), name);
  const absl::StatusOr<QueryParameters> parameters =
      QueryParameters::Parse(call.body);
  return parameters.ok() ? std::string(parameters->Find(name).value_or(""))
                         : "";
}

// How a service's operations name what they are about, and its ARN.
struct ResourceName {
  absl::string_view service;
  const char* parameter;
  absl::string_view before;  // of the name, in the ARN
  absl::string_view after;
};
constexpr ResourceName kResourceNames[] = {
    {"cloudformation", "StackName", "stack/", "/*"},
    {"events", "Name", "rule/", ""},
    {"events", "Rule", "rule/", ""},
    {"logs", "logGroupName", "log-group:", ":*"},
    {"logs", "logGroupIdentifier", "log-group:", ":*"},
    {"iam", "RoleName", "role/", ""},
};

// For services whose actions are called like their operations.
NeededPermission NamedPermission(absl::string_view service, const Call& call) {
  NeededPermission needed{.action = absl::StrCat(service, ":", call.operation),
                          .resource = "*"};
  for (const ResourceName& form : kResourceNames) {
    if (form.service != service) continue;
    const std::string name = ParameterOf(call, form.parameter);
    if (name.empty()) continue;
    Call where = call;
    // Roles have no region.
    if (service == "iam") where.region.clear();
    needed.resource =
        absl::StartsWith(name, "arn:")
            ? name
            : Arn(service, where, absl::StrCat(form.before, name, form.after));
    break;
  }
  return needed;
}

Answer Denied(absl::string_view service, const Call& call,
              const std::string& message) {
  const absl::Status status = ServiceError(
      {.code = service == "sqs" || call.protocol == WireProtocol::kQuery
                   ? "AccessDenied"
                   : "AccessDeniedException",
       .message = message,
       .http_status = service == "dynamodb" ? 400 : 403});
  if (call.protocol == WireProtocol::kQuery) {
    const ServiceTraits* traits = FindServiceTraits(service);
    return QueryErrorAnswer(status, call.request_id,
                            traits == nullptr ? "" : traits->xml_namespace);
  }
  return JsonErrorAnswer(
      status, service == "sqs" ? kSqsTypePrefix : kDynamoDbTypePrefix);
}

}  // namespace

std::vector<NeededPermission> PermissionsFor(absl::string_view service,
                                             const Call& call) {
  if (service == "lambda") return {LambdaPermission(call)};
  if (service == "apigateway") return {ApiGatewayPermission(call)};
  if (service == "dynamodb") return DynamoDbPermissions(call);
  if (service == "sqs") {
    const std::string queue =
        call.operation == "ListQueues" ? "" : QueueNameOf(call);
    return {{.action = SqsAction(call.operation),
             .resource = queue.empty() ? "*" : Arn("sqs", call, queue)}};
  }
  // Everybody may ask who they are.
  if (service == "sts" && call.operation == "GetCallerIdentity") return {};
  return {NamedPermission(service, call)};
}

AuthorizedService::AuthorizedService(Service& service, const Iam& iam,
                                     Options options)
    : service_(service), iam_(iam), options_(std::move(options)) {}

void AuthorizedService::Handle(Call call, AnswerFunction answer) {
  const Principal principal = iam_.PrincipalOf(call.caller.access_key_id);
  // The account may do all that is not denied. Where no policy could deny it
  // anything, reading every body once more would be for nothing.
  if (principal.kind == Principal::Kind::kAccount &&
      !iam_.HasResourcePolicies(service_.name())) {
    return service_.Handle(std::move(call), std::move(answer));
  }
  for (NeededPermission& needed : PermissionsFor(service_.name(), call)) {
    const AccessRequest request{.principal = principal,
                                .action = std::move(needed.action),
                                .resource = std::move(needed.resource)};
    const Decision decision = iam_.Authorize(request);
    if (decision.allowed()) continue;
    if (options_.on_denied) options_.on_denied(request, decision);
    return answer(
        Denied(service_.name(), call, DenialMessage(request, decision)));
  }
  service_.Handle(std::move(call), std::move(answer));
}

}  // namespace byoshin::local::iam
