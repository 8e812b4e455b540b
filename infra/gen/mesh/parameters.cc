#include "infra/gen/mesh/parameters.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/parameters.h"

namespace byoshin::infra::mesh {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::mesh;
using cfn::Value;

constexpr char kStage[] = "Stage";
constexpr char kTableName[] = "TableName";

const std::vector<parts::FunctionZip>& MeshZips() {
  static const auto& zips = *new std::vector<parts::FunctionZip>{
      {kCreateGroup, "mesh_create_group.zip"},
      {kLeaveGroup, "mesh_leave_group.zip"},
      {kDissolveGroup, "mesh_dissolve_group.zip"},
      {kFireEvents, "mesh_fire_events.zip"},
  };
  return zips;
}

std::string Describe(const core::Intervals& intervals) {
  return absl::StrCat(
      "heartbeats of the host every ",
      absl::ToInt64Seconds(intervals.host_heartbeat), " s, of members every ",
      absl::ToInt64Seconds(intervals.member_heartbeat), " s, groups end after ",
      absl::ToInt64Minutes(intervals.max_connection_time), " minutes");
}

void AddGroups(cfn::Template& stack, Inputs& inputs) {
  constexpr core::Intervals kProduction = core::kProductionIntervals;
  constexpr core::Intervals kDevelopment = core::kDevelopmentIntervals;
  constexpr int64_t kMaxSeconds = 24 * 60 * 60;
  const Value stage = stack.AddParameter(
      kStage,
      {.description = absl::StrCat(
           core::kProductionStage, ": ", Describe(kProduction), ". ",
           core::kDevelopmentStage, ": ", Describe(kDevelopment), "."),
       .default_value = core::kProductionStage,
       .allowed_values = {core::kProductionStage, core::kDevelopmentStage}});
  const Value max_time = stack.AddParameter(
      core::kMaxConnectionTimeParameter,
      {.type = cfn::ParameterType::kNumber,
       .description = "Seconds after which a group ends, whatever its host "
                      "asked for. 0: those of the stage.",
       .default_value = 0,
       .min_value = 0,
       .max_value = kMaxSeconds});
  inputs.table_name = stack.AddParameter(
      kTableName,
      {.description = "Name of the table, which must not exist yet.",
       .default_value = core::kTableName,
       .allowed_pattern = "^[A-Za-z0-9_.-]{3,255}$",
       .constraint = "3 to 255 letters, digits, '-', '_' or '.'"});
  inputs.is_production = stack.AddCondition(
      "IsProduction", cfn::Equals(stage, core::kProductionStage));
  const std::string has_max_time = stack.AddCondition(
      "HasMaxConnectionTime", cfn::Not(cfn::Equals(max_time, 0)));
  const auto by_stage = [&](absl::Duration production,
                            absl::Duration development) {
    // As text, as Fn::Join and environment variables need it.
    return cfn::If(inputs.is_production,
                   absl::StrCat(absl::ToInt64Seconds(production)),
                   absl::StrCat(absl::ToInt64Seconds(development)));
  };
  inputs.host_interval =
      by_stage(kProduction.host_heartbeat, kDevelopment.host_heartbeat);
  inputs.member_interval =
      by_stage(kProduction.member_heartbeat, kDevelopment.member_heartbeat);
  inputs.max_connection_time =
      cfn::If(has_max_time, max_time,
              by_stage(kProduction.max_connection_time,
                       kDevelopment.max_connection_time));
}

void AddApiKeyExpiry(cfn::Template& stack, Inputs& inputs) {
  inputs.api_key_expires = stack.AddParameter(
      core::kApiKeyExpiresParameter,
      {.type = cfn::ParameterType::kNumber,
       .description = "When the API key expires, in seconds since 1970: 1 to "
                      "365 days from now, rounded down to the hour. 0: a week "
                      "after it is created.",
       .default_value = 0,
       .min_value = 0,
       .max_value = int64_t{1} << 40});
  inputs.has_key_expiry = stack.AddCondition(
      "HasApiKeyExpires", cfn::Not(cfn::Equals(inputs.api_key_expires, 0)));
}

void AddMetadata(cfn::Template& stack) {
  parts::AddCodeMetadata(
      stack, MeshZips(),
      {parts::Group("Groups",
                    {kStage, core::kMaxConnectionTimeParameter, kTableName}),
       parts::Group("The API", {core::kApiKeyExpiresParameter})});
}

}  // namespace

Inputs AddInputs(cfn::Template& stack) {
  Inputs inputs;
  AddMetadata(stack);
  inputs.functions.code = parts::AddCode(stack, MeshZips());
  AddGroups(stack, inputs);
  AddApiKeyExpiry(stack, inputs);
  inputs.functions.observation = parts::AddObservation(stack);
  return inputs;
}

}  // namespace byoshin::infra::mesh
