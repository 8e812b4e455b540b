// State machines: create, update, describe, list, delete, validate.

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/operations.h"
#include "local/stepfunctions/versions.h"

namespace byoshin::local::stepfunctions {
namespace {

bool SameConfiguration(const kept::Revision& a, const kept::Revision& b) {
  return a.definition() == b.definition() &&
         a.logging().SerializeAsString() == b.logging().SerializeAsString() &&
         a.tracing() == b.tracing() && a.encryption() == b.encryption();
}

kept::Type ReadType(JsonFields& fields) {
  return fields.Text("type") == "EXPRESS" ? kept::EXPRESS : kept::STANDARD;
}

// Of the member `tracingConfiguration`.
bool ReadTracing(JsonFields& fields) {
  std::optional<JsonFields> tracing = fields.Object("tracingConfiguration");
  return tracing.has_value() && tracing->Flag("enabled");
}

absl::Status CheckVersionDescription(JsonFields& fields, bool publish) {
  const std::string description = fields.Text("versionDescription");
  if (publish || description.empty()) return absl::OkStatus();
  return ValidationError(
      "Version description can only be set when publish is true");
}

// What CreateStateMachine asks for.
struct NewMachine {
  kept::Machine machine{};
  kept::Revision revision{};
  bool publish = false;
  std::string version_description{};
};

absl::StatusOr<NewMachine> ReadNewMachine(OperationContext& context,
                                          JsonFields& fields) {
  NewMachine wanted;
  const std::string name = fields.Text("name");
  wanted.revision.set_definition(fields.Text("definition"));
  wanted.revision.set_role_arn(fields.Text("roleArn"));
  wanted.machine.set_type(ReadType(fields));
  wanted.publish = fields.Flag("publish");
  wanted.version_description = fields.Text("versionDescription");
  wanted.revision.set_tracing(ReadTracing(fields));
  if (absl::Status good = CheckName(name); !good.ok()) return good;
  absl::Status good = CheckRoleArn(wanted.revision.role_arn());
  if (good.ok()) good = CheckVersionDescription(fields, wanted.publish);
  if (!good.ok()) return good;
  absl::StatusOr<kept::Logging> logging = ReadLogging(fields);
  if (!logging.ok()) return logging.status();
  *wanted.revision.mutable_logging() = *std::move(logging);
  absl::StatusOr<std::string> encryption = ReadEncryption(fields);
  if (!encryption.ok()) return encryption.status();
  wanted.revision.set_encryption(*std::move(encryption));
  const absl::StatusOr<std::map<std::string, std::string>> tags =
      ReadTags(fields);
  if (!tags.ok()) return tags.status();
  wanted.machine.mutable_tags()->insert(tags->begin(), tags->end());
  wanted.machine.set_name(name);
  wanted.machine.set_arn(
      StatesArn(PlaceOf(context.call), kMachineResource, name));
  return wanted;
}

// The machine is there already: an error, unless it is the same.
absl::Status CheckSameMachine(const Catalog& catalog,
                              const kept::Machine& machine,
                              const NewMachine& wanted) {
  const kept::Revision* revision = catalog.FindRevision(machine.revision());
  if (revision != nullptr && machine.type() == wanted.machine.type() &&
      SameConfiguration(*revision, wanted.revision)) {
    return absl::OkStatus();
  }
  return ApiError(
      "StateMachineAlreadyExists",
      absl::StrCat("State Machine Already Exists: '", machine.arn(), "'"));
}

Json::Value CreatedJson(const kept::Machine& machine) {
  Json::Value answer(Json::objectValue);
  answer["stateMachineArn"] = machine.arn();
  answer["creationDate"] = TimeJson(machine.created_us());
  return answer;
}

void AddRevisionJson(const kept::Revision& revision, Json::Value& answer) {
  answer["definition"] = revision.definition();
  answer["roleArn"] = revision.role_arn();
  answer["loggingConfiguration"] = LoggingJson(revision.logging());
  answer["tracingConfiguration"]["enabled"] = revision.tracing();
  AddEncryption(revision.encryption(), answer);
  if (!revision.initial()) answer["revisionId"] = revision.key();
}

// The revision with what the request changes.
absl::StatusOr<kept::Revision> ReadChanges(OperationContext& context,
                                           JsonFields& fields,
                                           const kept::Revision& current) {
  kept::Revision next = current;
  if (fields.Has("definition")) {
    next.set_definition(fields.Text("definition"));
  }
  if (fields.Has("roleArn")) {
    next.set_role_arn(fields.Text("roleArn"));
    absl::Status good = CheckRoleArn(next.role_arn());
    if (good.ok()) good = context.check_role(next.role_arn());
    if (!good.ok()) return good;
  }
  if (fields.Has("loggingConfiguration")) {
    absl::StatusOr<kept::Logging> logging = ReadLogging(fields);
    if (!logging.ok()) return logging.status();
    *next.mutable_logging() = *std::move(logging);
  }
  if (fields.Has("tracingConfiguration")) next.set_tracing(ReadTracing(fields));
  if (fields.Has("encryptionConfiguration")) {
    absl::StatusOr<std::string> encryption = ReadEncryption(fields);
    if (!encryption.ok()) return encryption.status();
    next.set_encryption(*std::move(encryption));
  }
  return next;
}

bool HasChange(const JsonFields& fields) {
  for (const char* name : {"definition", "roleArn", "loggingConfiguration",
                           "tracingConfiguration", "encryptionConfiguration"}) {
    if (fields.Has(name)) return true;
  }
  return false;
}

Json::Value DiagnosticJson(const Diagnostic& diagnostic) {
  Json::Value value(Json::objectValue);
  value["severity"] =
      diagnostic.severity == Diagnostic::Severity::kError ? "ERROR" : "WARNING";
  value["code"] = diagnostic.code;
  value["message"] = diagnostic.message;
  if (!diagnostic.location.empty()) value["location"] = diagnostic.location;
  return value;
}

}  // namespace

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachine.html
absl::StatusOr<Json::Value> CreateStateMachine(OperationContext& context,
                                               JsonFields& fields) {
  absl::StatusOr<NewMachine> wanted = ReadNewMachine(context, fields);
  if (!wanted.ok()) return wanted.status();
  absl::StatusOr<std::shared_ptr<const StateMachine>> definition =
      context.catalog.Parse(wanted->revision.definition(),
                            wanted->machine.type());
  if (!definition.ok()) return definition.status();
  if (absl::Status good = context.check_role(wanted->revision.role_arn());
      !good.ok()) {
    return good;
  }
  Catalog& catalog = context.catalog;
  const kept::Machine* machine = catalog.FindMachine(wanted->machine.arn());
  if (machine != nullptr) {
    absl::Status same = CheckSameMachine(catalog, *machine, *wanted);
    if (!same.ok()) return same;
  } else {
    if (catalog.machines().size() >= kMaxMachines) {
      return ApiError("StateMachineLimitExceeded",
                      "The maximum number of state machines has been reached.");
    }
    const std::int64_t now = absl::ToUnixMicros(context.now);
    wanted->revision.set_key(random::NewUuid());
    wanted->revision.set_initial(true);
    wanted->revision.set_machine_arn(wanted->machine.arn());
    wanted->revision.set_created_us(now);
    wanted->machine.set_revision(wanted->revision.key());
    wanted->machine.set_created_us(now);
    wanted->machine.set_updated_us(now);
    const std::string arn = wanted->machine.arn();
    catalog.PutRevision(std::move(wanted->revision), *std::move(definition));
    catalog.PutMachine(std::move(wanted->machine));
    machine = catalog.FindMachine(arn);
  }
  Json::Value answer = CreatedJson(*machine);
  if (wanted->publish) {
    const absl::StatusOr<kept::Version> version = PublishCurrentRevision(
        catalog, *machine, wanted->version_description, context.now);
    if (!version.ok()) return version.status();
    answer["stateMachineVersionArn"] = version->arn();
  }
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_UpdateStateMachine.html
absl::StatusOr<Json::Value> UpdateStateMachine(OperationContext& context,
                                               JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const bool publish = fields.Flag("publish");
  Catalog& catalog = context.catalog;
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  const kept::Machine* machine =
      parsed->qualifier.empty() ? catalog.FindMachine(arn) : nullptr;
  if (machine == nullptr) return MachineNotFoundError(arn);
  if (absl::Status good = CheckVersionDescription(fields, publish);
      !good.ok()) {
    return good;
  }
  if (!HasChange(fields) && !publish) {
    return ApiError("MissingRequiredParameter",
                    "Either the definition, the role ARN, the "
                    "LoggingConfiguration, the TracingConfiguration, or the "
                    "EncryptionConfiguration must be specified");
  }
  const kept::Revision* current = catalog.FindRevision(machine->revision());
  if (current == nullptr) return absl::DataLossError("no current revision");
  absl::StatusOr<kept::Revision> next = ReadChanges(context, fields, *current);
  if (!next.ok()) return next.status();
  if (!SameConfiguration(*current, *next) ||
      current->role_arn() != next->role_arn()) {
    absl::StatusOr<std::shared_ptr<const StateMachine>> definition =
        catalog.Parse(next->definition(), machine->type());
    if (!definition.ok()) return definition.status();
    next->set_key(random::NewUuid());
    next->set_initial(false);
    next->set_created_us(absl::ToUnixMicros(context.now));
    kept::Machine updated = *machine;
    updated.set_revision(next->key());
    updated.set_updated_us(next->created_us());
    catalog.PutRevision(*next, *std::move(definition));
    catalog.PutMachine(std::move(updated));
    machine = catalog.FindMachine(arn);
  }
  Json::Value answer(Json::objectValue);
  answer["updateDate"] = TimeJson(context.now);
  if (!next->initial()) answer["revisionId"] = next->key();
  if (publish) {
    const absl::StatusOr<kept::Version> version = PublishCurrentRevision(
        catalog, *machine, fields.Text("versionDescription"), context.now);
    if (!version.ok()) return version.status();
    answer["stateMachineVersionArn"] = version->arn();
  }
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeStateMachine.html
absl::StatusOr<Json::Value> DescribeStateMachine(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const absl::StatusOr<StartTarget> target = context.catalog.Resolve(arn, 0);
  if (!target.ok()) return target.status();
  if (!target->alias_arn.empty()) return MachineNotFoundError(arn);
  Json::Value answer(Json::objectValue);
  AddRevisionJson(*target->revision, answer);
  answer["stateMachineArn"] = arn;
  answer["name"] = target->machine->name();
  answer["type"] = std::string(TypeName(target->machine->type()));
  answer["status"] = "ACTIVE";
  answer["creationDate"] = TimeJson(target->machine->created_us());
  if (const kept::Version* version = context.catalog.FindVersion(arn)) {
    answer["creationDate"] = TimeJson(version->created_us());
    if (!version->description().empty()) {
      answer["description"] = version->description();
    }
  }
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeStateMachineForExecution.html
absl::StatusOr<Json::Value> DescribeStateMachineForExecution(
    OperationContext& context, JsonFields& fields) {
  const std::string arn = fields.Text("executionArn");
  const absl::StatusOr<kept::Execution> execution =
      context.executions.Find(arn);
  if (!execution.ok()) return execution.status();
  const kept::Revision* revision =
      context.catalog.FindRevision(execution->revision());
  if (revision == nullptr) {
    return MachineNotFoundError(execution->machine_arn());
  }
  Json::Value answer(Json::objectValue);
  AddRevisionJson(*revision, answer);
  answer["stateMachineArn"] = execution->machine_arn();
  answer["name"] = execution->machine_name();
  answer["updateDate"] = TimeJson(revision->created_us());
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListStateMachines.html
absl::StatusOr<Json::Value> ListStateMachines(OperationContext& context,
                                              JsonFields& fields) {
  const PageFields page = ReadPage(fields);
  std::vector<std::string> keys;
  const std::string prefix =
      StatesArn(PlaceOf(context.call), kMachineResource, "");
  const auto& machines = context.catalog.machines();
  for (auto it = machines.lower_bound(prefix);
       it != machines.end() && absl::StartsWith(it->first, prefix); ++it) {
    keys.push_back(it->first);
  }
  return PageAnswer("stateMachines", keys, KeyOrder::kAscending, page,
                    [&](std::size_t i) {
                      const kept::Machine& machine = machines.at(keys[i]);
                      Json::Value entry = CreatedJson(machine);
                      entry["name"] = machine.name();
                      entry["type"] = std::string(TypeName(machine.type()));
                      return entry;
                    });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachine.html
absl::StatusOr<Json::Value> DeleteStateMachine(OperationContext& context,
                                               JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  if (!parsed->qualifier.empty()) {
    return ValidationError(
        "The ARN must be that of a state machine, without a version or an "
        "alias.");
  }
  if (context.catalog.FindMachine(arn) != nullptr) {
    context.executions.StopAllOf(arn);
    context.catalog.RemoveMachine(arn);
  }
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ValidateStateMachineDefinition.html
absl::StatusOr<Json::Value> ValidateStateMachineDefinition(
    OperationContext& context, JsonFields& fields) {
  const std::string definition = fields.Text("definition");
  const bool warnings = fields.Text("severity") == "WARNING";
  const std::int64_t limit = fields.FindInteger("maxResults").value_or(0);
  const ParsedDefinition parsed =
      context.catalog.ParseAll(definition, ReadType(fields));
  Json::Value answer(Json::objectValue);
  answer["result"] = parsed.machine == nullptr ? "FAIL" : "OK";
  answer["diagnostics"] = Json::arrayValue;
  answer["truncated"] = false;
  const std::int64_t most = limit == 0 ? kDefaultPageSize : limit;
  for (const Diagnostic& diagnostic : parsed.diagnostics) {
    if (!warnings && diagnostic.severity != Diagnostic::Severity::kError) {
      continue;
    }
    if (answer["diagnostics"].size() == most) {
      answer["truncated"] = true;
      break;
    }
    answer["diagnostics"].append(DiagnosticJson(diagnostic));
  }
  return answer;
}

}  // namespace byoshin::local::stepfunctions
