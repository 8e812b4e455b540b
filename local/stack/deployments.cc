#include "local/stack/deployments.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/sync/mutex.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/recorded.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/template.h"
#include "local/lambda/cloudformation.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::stack {
namespace {

// The template parameter for the bucket of the zips may be omitted: there is no
// bucket here.
constexpr char kBucketParameter[] = "CodeBucket";

// Resources that exist before the first deployment were made by a cloud that
// used the same folder, and whose record of the stack has been lost.
cloudformation::ExistingResources ExistingFor(
    const std::optional<cloudformation::Stack>& stack) {
  return stack.has_value() && stack->established
             ? cloudformation::ExistingResources::kRefuse
             : cloudformation::ExistingResources::kTakeUp;
}

}  // namespace

absl::StatusOr<cloudformation::DeployResult> Deployments::Deploy(
    StackDeployment deployment) {
  const absl::StatusOr<TemplateInputs> inputs =
      ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  cloudformation::DeployRequest request{
      .stack_name = deployment.stack_name,
      .template_text = deployment.template_text,
      .parameters = deployment.parameters,
      .supplied = deployment.supplied,
      .existing = ExistingFor(world_.deployer.Find(deployment.stack_name)),
      .on_note = world_.note};
  if (inputs->required.contains(kBucketParameter)) {
    request.parameters.try_emplace(kBucketParameter, lambda::kLocalBucket);
  }
  const sync::MutexLock lock(mutex_);
  std::set<std::string> given;
  for (const auto& [parameter, file] : inputs->code) {
    const auto zip = deployment.zips.find(file);
    if (zip == deployment.zips.end()) {
      return absl::NotFoundError(absl::StrCat(
          "the template needs ", file, ", which is not in ",
          deployment.zips_origin.empty() ? "what was given"
                                         : deployment.zips_origin));
    }
    absl::StatusOr<std::string> name = world_.zips.Put(file, zip->second);
    if (!name.ok()) return name.status();
    given.insert(*name);
    request.parameters[parameter] = *std::move(name);
  }
  world_.zips.Give(std::move(deployment.zips), deployment.zips_origin);
  const absl::Cleanup forget_zips = [this] { world_.zips.Give({}, ""); };
  if (absl::Status complete =
          CheckRequiredParameters(*inputs, request.parameters);
      !complete.ok()) {
    return complete;
  }
  // The next start is given those again that no function has.
  return DeployLocked(request, std::move(given));
}

absl::StatusOr<cloudformation::DeployResult> Deployments::DeployAgain(
    const StackDeployment& deployment) {
  const absl::StatusOr<TemplateInputs> inputs =
      ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  if (!inputs->hidden.empty()) {
    std::optional<cloudformation::Stack> stack =
        world_.deployer.Find(deployment.stack_name);
    if (stack.has_value() && stack->parameters == deployment.parameters) {
      return cloudformation::DeployResult{.stack = *std::move(stack)};
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "the value of its parameter ", *inputs->hidden.begin(),
        ", which is declared with NoEcho, is not kept; deploy it as before"));
  }
  const sync::MutexLock lock(mutex_);
  return DeployLocked({.stack_name = deployment.stack_name,
                       .template_text = deployment.template_text,
                       .parameters = deployment.parameters,
                       .supplied = deployment.supplied,
                       .on_note = world_.note},
                      {});
}

absl::StatusOr<cloudformation::DeployResult> Deployments::DeployLocked(
    const cloudformation::DeployRequest& request,
    std::set<std::string> used_zips) {
  const std::string recorded_before =
      cloudformation::DescribeRecorded(world_.deployer.Find(request.stack_name)
                                           .value_or(cloudformation::Stack{}));
  absl::StatusOr<cloudformation::DeployResult> result =
      world_.deployer.Deploy(request);
  if (!result.ok()) return result;
  RemoveUnusedCode(std::move(used_zips));
  const std::string recorded = cloudformation::DescribeRecorded(result->stack);
  if (!recorded.empty() && recorded != recorded_before) {
    world_.note(absl::StrCat("the stack ", request.stack_name, " has ",
                             recorded, ": recorded, but without effect here"));
  }
  return result;
}

absl::StatusOr<dashboard::RemovedStack> Deployments::Remove(
    const std::string& stack_name) {
  const sync::MutexLock lock(mutex_);
  const std::optional<cloudformation::Stack> stack =
      world_.deployer.Find(stack_name);
  if (!stack.has_value()) {
    const std::vector<std::string> names = world_.deployer.Names();
    return absl::NotFoundError(absl::StrCat(
        "there is no stack \"", stack_name, "\"; ",
        names.empty()
            ? "none is deployed"
            : absl::StrCat("there are: ", absl::StrJoin(names, ", "))));
  }
  dashboard::RemovedStack removed{.name = stack_name};
  const auto note_retained = [&](const cloudformation::StackResource& one) {
    removed.retained.push_back({.logical_id = one.logical_id,
                                .type = one.type,
                                .physical_id = one.state.physical_id});
  };
  for (const auto& [id, resource] : stack->resources) {
    if (resource.deletion_policy == cloudformation::RemovalPolicy::kRetain) {
      note_retained(resource);
    }
  }
  for (const cloudformation::StackResource& resource : stack->retained) {
    note_retained(resource);
  }
  const absl::StatusOr<cloudformation::Stack> deleted =
      world_.deployer.Delete(stack_name);
  if (!deleted.ok()) return deleted.status();
  RemoveUnusedCode({});
  return removed;
}

void Deployments::RemoveUnusedCode(std::set<std::string> kept) {
  std::vector<lambda::CodeLocation> used;
  for (const std::string& name : world_.deployer.Names()) {
    const std::optional<cloudformation::Stack> stack =
        world_.deployer.Find(name);
    if (!stack.has_value()) continue;
    for (const auto& [id, resource] : stack->resources) {
      if (resource.type != "AWS::Lambda::Function") continue;
      used.push_back({.key = cloudformation::TextProperty(resource.properties,
                                                          "Code.S3Key")
                                 .value_or(""),
                      .function = id});
    }
  }
  absl::Status removed = world_.zips.KeepOnly(used, std::move(kept));
  removed.Update(world_.lambda.RemoveUnusedCode());
  if (!removed.ok()) {
    world_.note(absl::StrCat("code that is not used any more is left: ",
                             removed.message()));
  }
}

}  // namespace byoshin::local::stack
