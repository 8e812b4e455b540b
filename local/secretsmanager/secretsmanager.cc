#include "local/secretsmanager/secretsmanager.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/async/await.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "local/gateway/json_api.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/permission.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/filters.h"
#include "local/store/run_on_loop.h"
#include "local/wire/models.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr ServiceTraits kTraits = {.name = "secretsmanager",
                                   .target_prefix = "secretsmanager",
                                   .json_content_type = kJson11ContentType,
                                   .error_type_prefix = "",
                                   .access_denied_status = 400};

// AWS has words of its own for these.
constexpr absl::string_view kExempt[] = {"ClientRequestToken",
                                         "PasswordLength"};
constexpr FieldErrors kFieldErrors = {.model = &wire::kSecretsmanagerModel,
                                      .exempt = kExempt,
                                      .invalid_code = kValidationException};

// In place of the six random characters of a secret that does not exist, so
// that a policy's "NAME-??????" matches.
constexpr char kUnknownSuffix[] = "-000000";

// "arn:aws:secretsmanager:REGION:…"; `otherwise` if it is not an ARN.
std::string RegionOf(absl::string_view arn, const std::string& otherwise) {
  const std::vector<absl::string_view> parts = absl::StrSplit(arn, ':');
  return parts.size() > 3 && parts[0] == "arn" ? std::string(parts[3])
                                               : otherwise;
}

}  // namespace

SecretsManager::SecretsManager(World world)
    : world_(std::move(world)),
      schedule_deletion_(
          [this](const Secret& secret) { ScheduleDeletion(secret); }),
      vault_(world_.store),
      loop_(world_.store, world_.clock, {.on_rollback = [this] {
              // What can't be read can't be written either.
              Load().IgnoreError();
            }}) {}

SecretsManager::~SecretsManager() { loop_.Stop(); }

absl::StatusOr<std::unique_ptr<SecretsManager>> SecretsManager::Open(
    World world) {
  std::unique_ptr<SecretsManager> manager(new SecretsManager(std::move(world)));
  absl::Status loaded;
  RunOnLoop(manager->loop_, [&] { loaded = manager->Load(); });
  if (!loaded.ok()) return loaded;
  return manager;
}

absl::Status SecretsManager::Load() {
  const sync::MutexLock lock(mutex_);
  if (absl::Status loaded = vault_.Load(); !loaded.ok()) return loaded;
  for (const auto& [key, secret] : vault_.all()) {
    if (secret.deletion.has_value()) ScheduleDeletion(secret);
    if (world_.on_policy && !secret.policy.empty()) {
      world_.on_policy({.arn = secret.arn, .policy = secret.policy});
    }
  }
  return absl::OkStatus();
}

void SecretsManager::ScheduleDeletion(const Secret& secret) {
  loop_.At(*secret.deletion,
           [this, region = secret.region, arn = secret.arn]() -> AfterCommit {
             return DeleteIfDue(region, arn);
           });
}

// The secret may have been restored since, and even deleted again.
AfterCommit SecretsManager::DeleteIfDue(const std::string& region,
                                        const std::string& arn) {
  const sync::MutexLock lock(mutex_);
  const Secret* secret = vault_.Find(region, arn);
  if (secret == nullptr || !secret->deletion.has_value() ||
      *secret->deletion > world_.clock.Now()) {
    return nullptr;
  }
  const bool had_policy = !secret->policy.empty();
  vault_.Remove(*secret);
  if (!had_policy || !world_.on_policy) return nullptr;
  return [this, arn](const absl::Status& committed) {
    if (committed.ok()) world_.on_policy({.arn = arn});
  };
}

const ServiceTraits& SecretsManager::traits() const { return kTraits; }

std::string SecretsManager::PolicyArn(const Call& call,
                                      const std::string& id) const {
  const sync::MutexLock lock(mutex_);
  const Secret* secret = vault_.Find(call.region, id);
  if (secret != nullptr) return secret->arn;
  if (absl::StartsWith(id, "arn:")) return id;
  return absl::StrCat(
      PartialArn({.region = call.region, .account_id = call.caller.account_id},
                 id),
      kUnknownSuffix);
}

std::vector<std::string> SecretsManager::FilteredArns(const Call& call) const {
  JsonFields fields(call, kFieldErrors);
  const absl::StatusOr<std::vector<Filter>> filters = ReadFilters(fields);
  std::vector<std::string> arns;
  // The operation refuses an invalid request.
  if (!filters.ok()) return arns;
  const sync::MutexLock lock(mutex_);
  for (const Secret* secret : vault_.List(call.region)) {
    if (!secret->deletion.has_value() && Matches(*secret, *filters)) {
      arns.push_back(secret->arn);
    }
  }
  return arns;
}

std::vector<NeededPermission> SecretsManager::PermissionsFor(
    const Call& call) const {
  const auto action = [](absl::string_view operation) {
    return absl::StrCat(kTraits.name, ":", operation);
  };
  std::vector<NeededPermission> needed;
  const bool create = call.operation == "CreateSecret";
  const std::string id = ParameterOf(call, create ? "Name" : "SecretId");
  needed.push_back({.action = action(call.operation),
                    .resource = id.empty() ? "*" : PolicyArn(call, id)});
  if (call.body.empty() || !call.JsonBody().ok() ||
      !call.JsonBody()->isObject()) {
    return needed;
  }
  const Json::Value& body = *call.JsonBody();
  if (create && body["Tags"].isArray() && !body["Tags"].empty()) {
    needed.push_back(
        {.action = action("TagResource"), .resource = needed[0].resource});
  }
  if (call.operation == "BatchGetSecretValue") {
    if (body.isMember("Filters")) {
      needed.push_back({.action = action("ListSecrets"), .resource = "*"});
      for (std::string& arn : FilteredArns(call)) {
        needed.push_back(
            {.action = action("GetSecretValue"), .resource = std::move(arn)});
      }
    }
    for (const Json::Value& entry : body["SecretIdList"]) {
      if (!entry.isString()) continue;
      needed.push_back({.action = action("GetSecretValue"),
                        .resource = PolicyArn(call, entry.asString())});
    }
  }
  return needed;
}

void SecretsManager::Handle(Call call, AnswerFunction answer) {
  const Operation operation = FindOperation(call.operation);
  if (operation == nullptr) {
    return answer(
        Json11Answer(UnknownJsonOperation("Secrets Manager", call.operation)));
  }
  loop_.SubmitOrRun([this, operation,
                     call = std::make_shared<Call>(std::move(call)),
                     answer = std::move(answer)]() -> AfterCommit {
    auto result = std::make_shared<absl::StatusOr<Json::Value>>();
    std::optional<PolicyChange> policy_change;
    {
      const sync::MutexLock lock(mutex_);
      OperationContext context{.vault = vault_,
                               .call = *call,
                               .now = world_.clock.Now(),
                               .schedule_deletion = schedule_deletion_,
                               .check_policy = world_.check_policy};
      JsonFields fields(*call, kFieldErrors);
      *result =
          fields.status().ok() ? operation(context, fields) : fields.status();
      policy_change = std::move(context.policy_change);
    }
    return
        [this, answer, result, policy_change](const absl::Status& committed) {
          if (committed.ok() && policy_change.has_value() && world_.on_policy) {
            world_.on_policy(*policy_change);
          }
          answer(Json11Answer(committed.ok() ? *result : committed));
        };
  });
}

absl::StatusOr<std::string> SecretsManager::ValueOf(
    const std::string& region, const VersionRequest& request) const {
  const sync::MutexLock lock(mutex_);
  const std::string& id = request.secret_id;
  const Secret* secret = vault_.Find(region, id);
  if (secret == nullptr) {
    return absl::NotFoundError(absl::StrCat("there is no secret ", id));
  }
  if (secret->deletion.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the secret ", id, " is scheduled for deletion"));
  }
  const Version* version =
      request.version_id.empty()
          ? secret->FindStage(request.stage.empty() ? kCurrentStage
                                                    : request.stage)
          : secret->FindVersion(request.version_id);
  if (version == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("the secret ", id, " has no such version"));
  }
  if (version->value.kind != SecretValue::Kind::kText) {
    return absl::FailedPreconditionError(
        absl::StrCat("the secret ", id, " has a binary value"));
  }
  return version->value.bytes;
}

absl::StatusOr<std::string> SecretsManager::CurrentValue(
    absl::string_view arn_or_name) const {
  return ValueOf(RegionOf(arn_or_name, world_.region),
                 {.secret_id = std::string(arn_or_name)});
}

absl::Status SecretsManager::Change(absl::FunctionRef<absl::Status()> change) {
  return async::Await<absl::Status>([&](auto done) {
    loop_.Submit([change, done]() -> AfterCommit {
      absl::Status changed = change();
      return [changed, done](const absl::Status& committed) {
        done(changed.ok() ? committed : changed);
      };
    });
  });
}

absl::StatusOr<std::string> SecretsManager::CreateManaged(
    const ManagedSecret& managed) {
  const std::optional<ArnParts> place =
      managed.arn.empty()
          ? ArnParts{.region = managed.region.empty() ? world_.region
                                                      : managed.region,
                     .name = managed.name}
          : ParseArn(managed.arn);
  if (!place.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat(managed.arn, " is not the ARN of a secret"));
  }
  const auto& [region, name] = *place;
  Secret secret{
      .name = name,
      .arn = managed.arn.empty()
                 ? NewArn({.region = region, .account_id = world_.account_id},
                          name)
                 : managed.arn,
      .region = region,
      .description = managed.description,
      .owning_service = managed.owning_service,
      .tags = managed.tags};
  secret.tags["aws:secretsmanager:owningService"] = managed.owning_service;
  absl::Status created = Change([&] {
    const sync::MutexLock lock(mutex_);
    if (vault_.Find(secret.region, secret.name) != nullptr) {
      return absl::AlreadyExistsError(
          absl::StrCat("there is already a secret ", secret.name));
    }
    secret.created = secret.changed = world_.clock.Now();
    secret.AddVersion({.id = random::NewUuid(),
                       .value = {.bytes = managed.value},
                       .created = secret.created},
                      {kCurrentStage});
    vault_.Save(secret);
    return absl::OkStatus();
  });
  if (!created.ok()) return created;
  return secret.arn;
}

Secret* SecretsManager::FindManaged(absl::string_view arn) {
  Secret* secret = vault_.Find(RegionOf(arn, world_.region), arn);
  return secret == nullptr || secret->owning_service.empty() ? nullptr : secret;
}

absl::Status SecretsManager::PutManaged(absl::string_view arn,
                                        absl::string_view value) {
  return Change([&] {
    const sync::MutexLock lock(mutex_);
    Secret* secret = FindManaged(arn);
    if (secret == nullptr) {
      return absl::NotFoundError(
          absl::StrCat("there is no managed secret ", arn));
    }
    secret->changed = world_.clock.Now();
    secret->AddVersion({.id = random::NewUuid(),
                        .value = {.bytes = std::string(value)},
                        .created = secret->changed},
                       {kCurrentStage});
    vault_.Save(*secret);
    return absl::OkStatus();
  });
}

absl::Status SecretsManager::DeleteManaged(absl::string_view arn) {
  return Change([&] {
    const sync::MutexLock lock(mutex_);
    const Secret* secret = FindManaged(arn);
    if (secret != nullptr) vault_.Remove(*secret);
    return absl::OkStatus();
  });
}

}  // namespace byoshin::local::secretsmanager
