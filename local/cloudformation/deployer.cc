#include "local/cloudformation/deployer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/cloudformation/check.h"
#include "local/cloudformation/deployment.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/order.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"
#include "local/cloudformation/template.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr std::size_t kMaxStackNameLength = 128;

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html
absl::Status CheckStackName(absl::string_view name) {
  const bool valid =
      !name.empty() && name.size() <= kMaxStackNameLength &&
      absl::ascii_isalpha(static_cast<unsigned char>(name[0])) &&
      std::all_of(name.begin(), name.end(), [](char c) {
        return c == '-' || absl::ascii_isalnum(static_cast<unsigned char>(c));
      });
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the name of a stack must begin with a letter and have only letters, "
      "digits and hyphens, at most ",
      kMaxStackNameLength));
}

absl::Status OfStack(const std::string& name, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat("stack ", name, ": ", status.message()));
}

}  // namespace

Deployer::Deployer(Store& store, time::Clock& clock,
                   const ProviderRegistry& registry, DeployerOptions options)
    : clock_(clock),
      registry_(registry),
      options_(std::move(options)),
      stacks_(store, clock, options_.on_event) {}

absl::StatusOr<std::unique_ptr<Deployer>> Deployer::Open(
    Store& store, time::Clock& clock, const ProviderRegistry& registry,
    DeployerOptions options) {
  std::unique_ptr<Deployer> deployer(
      new Deployer(store, clock, registry, std::move(options)));
  if (absl::Status status = deployer->stacks_.Load(); !status.ok()) {
    return status;
  }
  return deployer;
}

int Deployer::Subscribe(StackListeners::Listener listener) {
  const sync::MutexLock lock(deploying_);
  for (const std::string& name : stacks_.Names()) listener(*stacks_.Get(name));
  return listeners_.Add(std::move(listener));
}

StackContext Deployer::ContextOf(const Stack& stack) const {
  StackContext context = options_.context;
  context.stack_name = stack.name;
  context.stack_id = stack.id;
  return context;
}

absl::Status Deployer::Restore() {
  const sync::MutexLock lock(deploying_);
  const time::Hold hold(clock_);
  absl::StatusCode code = absl::StatusCode::kOk;
  std::vector<std::string> failures;  // one for each stack
  for (const std::string& name : stacks_.Names()) {
    const Stack& stack = *stacks_.Get(name);
    const StackContext context = ContextOf(stack);
    ResourceDriver driver(stacks_, registry_, context);
    std::vector<StackResource> resources;
    for (const auto& [id, resource] : stack.resources) {
      resources.push_back(resource);
    }
    resources = InDeletionOrder(std::move(resources));
    std::reverse(resources.begin(), resources.end());
    // The first failure is often the cause of the others.
    std::string first;
    int others = 0;
    for (const StackResource& resource : resources) {
      const absl::Status restored = driver.Restore(resource);
      if (restored.ok()) continue;
      if (code == absl::StatusCode::kOk) code = restored.code();
      if (!first.empty()) {
        ++others;
        continue;
      }
      first = absl::StrCat("stack ", name, ": resource ", resource.logical_id,
                           " could not be restored: ", restored.message());
    }
    if (others > 0) {
      absl::StrAppend(&first, " (and ", others, " more of its resources)");
    }
    if (!first.empty()) failures.push_back(std::move(first));
  }
  return absl::Status(code, absl::StrJoin(failures, "; "));
}

absl::StatusOr<DeployResult> Deployer::Deploy(const DeployRequest& request) {
  const sync::MutexLock lock(deploying_);
  const time::Hold hold(clock_);
  const std::string& name = request.stack_name;
  if (absl::Status status = CheckStackName(name); !status.ok()) return status;
  absl::StatusOr<Template> t = ParseTemplate(request.template_text);
  if (!t.ok()) return OfStack(name, t.status());
  if (absl::Status status = CheckTemplate(*t, registry_); !status.ok()) {
    return OfStack(name, status);
  }
  absl::StatusOr<ParameterValues> parameters =
      ResolveParameters(*t, request.parameters);
  if (!parameters.ok()) return OfStack(name, parameters.status());

  const Stack* known = stacks_.Get(name);
  Stack fresh;
  fresh.name = name;
  fresh.created = clock_.Now();
  fresh.id = ArnOf(options_.context, "cloudformation",
                   absl::StrCat("stack/", name, "/", random::NewUuid()));
  const StackContext context = ContextOf(known != nullptr ? *known : fresh);
  absl::StatusOr<Resolver> resolver = Resolver::Make(*t, *parameters, context);
  if (!resolver.ok()) return OfStack(name, resolver.status());
  if (absl::Status status = resolver->CheckRules(); !status.ok()) {
    return OfStack(name, status);
  }
  Deployment deployment({.clock = clock_,
                         .stacks = stacks_,
                         .registry = registry_,
                         .context = context,
                         .t = *t,
                         .parameters = *parameters,
                         .supplied = request.supplied,
                         .resolver = *resolver,
                         .existing = request.existing});
  if (absl::Status status = deployment.Prepare(known); !status.ok()) {
    return OfStack(name, status);
  }
  if (known == nullptr) stacks_.Add(std::move(fresh));
  stacks_.ChangeHead(name, [](Stack& stack) { ++stack.deployment; });
  absl::StatusOr<bool> changed = deployment.Run();
  if (request.on_note) {
    for (const Deployment::Note& note : deployment.notes()) {
      request.on_note(note.text);
    }
  }
  listeners_.Tell(*stacks_.Get(name));
  if (!changed.ok()) return OfStack(name, changed.status());
  return DeployResult{.stack = *stacks_.Get(name), .changed = *changed};
}

absl::StatusOr<Stack> Deployer::Delete(const std::string& stack_name) {
  const sync::MutexLock lock(deploying_);
  const time::Hold hold(clock_);
  const Stack* stack = stacks_.Get(stack_name);
  if (stack == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("Stack with id ", stack_name, " does not exist"));
  }
  const StackContext context = ContextOf(*stack);
  ResourceDriver driver(stacks_, registry_, context);
  const auto set_status = [&](absl::string_view status) {
    stacks_.ChangeHead(stack_name, [&](Stack& changed) {
      changed.status = std::string(status);
      changed.updated = clock_.Now();
    });
    driver.AddStackEvent(status, "");
  };
  stacks_.ChangeHead(stack_name, [](Stack& changed) {
    for (StackResource& resource : changed.obsolete) {
      resource.status = status::kDeleteInProgress;
    }
  });
  set_status(status::kDeleteInProgress);
  if (absl::Status kept = stacks_.Commit(); !kept.ok()) return kept;
  const auto failure = [&](const StackResource& resource,
                           const absl::Status& status) {
    set_status(status::kDeleteFailed);
    stacks_.Commit().IgnoreError();
    return OfStack(stack_name,
                   absl::AbortedError(absl::StrCat(
                       "resource ", resource.logical_id,
                       " could not be deleted: ", status.message())));
  };
  const std::map<std::string, StackResource> begun = stack->begun;
  for (const auto& [id, resource] : begun) {
    absl::Status discarded = driver.Discard(resource);
    if (!discarded.ok()) return failure(resource, discarded);
  }
  std::vector<StackResource> resources = stack->obsolete;
  for (const auto& [id, resource] : stack->resources) {
    resources.push_back(resource);
  }
  for (const StackResource& resource : InDeletionOrder(std::move(resources))) {
    // An obsolete one has no entry of its own, and deleting it again is
    // harmless.
    const auto entry = stack->resources.find(resource.logical_id);
    const bool listed =
        entry != stack->resources.end() &&
        entry->second.state.physical_id == resource.state.physical_id &&
        entry->second.properties == resource.properties;
    if (listed && resource.deletion_policy == RemovalPolicy::kDelete) {
      absl::Status kept = driver.MarkDeleted(resource);
      if (!kept.ok()) return kept;
    }
    absl::Status deleted = driver.Delete(resource, resource.deletion_policy);
    if (!deleted.ok()) {
      // Unchanged: it still exists, whatever the next deployment declares.
      if (listed) driver.Record(resource).IgnoreError();
      return failure(resource, deleted);
    }
    if (listed) stacks_.RemoveResource(stack_name, resource.logical_id);
    if (absl::Status kept = stacks_.Commit(); !kept.ok()) return kept;
  }
  set_status(status::kDeleteComplete);
  Stack last = *stack;
  stacks_.Remove(stack_name);
  if (absl::Status kept = stacks_.Commit(); !kept.ok()) return kept;
  listeners_.Tell(last);
  return last;
}

}  // namespace byoshin::local::cloudformation
