#include "local/stepfunctions/catalog.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/keys.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions {
namespace {

template <typename Message>
absl::Status LoadAll(Store& store, absl::string_view prefix,
                     std::map<std::string, Message>& all) {
  all.clear();
  absl::Status damage;
  absl::Status scanned =
      store.Scan(PrefixRange(prefix), Store::Direction::kForward,
                 [&](absl::string_view key, absl::string_view value) {
                   Message message;
                   if (!message.ParseFromString(std::string(value))) {
                     damage = absl::DataLossError(
                         absl::StrCat("the record ", key, " is damaged"));
                     return Store::Visit::kStop;
                   }
                   all.insert_or_assign(std::string(key.substr(prefix.size())),
                                        std::move(message));
                   return Store::Visit::kContinue;
                 });
  scanned.Update(damage);
  return scanned;
}

// A failure shows in the commit.
template <typename Message>
void Save(Store& store, absl::string_view prefix, const std::string& id,
          const Message& message) {
  store.Put(absl::StrCat(prefix, id), message.SerializeAsString())
      .IgnoreError();
}

void Erase(Store& store, absl::string_view prefix, const std::string& id) {
  store.Delete(absl::StrCat(prefix, id)).IgnoreError();
}

template <typename Value>
const Value* FindIn(const std::map<std::string, Value>& all,
                    const std::string& key) {
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

// Those whose ARN is that of the machine with a qualifier.
template <typename Value>
std::vector<const Value*> QualifiedOf(const std::map<std::string, Value>& all,
                                      const std::string& machine_arn) {
  std::vector<const Value*> result;
  const std::string prefix = absl::StrCat(machine_arn, ":");
  for (auto it = all.lower_bound(prefix);
       it != all.end() && it->second.machine_arn() == machine_arn; ++it) {
    result.push_back(&it->second);
  }
  return result;
}

}  // namespace

absl::Status Catalog::Load() {
  absl::Status loaded = LoadAll(store_, kMachinePrefix, machines_);
  loaded.Update(LoadAll(store_, kVersionPrefix, versions_));
  loaded.Update(LoadAll(store_, kAliasPrefix, aliases_));
  loaded.Update(LoadAll(store_, kActivityPrefix, activities_));
  std::map<std::string, kept::Revision> revisions;
  loaded.Update(LoadAll(store_, kRevisionPrefix, revisions));
  revisions_.clear();
  for (auto& [key, revision] : revisions) {
    revisions_[key].kept = std::move(revision);
  }
  return loaded;
}

const kept::Machine* Catalog::FindMachine(const std::string& arn) const {
  return FindIn(machines_, arn);
}

void Catalog::PutMachine(kept::Machine machine) {
  Save(store_, kMachinePrefix, machine.arn(), machine);
  std::string arn = machine.arn();
  machines_.insert_or_assign(std::move(arn), std::move(machine));
}

void Catalog::RemoveMachine(const std::string& arn) {
  for (const kept::Alias* alias : AliasesOf(arn)) {
    RemoveAlias(std::string(alias->arn()));
  }
  for (const kept::Version* version : VersionsOf(arn)) {
    RemoveVersion(std::string(version->arn()));
  }
  Erase(store_, kMachinePrefix, arn);
  machines_.erase(arn);
}

const kept::Revision* Catalog::FindRevision(const std::string& key) const {
  const RevisionEntry* entry = FindIn(revisions_, key);
  return entry == nullptr ? nullptr : &entry->kept;
}

void Catalog::PutRevision(kept::Revision revision,
                          std::shared_ptr<const StateMachine> definition) {
  Save(store_, kRevisionPrefix, revision.key(), revision);
  std::string key = revision.key();
  revisions_.insert_or_assign(
      std::move(key), RevisionEntry{.kept = std::move(revision),
                                    .definition = std::move(definition)});
}

absl::StatusOr<std::shared_ptr<const StateMachine>> Catalog::DefinitionOf(
    const kept::Revision& revision) {
  RevisionEntry& entry = revisions_.at(revision.key());
  if (entry.definition == nullptr) {
    const kept::Machine* machine = FindMachine(revision.machine_arn());
    ParsedDefinition parsed = ParseDefinition(
        revision.definition(),
        {.compiler = compiler_,
         .express = machine != nullptr && machine->type() == kept::EXPRESS,
         .stored = true});
    if (parsed.machine == nullptr) {
      return ApiError("InvalidDefinition",
                      InvalidDefinitionMessage(parsed.errors()));
    }
    entry.definition = std::move(parsed.machine);
  }
  return entry.definition;
}

void Catalog::RemoveRevisionsUnless(
    const std::function<bool(const std::string& key)>& used) {
  std::set<std::string> current;
  for (const auto& [arn, machine] : machines_) {
    current.insert(machine.revision());
  }
  for (const auto& [arn, version] : versions_) {
    current.insert(version.revision());
  }
  for (auto it = revisions_.begin(); it != revisions_.end();) {
    if (current.contains(it->first) || used(it->first)) {
      ++it;
      continue;
    }
    Erase(store_, kRevisionPrefix, it->first);
    it = revisions_.erase(it);
  }
}

ParsedDefinition Catalog::ParseAll(absl::string_view definition,
                                   kept::Type type) const {
  return ParseDefinition(
      definition, {.compiler = compiler_, .express = type == kept::EXPRESS});
}

absl::StatusOr<std::shared_ptr<const StateMachine>> Catalog::Parse(
    absl::string_view definition, kept::Type type) const {
  ParsedDefinition parsed = ParseAll(definition, type);
  if (parsed.machine != nullptr) return std::move(parsed.machine);
  return ApiError("InvalidDefinition",
                  InvalidDefinitionMessage(parsed.errors()));
}

std::vector<const kept::Version*> Catalog::VersionsOf(
    const std::string& machine_arn) const {
  std::vector<const kept::Version*> versions =
      QualifiedOf(versions_, machine_arn);
  std::sort(versions.begin(), versions.end(),
            [](const kept::Version* a, const kept::Version* b) {
              return a->number() < b->number();
            });
  return versions;
}

const kept::Version* Catalog::FindVersion(const std::string& arn) const {
  return FindIn(versions_, arn);
}

void Catalog::PutVersion(kept::Version version) {
  Save(store_, kVersionPrefix, version.arn(), version);
  std::string arn = version.arn();
  versions_.insert_or_assign(std::move(arn), std::move(version));
}

void Catalog::RemoveVersion(const std::string& arn) {
  Erase(store_, kVersionPrefix, arn);
  versions_.erase(arn);
}

std::vector<const kept::Alias*> Catalog::AliasesOf(
    const std::string& machine_arn) const {
  return QualifiedOf(aliases_, machine_arn);
}

const kept::Alias* Catalog::FindAlias(const std::string& arn) const {
  return FindIn(aliases_, arn);
}

void Catalog::PutAlias(kept::Alias alias) {
  Save(store_, kAliasPrefix, alias.arn(), alias);
  std::string arn = alias.arn();
  aliases_.insert_or_assign(std::move(arn), std::move(alias));
}

void Catalog::RemoveAlias(const std::string& arn) {
  Erase(store_, kAliasPrefix, arn);
  aliases_.erase(arn);
}

const kept::Activity* Catalog::FindActivity(const std::string& arn) const {
  return FindIn(activities_, arn);
}

void Catalog::PutActivity(kept::Activity activity) {
  Save(store_, kActivityPrefix, activity.arn(), activity);
  std::string arn = activity.arn();
  activities_.insert_or_assign(std::move(arn), std::move(activity));
}

void Catalog::RemoveActivity(const std::string& arn) {
  Erase(store_, kActivityPrefix, arn);
  activities_.erase(arn);
}

absl::StatusOr<StartTarget> Catalog::Resolve(absl::string_view arn,
                                             int percentile) const {
  const absl::StatusOr<MachineArn> parsed = ParseMachineArn(arn);
  if (!parsed.ok()) return parsed.status();
  StartTarget target{.machine = FindMachine(parsed->machine)};
  if (target.machine == nullptr) return MachineNotFoundError(arn);
  std::string revision = target.machine->revision();
  if (!parsed->qualifier.empty()) {
    std::string version_arn = std::string(arn);
    if (const kept::Alias* alias = FindAlias(version_arn)) {
      target.alias_arn = alias->arn();
      int below = 0;
      for (const kept::Route& route : alias->routes()) {
        version_arn = route.version_arn();
        below += route.weight();
        if (percentile < below) break;
      }
    }
    const kept::Version* version = FindVersion(version_arn);
    if (version == nullptr) return MachineNotFoundError(arn);
    target.version_arn = version->arn();
    revision = version->revision();
  }
  target.revision = FindRevision(revision);
  if (target.revision == nullptr) {
    return absl::DataLossError(
        absl::StrCat("the revision ", revision, " of ", arn, " is missing"));
  }
  return target;
}

}  // namespace byoshin::local::stepfunctions
