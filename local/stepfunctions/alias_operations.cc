// The aliases of state machines.

#include <json/json.h>

#include <algorithm>
#include <cstddef>
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
#include "absl/time/time.h"
#include "local/gateway/constraints.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/operations.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kRouting[] = "routingConfiguration";

// A name of digits only would look like a version. RE2 can't check the model's
// pattern, which looks ahead.
absl::Status CheckAliasName(const std::string& name) {
  const auto allowed = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '-' || c == '.';
  };
  const auto digit = [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  };
  if (std::all_of(name.begin(), name.end(), allowed) &&
      !std::all_of(name.begin(), name.end(), digit)) {
    return absl::OkStatus();
  }
  ConstraintErrors errors;
  errors.Add("name", name,
             MustMatch(R"(^(?=.*[a-zA-Z_\-\.])[a-zA-Z0-9_\-\.]+$)"));
  return ValidationError(errors.Message());
}

using Routes = std::vector<kept::Route>;

std::string ArnsOf(const Routes& routes) {
  return absl::StrJoin(routes, ", ",
                       [](std::string* out, const kept::Route& route) {
                         absl::StrAppend(out, route.version_arn());
                       });
}

absl::Status CheckRoutes(const Catalog& catalog, const Routes& routes) {
  std::set<std::string> machines;
  std::set<std::string> versions;
  int weight = 0;
  for (const kept::Route& route : routes) {
    const absl::StatusOr<MachineArn> arn = ParseMachineArn(route.version_arn());
    if (!arn.ok()) return arn.status();
    int number = 0;
    if (!absl::SimpleAtoi(arn->qualifier, &number)) {
      return ValidationError(absl::StrCat(
          "Routing configuration must contain state machine version ARNs. "
          "Received: [",
          ArnsOf(routes), "]"));
    }
    machines.insert(arn->machine);
    versions.insert(route.version_arn());
    weight += route.weight();
  }
  if (versions.size() != routes.size()) {
    return ValidationError(absl::StrCat(
        "Routing configuration must contain distinct state machine version "
        "ARNs. Received: [",
        ArnsOf(routes), "]"));
  }
  if (machines.size() != 1) {
    return ValidationError(absl::StrCat(
        "Routing configuration must contain versions of one state machine. "
        "Received: [",
        ArnsOf(routes), "]"));
  }
  if (weight != kAllWeight) {
    return ValidationError(absl::StrCat(
        "Sum of routing configuration weights must equal 100. Received: [",
        absl::StrJoin(routes, ", ",
                      [](std::string* out, const kept::Route& route) {
                        absl::StrAppend(out, route.weight());
                      }),
        "]"));
  }
  for (const kept::Route& route : routes) {
    if (catalog.FindVersion(route.version_arn()) == nullptr) {
      return ResourceNotFoundError();
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Routes> ReadRoutes(const Catalog& catalog, JsonFields& fields) {
  Routes routes;
  for (JsonFields& item : fields.Objects(kRouting)) {
    kept::Route route;
    route.set_version_arn(item.Text("stateMachineVersionArn"));
    route.set_weight(static_cast<int>(item.FindInteger("weight").value_or(0)));
    routes.push_back(std::move(route));
  }
  if (absl::Status good = CheckRoutes(catalog, routes); !good.ok()) {
    return good;
  }
  return routes;
}

void SetRoutes(const Routes& routes, kept::Alias& alias) {
  alias.clear_routes();
  for (const kept::Route& route : routes) *alias.add_routes() = route;
}

bool SameAlias(const kept::Alias& a, const kept::Alias& b) {
  if (a.description() != b.description() ||
      a.routes_size() != b.routes_size()) {
    return false;
  }
  for (int i = 0; i < a.routes_size(); ++i) {
    if (a.routes(i).version_arn() != b.routes(i).version_arn() ||
        a.routes(i).weight() != b.routes(i).weight()) {
      return false;
    }
  }
  return true;
}

Json::Value AliasJson(const kept::Alias& alias) {
  Json::Value value(Json::objectValue);
  value["stateMachineAliasArn"] = alias.arn();
  value["creationDate"] = TimeJson(alias.created_us());
  return value;
}

}  // namespace

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachineAlias.html
absl::StatusOr<Json::Value> CreateStateMachineAlias(OperationContext& context,
                                                    JsonFields& fields) {
  kept::Alias alias;
  alias.set_name(fields.Text("name"));
  alias.set_description(fields.Text("description"));
  if (absl::Status good = CheckAliasName(alias.name()); !good.ok()) {
    return good;
  }
  const absl::StatusOr<Routes> routes = ReadRoutes(context.catalog, fields);
  if (!routes.ok()) return routes.status();
  SetRoutes(*routes, alias);
  const absl::StatusOr<MachineArn> machine =
      ParseMachineArn(routes->front().version_arn());
  if (!machine.ok()) return machine.status();
  alias.set_machine_arn(machine->machine);
  alias.set_arn(absl::StrCat(machine->machine, ":", alias.name()));
  if (const kept::Alias* existing = context.catalog.FindAlias(alias.arn())) {
    if (SameAlias(*existing, alias)) return AliasJson(*existing);
    return ConflictError(
        "Failed to create alias because an alias with the same name and a "
        "different routing configuration already exists.");
  }
  if (context.catalog.AliasesOf(alias.machine_arn()).size() >= kMaxAliases) {
    return ApiError("ServiceQuotaExceededException",
                    absl::StrCat("A state machine can have at most ",
                                 kMaxAliases, " aliases."));
  }
  alias.set_created_us(absl::ToUnixMicros(context.now));
  alias.set_updated_us(alias.created_us());
  Json::Value answer = AliasJson(alias);
  context.catalog.PutAlias(std::move(alias));
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_UpdateStateMachineAlias.html
absl::StatusOr<Json::Value> UpdateStateMachineAlias(OperationContext& context,
                                                    JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineAliasArn");
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  const kept::Alias* existing = context.catalog.FindAlias(arn);
  if (existing == nullptr) return ResourceNotFoundError();
  if (!fields.Has("description") && !fields.Has(kRouting)) {
    return ValidationError(
        "Either the description or the routing configuration must be "
        "specified");
  }
  kept::Alias alias = *existing;
  if (fields.Has("description")) {
    alias.set_description(fields.Text("description"));
  }
  if (fields.Has(kRouting)) {
    const absl::StatusOr<Routes> routes = ReadRoutes(context.catalog, fields);
    if (!routes.ok()) return routes.status();
    SetRoutes(*routes, alias);
  }
  alias.set_updated_us(absl::ToUnixMicros(context.now));
  context.catalog.PutAlias(std::move(alias));
  Json::Value answer(Json::objectValue);
  answer["updateDate"] = TimeJson(context.now);
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeStateMachineAlias.html
absl::StatusOr<Json::Value> DescribeStateMachineAlias(OperationContext& context,
                                                      JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineAliasArn");
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  const kept::Alias* alias = context.catalog.FindAlias(arn);
  if (alias == nullptr) return ResourceNotFoundError();
  Json::Value answer = AliasJson(*alias);
  answer["name"] = alias->name();
  if (!alias->description().empty()) {
    answer["description"] = alias->description();
  }
  answer["updateDate"] = TimeJson(alias->updated_us());
  for (const kept::Route& route : alias->routes()) {
    Json::Value item(Json::objectValue);
    item["stateMachineVersionArn"] = route.version_arn();
    item["weight"] = route.weight();
    answer[kRouting].append(std::move(item));
  }
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListStateMachineAliases.html
absl::StatusOr<Json::Value> ListStateMachineAliases(OperationContext& context,
                                                    JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const PageFields page = ReadPage(fields);
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  if (context.catalog.FindMachine(parsed->machine) == nullptr) {
    return MachineNotFoundError(arn);
  }
  // Of a version: the aliases that lead to it.
  std::vector<const kept::Alias*> aliases;
  std::vector<std::string> keys;
  for (const kept::Alias* alias : context.catalog.AliasesOf(parsed->machine)) {
    const bool wanted =
        parsed->qualifier.empty() ||
        std::any_of(alias->routes().begin(), alias->routes().end(),
                    [&](const kept::Route& route) {
                      return route.version_arn() == arn;
                    });
    if (!wanted) continue;
    aliases.push_back(alias);
    keys.push_back(alias->name());
  }
  return PageAnswer("stateMachineAliases", keys, KeyOrder::kAscending, page,
                    [&](std::size_t i) { return AliasJson(*aliases[i]); });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachineAlias.html
absl::StatusOr<Json::Value> DeleteStateMachineAlias(OperationContext& context,
                                                    JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineAliasArn");
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  context.catalog.RemoveAlias(arn);
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::stepfunctions
