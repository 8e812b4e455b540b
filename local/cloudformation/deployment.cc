#include "local/cloudformation/deployment.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/crypto/sha256.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/dynamic_reference.h"
#include "local/cloudformation/order.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/schema.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

// Different for each resource and deployment.
std::string NameSuffix(const Stack& stack, absl::string_view logical_id) {
  constexpr absl::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const crypto::Sha256Digest digest = crypto::Sha256(
      absl::StrCat(stack.id, "\n", logical_id, "\n", stack.deployment));
  std::string suffix;
  for (std::size_t i = 0; i < kNameSuffixLength; ++i) {
    suffix.push_back(kDigits[digest[i] % kDigits.size()]);
  }
  return suffix;
}

}  // namespace

bool NeedsReplacement(const ResourceSchema& schema, const Json::Value& a,
                      const Json::Value& b) {
  return std::any_of(
      schema.create_only.begin(), schema.create_only.end(),
      [&](const std::string& name) { return a[name] != b[name]; });
}

absl::Status Failure(const StackResource& resource,
                     const absl::Status& status) {
  if (status.ok()) return status;
  return absl::AbortedError(absl::StrCat("resource ", resource.logical_id, " (",
                                         resource.type,
                                         "): ", status.message()));
}

absl::Status Deployment::Prepare(const Stack* stack) {
  dependencies_ = DependenciesOf(parts_.t, parts_.resolver);
  absl::StatusOr<std::vector<std::string>> order = InOrder(dependencies_);
  if (!order.ok()) return order.status();
  order_ = *std::move(order);
  if (order_.empty()) {
    return absl::InvalidArgumentError(
        "the conditions leave the stack without any resource");
  }
  if (stack == nullptr) return absl::OkStatus();
  std::vector<std::string> changed;
  for (const std::string& id : order_) {
    const auto known = stack->resources.find(id);
    if (known != stack->resources.end() &&
        known->second.type != parts_.t.resources.at(id).type) {
      changed.push_back(id);
    }
  }
  if (changed.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "Update of resource type is not permitted. The new template modifies "
      "resource type of the following resources: [",
      absl::StrJoin(changed, ", "), "]"));
}

absl::StatusOr<bool> Deployment::Run() {
  ResourceDriver driver(parts_.stacks, parts_.registry, parts_.context);
  update_ = stack().established;
  absl::Status failure = FinishCleanUp(driver);
  if (failure.ok()) failure = DiscardUnknown(driver);
  for (const std::string& id : order_) {
    if (!failure.ok()) break;
    failure = Apply(id, driver);
  }
  std::map<std::string, StackOutput> outputs;
  if (failure.ok()) {
    absl::StatusOr<std::map<std::string, StackOutput>> resolved = Outputs();
    if (resolved.ok()) {
      outputs = *std::move(resolved);
    } else {
      failure = resolved.status();
    }
  }
  if (failure.ok()) {
    if (absl::Status finished = Finish(std::move(outputs), driver);
        !finished.ok()) {
      return finished;
    }
    return begun_;
  }
  const std::string left = RollBack(driver, failure.message());
  return absl::AbortedError(absl::StrCat(
      absl::StripSuffix(failure.message(), "."), "; ",
      left.empty() ? "the deployment was rolled back"
                   : absl::StrCat("and rolling back failed: ", left)));
}

absl::Status Deployment::Begin(ResourceDriver& driver) {
  if (begun_) return absl::OkStatus();
  begun_ = true;
  SetStatus(update_ ? status::kUpdateInProgress : status::kCreateInProgress, "",
            driver);
  return parts_.stacks.Commit();
}

void Deployment::SetStatus(absl::string_view status, absl::string_view reason,
                           ResourceDriver& driver) {
  parts_.stacks.ChangeHead(parts_.context.stack_name, [&](Stack& stack) {
    stack.status = std::string(status);
    stack.reason = std::string(reason);
    stack.updated = parts_.clock.Now();
  });
  driver.AddStackEvent(status, reason);
}

absl::StatusOr<std::string> Deployment::Lookup(
    const std::string& resource, const std::string& attribute) const {
  const auto found = stack().resources.find(resource);
  if (!parts_.resolver.Exists(resource) || found == stack().resources.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("refers to resource ", resource,
                     ", whose condition leaves it out of this deployment"));
  }
  const ResourceState& state = found->second.state;
  if (attribute.empty()) return state.physical_id;
  const auto value = state.attributes.find(attribute);
  if (value != state.attributes.end()) return value->second;
  if (parts_.registry.Find(found->second.type)->schema().any_attribute) {
    return absl::InvalidArgumentError(
        absl::StrCat("Vendor response doesn't contain ", attribute,
                     " attribute in object ", resource));
  }
  return absl::InternalError(
      absl::StrCat("resource ", resource, " has no attribute ", attribute));
}

absl::StatusOr<StackResource> Deployment::Resolve(const std::string& id,
                                                  ResourceDriver& driver) {
  const TemplateResource& source = parts_.t.resources.at(id);
  StackResource next;
  next.logical_id = id;
  next.type = source.type;
  next.depends_on = dependencies_[id];
  next.deletion_policy =
      source.deletion_policy.value_or(RemovalPolicy::kDelete);
  next.update_replace_policy =
      source.update_replace_policy.value_or(RemovalPolicy::kDelete);
  next.name_suffix = NameSuffix(stack(), id);
  const auto lookup = [this](const std::string& resource,
                             const std::string& attribute) {
    return Lookup(resource, attribute);
  };
  absl::StatusOr<Json::Value> properties =
      parts_.resolver.Properties(*source.properties, lookup);
  if (!properties.ok()) return Failure(next, properties.status());
  next.properties = *std::move(properties);
  if (absl::Status checked = CheckResolved(next); !checked.ok()) {
    return Failure(next, checked);
  }
  absl::StatusOr<std::string> fingerprint = driver.Fingerprint(next);
  if (!fingerprint.ok()) return Failure(next, fingerprint.status());
  next.fingerprint = *std::move(fingerprint);
  return next;
}

absl::Status Deployment::CheckResolved(const StackResource& next) const {
  const std::vector<SchemaMistake> mistakes =
      parts_.registry.FindSchema(next.type)->Check(next.properties);
  if (!mistakes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "property ", mistakes.front().path, " ", mistakes.front().what));
  }
  if (std::optional<DynamicReference> reference =
          FindUnknownReference(next.properties, parts_.registry)) {
    return absl::InvalidArgumentError(reference->Describe());
  }
  return absl::OkStatus();
}

absl::Status Deployment::Apply(const std::string& id, ResourceDriver& driver) {
  absl::StatusOr<StackResource> resolved = Resolve(id, driver);
  if (!resolved.ok()) {
    if (absl::Status begun = Begin(driver); !begun.ok()) return begun;
    return resolved.status();
  }
  StackResource next = *std::move(resolved);
  if (absl::Status settled = Settle(next, driver); !settled.ok()) {
    return Failure(next, settled);
  }
  const auto known = stack().resources.find(id);
  if (known == stack().resources.end()) {
    if (absl::Status begun = Begin(driver); !begun.ok()) return begun;
    return Make(std::move(next), nullptr, driver);
  }
  const StackResource before = known->second;
  const bool replaced =
      NeedsReplacement(parts_.registry.Find(next.type)->schema(),
                       before.properties, next.properties);
  if (!replaced && before.taken_up) {
    next.taken_up = true;
    KeepRetained(before, next);
  }
  const bool complete = absl::EndsWith(before.status, "_COMPLETE");
  const bool affected = DependsOnRecreated(next);
  if (complete && before.properties == next.properties &&
      before.fingerprint == next.fingerprint && !affected) {
    return RecordUnchanged(std::move(next), before, driver);
  }
  // Its dependents may have copied something from it.
  if (affected) recreated_.insert(id);
  if (absl::Status begun = Begin(driver); !begun.ok()) return begun;
  if (replaced) return Make(std::move(next), &before, driver);
  if (!complete) {
    const absl::StatusOr<bool> missing = driver.IsMissing(before);
    if (!missing.ok()) return Failure(next, missing.status());
    if (*missing) return Recreate(std::move(next), before, driver);
  }
  next.name_suffix = before.name_suffix;
  next.state = before.state;
  // Also on failure: the change may have begun.
  steps_.push_back({.kind = Step::Kind::kUpdated,
                    .logical_id = id,
                    .before = before,
                    .attempted = next.properties});
  return Failure(next, driver.Update(next, before.properties));
}

absl::Status Deployment::RecordUnchanged(StackResource next,
                                         const StackResource& before,
                                         ResourceDriver& driver) {
  if (before.depends_on == next.depends_on &&
      before.deletion_policy == next.deletion_policy &&
      before.update_replace_policy == next.update_replace_policy) {
    return absl::OkStatus();
  }
  next.status = before.status;
  next.state = before.state;
  next.name_suffix = before.name_suffix;
  steps_.push_back({.kind = Step::Kind::kRecorded,
                    .logical_id = next.logical_id,
                    .before = before});
  return driver.Record(std::move(next));
}

void Deployment::AddMakingStep(const std::string& id,
                               const StackResource* before) {
  if (before == nullptr) {
    steps_.push_back({.kind = Step::Kind::kCreated, .logical_id = id});
  } else {
    steps_.push_back(
        {.kind = Step::Kind::kReplaced, .logical_id = id, .before = *before});
  }
}

absl::StatusOr<std::map<std::string, StackOutput>> Deployment::Outputs() const {
  std::map<std::string, StackOutput> outputs;
  std::set<std::string> taken;
  for (const std::string& name : parts_.stacks.Names()) {
    if (name == parts_.context.stack_name) continue;
    for (const auto& [id, output] : parts_.stacks.Get(name)->outputs) {
      taken.insert(output.export_name);
    }
  }
  taken.insert("");
  const auto lookup = [this](const std::string& resource,
                             const std::string& attribute) {
    return Lookup(resource, attribute);
  };
  for (const auto& [name, source] : parts_.t.outputs) {
    if (!parts_.resolver.IsTrue(source.condition)) continue;
    const auto fail = [&, name = name](absl::string_view what) {
      return absl::AbortedError(absl::StrCat("output ", name, ": ", what));
    };
    absl::StatusOr<std::string> value =
        parts_.resolver.Text(*source.value, lookup);
    if (!value.ok()) return fail(value.status().message());
    StackOutput output{.value = *std::move(value),
                       .description = source.description};
    if (source.export_name != nullptr) {
      absl::StatusOr<std::string> exported =
          parts_.resolver.Text(*source.export_name, lookup);
      if (!exported.ok()) return fail(exported.status().message());
      output.export_name = *std::move(exported);
      if (!taken.insert(output.export_name).second) {
        return fail(absl::StrCat("the export name ", output.export_name,
                                 " is empty or in use already"));
      }
    }
    outputs[name] = std::move(output);
  }
  return outputs;
}

absl::Status Deployment::Finish(std::map<std::string, StackOutput> outputs,
                                ResourceDriver& driver) {
  const std::string& name = parts_.context.stack_name;
  std::map<std::string, std::string> shown;
  for (const auto& [parameter, value] : parts_.parameters) {
    shown[parameter] = value.Shown();
  }
  std::vector<StackResource> removed;
  for (const auto& [id, resource] : stack().resources) {
    if (dependencies_.count(id) == 0) removed.push_back(resource);
  }
  const auto same_outputs = [&] {
    return std::equal(outputs.begin(), outputs.end(), stack().outputs.begin(),
                      stack().outputs.end(), [](const auto& a, const auto& b) {
                        return a.first == b.first &&
                               a.second.value == b.second.value &&
                               a.second.export_name == b.second.export_name;
                      });
  };
  const bool changed = begun_ || !removed.empty() || !same_outputs() ||
                       !stack().obsolete.empty() || stack().in_progress() ||
                       !absl::EndsWith(stack().status, "_COMPLETE");
  if (changed) {
    if (absl::Status begun = Begin(driver); !begun.ok()) return begun;
  }
  parts_.stacks.ChangeHead(name, [&](Stack& stack) {
    stack.template_text = parts_.t.text;
    stack.parameters = std::move(shown);
    stack.supplied = parts_.supplied;
    stack.outputs = std::move(outputs);
    stack.established = true;
    for (const StackResource& resource : removed) {
      stack.obsolete.push_back(resource);
    }
    for (StackResource& resource : stack.obsolete) {
      resource.status = status::kDeleteInProgress;
    }
  });
  for (const StackResource& resource : removed) {
    parts_.stacks.RemoveResource(name, resource.logical_id);
  }
  if (!changed) return parts_.stacks.Commit();
  if (!stack().obsolete.empty()) {
    SetStatus(status::kUpdateCleanup, "", driver);
  }
  // From here on, no rollback is possible: deletions are final.
  if (absl::Status kept = parts_.stacks.Commit(); !kept.ok()) return kept;
  if (absl::Status cleaned = CleanUp(driver); !cleaned.ok()) return cleaned;
  SetStatus(update_ ? status::kUpdateComplete : status::kCreateComplete, "",
            driver);
  return parts_.stacks.Commit();
}

}  // namespace byoshin::local::cloudformation
