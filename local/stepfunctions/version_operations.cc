// The versions of state machines.

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/operations.h"
#include "local/stepfunctions/versions.h"

namespace byoshin::local::stepfunctions {
namespace {

// How PublishStateMachineVersion names the revision that has no id.
constexpr char kInitialRevision[] = "INITIAL";

// The machine that an unqualified ARN names.
absl::StatusOr<const kept::Machine*> FindUnqualified(const Catalog& catalog,
                                                     const std::string& arn) {
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  const kept::Machine* machine =
      parsed->qualifier.empty() ? catalog.FindMachine(arn) : nullptr;
  if (machine == nullptr) return MachineNotFoundError(arn);
  return machine;
}

}  // namespace

absl::StatusOr<kept::Version> PublishCurrentRevision(
    Catalog& catalog, const kept::Machine& machine,
    const std::string& description, absl::Time now) {
  const std::vector<const kept::Version*> versions =
      catalog.VersionsOf(machine.arn());
  if (!versions.empty() && versions.back()->revision() == machine.revision()) {
    return *versions.back();
  }
  if (versions.size() >= kMaxVersions) {
    return ApiError(
        "ServiceQuotaExceededException",
        absl::StrCat("A state machine can have at most ", kMaxVersions,
                     " versions. Delete some that are not used."));
  }
  kept::Machine updated = machine;
  updated.set_last_version(machine.last_version() + 1);
  kept::Version version;
  version.set_machine_arn(machine.arn());
  version.set_number(updated.last_version());
  version.set_arn(absl::StrCat(machine.arn(), ":", version.number()));
  version.set_revision(machine.revision());
  version.set_description(description);
  version.set_created_us(absl::ToUnixMicros(now));
  catalog.PutVersion(version);
  catalog.PutMachine(std::move(updated));
  return version;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_PublishStateMachineVersion.html
absl::StatusOr<Json::Value> PublishStateMachineVersion(
    OperationContext& context, JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const std::string revision = fields.Text("revisionId");
  const std::string description = fields.Text("description");
  const absl::StatusOr<const kept::Machine*> machine =
      FindUnqualified(context.catalog, arn);
  if (!machine.ok()) return machine.status();
  const kept::Revision* current =
      context.catalog.FindRevision((*machine)->revision());
  const std::string current_id = current == nullptr || current->initial()
                                     ? kInitialRevision
                                     : current->key();
  if (!revision.empty() && revision != current_id) {
    return ConflictError(absl::StrCat(
        "Failed to publish the State Machine version for revision ", revision,
        ". The current State Machine revision is ", current_id, "."));
  }
  const absl::StatusOr<kept::Version> version = PublishCurrentRevision(
      context.catalog, **machine, description, context.now);
  if (!version.ok()) return version.status();
  Json::Value answer(Json::objectValue);
  answer["stateMachineVersionArn"] = version->arn();
  answer["creationDate"] = TimeJson(version->created_us());
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListStateMachineVersions.html
absl::StatusOr<Json::Value> ListStateMachineVersions(OperationContext& context,
                                                     JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const PageFields page = ReadPage(fields);
  const absl::StatusOr<const kept::Machine*> machine =
      FindUnqualified(context.catalog, arn);
  if (!machine.ok()) return machine.status();
  std::vector<const kept::Version*> versions = context.catalog.VersionsOf(arn);
  std::reverse(versions.begin(), versions.end());
  std::vector<std::string> keys;
  keys.reserve(versions.size());
  for (const kept::Version* version : versions) {
    keys.push_back(absl::StrFormat("%020d", version->number()));
  }
  return PageAnswer("stateMachineVersions", keys, KeyOrder::kDescending, page,
                    [&](std::size_t i) {
                      Json::Value entry(Json::objectValue);
                      entry["stateMachineVersionArn"] = versions[i]->arn();
                      entry["creationDate"] =
                          TimeJson(versions[i]->created_us());
                      return entry;
                    });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachineVersion.html
absl::StatusOr<Json::Value> DeleteStateMachineVersion(OperationContext& context,
                                                      JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineVersionArn");
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  std::vector<std::string> aliases;
  for (const kept::Alias* alias : context.catalog.AliasesOf(parsed->machine)) {
    for (const kept::Route& route : alias->routes()) {
      if (route.version_arn() == arn) aliases.push_back(alias->name());
    }
  }
  if (!aliases.empty()) {
    return ConflictError(absl::StrCat(
        "Version to be deleted must not be referenced by an alias. Current "
        "list of aliases referencing this version: [",
        absl::StrJoin(aliases, ", "), "]"));
  }
  context.catalog.RemoveVersion(arn);
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::stepfunctions
