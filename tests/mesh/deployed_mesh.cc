#include "tests/mesh/deployed_mesh.h"

#include <json/json.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/cloudformation/deployer.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::mesh {
namespace {

absl::StatusOr<local::stack::StackDeployment> Read(
    const MeshDeployment& deployment) {
  absl::StatusOr<std::string> text = files::ReadFile(deployment.template_file);
  if (!text.ok()) return text.status();
  const absl::StatusOr<Json::Value> document = json::ParseValue(*text);
  if (!document.ok()) return document.status();
  local::stack::StackDeployment read = {
      .stack_name = kStackName,
      .template_text = *std::move(text),
      .parameters = {{"Stage", deployment.stage}},
      .zips_origin = deployment.zips_folder};
  for (const Json::Value& name : (*document)["Metadata"]["Byoshin"]["Code"]) {
    absl::StatusOr<std::string> zip = files::ReadFile(
        absl::StrCat(deployment.zips_folder, "/", name.asString()));
    if (!zip.ok()) return zip.status();
    read.zips[name.asString()] = *std::move(zip);
  }
  return read;
}

}  // namespace

void CloudNotes::Add(const std::string& note) {
  std::cerr << note << "\n";
  const sync::MutexLock lock(mutex_);
  notes_.push_back(note);
}

void CloudNotes::Clear() {
  const sync::MutexLock lock(mutex_);
  notes_.clear();
}

std::vector<std::string> CloudNotes::all() const {
  const sync::MutexLock lock(mutex_);
  return notes_;
}

absl::StatusOr<DeployedMesh> DeployMesh(const MeshDeployment& deployment,
                                        time::Clock& clock) {
  const absl::StatusOr<local::stack::StackDeployment> read = Read(deployment);
  if (!read.ok()) return read.status();
  auto notes = std::make_unique<CloudNotes>();
  absl::StatusOr<std::unique_ptr<local::stack::StackCloud>> cloud =
      local::stack::StackCloud::Start(
          {.gateway = {.port = deployment.port},
           .data_directory = deployment.data_directory,
           .applications = deployment.modules,
           .on_note = [notes = notes.get()](
                          const std::string& note) { notes->Add(note); }},
          clock);
  if (!cloud.ok()) return cloud.status();
  const absl::StatusOr<local::cloudformation::DeployResult> result =
      (*cloud)->Deploy(*read);
  if (!result.ok()) return result.status();
  // That alarms have no effect here.
  notes->Clear();
  (*cloud)->Begin();
  DeployedMesh deployed = {
      .notes = std::move(notes), .cloud = *std::move(cloud), .outputs = {}};
  for (const auto& [name, output] : result->stack.outputs) {
    deployed.outputs[name] = output.value;
  }
  return deployed;
}

}  // namespace byoshin::mesh
