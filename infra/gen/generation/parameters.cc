#include "infra/gen/generation/parameters.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/generation/constants.h"
#include "core/generation/model_limits.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/parameters.h"

namespace byoshin::infra::generation {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
using cfn::Value;

constexpr char kReserveConcurrency[] = "ReserveConcurrency";
constexpr char kMinCapacity[] = "DatabaseMinCapacity";
constexpr char kMaxCapacity[] = "DatabaseMaxCapacity";
constexpr char kSubnetGroup[] = "DatabaseSubnetGroup";
constexpr char kSecurityGroup[] = "DatabaseSecurityGroup";

const std::vector<parts::FunctionZip>& GenerationZips() {
  static const auto& zips = *new std::vector<parts::FunctionZip>{
      {core::kGenerateFunction, "generation_generate.zip"},
      {core::kStatusFunction, "generation_status.zip"},
      {core::kRetryFunction, "generation_retry.zip"},
      {core::kCancelFunction, "generation_cancel.zip"},
      {core::kHistoryFunction, "generation_history.zip"},
      {core::kUpdateStateFunction, "generation_update_state.zip"},
      {core::kWorkerFunction, "generation_worker.zip"},
      {core::kMigrationFunction, "generation_migration.zip"},
      {core::kCleanUpFunction, "generation_clean_up.zip"},
  };
  return zips;
}

void AddApi(cfn::Template& stack, Inputs& inputs) {
  inputs.stage_name = stack.AddParameter(
      core::kStageNameParameter,
      {.description = "Name of the API's stage, part of its URL.",
       .default_value = core::kDefaultStageName,
       .allowed_pattern = "^[A-Za-z0-9_]{1,128}$",
       .constraint = "1 to 128 letters, digits or '_'"});
  inputs.allowed_origin = stack.AddParameter(
      core::kAllowedOriginParameter,
      {.description =
           "Origin of the page that may call the API from a browser "
           "(https://app.example.com), or * for any. Tokens are sent in a "
           "header, not in cookies, so * gives no other page access.",
       .default_value = core::kDefaultAllowedOrigin,
       .allowed_pattern = "^(\\*|https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?)$",
       .constraint = "*, or an origin: scheme, host and port, without a path"});
  inputs.self_sign_up = stack.AddParameter(
      core::kSelfSignUpParameter,
      {.description = "Whether people may sign up by themselves; otherwise "
                      "administrators create the users.",
       .default_value = "false",
       .allowed_values = {"true", "false"}});
  const Value set_log_role = parts::AddSetLogRole(stack, "API");
  inputs.has_self_sign_up = stack.AddCondition(
      "HasSelfSignUp", cfn::Equals(inputs.self_sign_up, "true"));
  inputs.sets_log_role = stack.AddCondition("SetsApiGatewayLogRole",
                                            cfn::Equals(set_log_role, "true"));
}

void AddModelLimit(cfn::Template& stack, const char* id, const char* what) {
  stack.AddParameter(
      id, {.type = cfn::ParameterType::kNumber,
           .description = absl::StrCat(
               "The account's quota of ", what,
               " a minute for the model; 0 if unknown. It is not enforced "
               "here: AWS does that."),
           .default_value = 0,
           .min_value = 0,
           .max_value = 1'000'000'000});
}

void AddModel(cfn::Template& stack, Inputs& inputs) {
  stack.AddParameter(
      core::kModelIdParameter,
      {.description = "Foundation model of Bedrock that is asked.",
       .default_value = core::kDefaultModelId,
       .allowed_pattern = "^[a-z0-9-]+\\.[A-Za-z0-9._:-]+$",
       .constraint = "the id of a model, such as amazon.nova-lite-v1:0"});
  const Value profile = stack.AddParameter(
      core::kModelProfileParameter,
      {.description = "Prefix of the inference profile through which the model "
                      "is asked, in regions that have it only so. Empty: the "
                      "model itself.",
       .default_value = "",
       .allowed_values = {"", "us", "eu", "apac", "jp", "au", "ca", "global"}});
  inputs.model_temperature = stack.AddParameter(
      core::kModelTemperatureParameter,
      {.description = "Temperature of the model: 0 always takes the most "
                      "likely word, 1 varies most.",
       .default_value = absl::StrCat(core::kDefaultModelTemperature),
       .allowed_pattern = "^(0(\\.[0-9]{1,3})?|1(\\.0{1,3})?)$",
       .constraint = "a number from 0 to 1"});
  inputs.model_max_tokens = stack.AddParameter(
      core::kModelMaxTokensParameter,
      {.type = cfn::ParameterType::kNumber,
       .description = "Longest answer of the model, in tokens.",
       .default_value = core::kDefaultModelMaxTokens,
       .min_value = 256,
       .max_value = 65536});
  AddModelLimit(stack, core::kModelRequestsPerMinute, "requests");
  AddModelLimit(stack, core::kModelTokensPerMinute, "tokens");
  const Value reserve = stack.AddParameter(
      kReserveConcurrency,
      {.description = absl::StrCat(
           "Whether to set concurrency aside: ", core::kApiConcurrency,
           " for starting processes and ", core::kWorkerConcurrency,
           " for workers, which is also their limit. The account needs 100 "
           "more than that."),
       .default_value = "true",
       .allowed_values = {"true", "false"}});
  inputs.has_model_profile =
      stack.AddCondition("HasModelProfile", cfn::Not(cfn::Equals(profile, "")));
  inputs.reserves_concurrency =
      stack.AddCondition("ReservesConcurrency", cfn::Equals(reserve, "true"));
}

void AddDatabase(cfn::Template& stack, Inputs& inputs) {
  inputs.min_capacity = stack.AddParameter(
      kMinCapacity,
      {.type = cfn::ParameterType::kNumber,
       .description = "Least capacity of the database, in Aurora capacity "
                      "units. 0 lets it pause when it is not used; the first "
                      "call then takes some 15 seconds.",
       .default_value = kDefaultMinCapacity,
       .allowed_values = {0, 0.5, 1, 2, 4, 8}});
  inputs.max_capacity = stack.AddParameter(
      kMaxCapacity,
      {.type = cfn::ParameterType::kNumber,
       .description =
           "Greatest capacity of the database, in Aurora capacity units.",
       .default_value = kDefaultMaxCapacity,
       .allowed_values = {1, 2, 4, 8, 16, 32, 64, 128}});
  inputs.subnet_group = stack.AddParameter(
      kSubnetGroup,
      {.description = "DB subnet group of the database. Empty: the default "
                      "VPC's. The functions need no access to it.",
       .default_value = "",
       .allowed_pattern = "^[A-Za-z0-9 ._-]{0,255}$",
       .constraint = "empty, or the name of a DB subnet group"});
  inputs.security_group = stack.AddParameter(
      kSecurityGroup,
      {.description = "Security group of the database, which needs no inbound "
                      "rule. Empty: the VPC's default.",
       .default_value = "",
       .allowed_pattern = "^(sg-[0-9a-f]{8,17})?$",
       .constraint = "empty, or the id of a security group"});
  inputs.pauses_database = stack.AddCondition(
      "PausesDatabase", cfn::Equals(inputs.min_capacity, "0"));
  inputs.has_subnet_group = stack.AddCondition(
      "HasDatabaseSubnetGroup", cfn::Not(cfn::Equals(inputs.subnet_group, "")));
  inputs.has_security_group =
      stack.AddCondition("HasDatabaseSecurityGroup",
                         cfn::Not(cfn::Equals(inputs.security_group, "")));
}

void AddMetadata(cfn::Template& stack) {
  parts::AddCodeMetadata(
      stack, GenerationZips(),
      {parts::Group("The API",
                    {core::kStageNameParameter, core::kAllowedOriginParameter,
                     core::kSelfSignUpParameter, parts::kSetLogRole}),
       parts::Group(
           "The model",
           {core::kModelIdParameter, core::kModelProfileParameter,
            core::kModelTemperatureParameter, core::kModelMaxTokensParameter,
            core::kModelRequestsPerMinute, core::kModelTokensPerMinute,
            kReserveConcurrency}),
       parts::Group("The database", {kMinCapacity, kMaxCapacity, kSubnetGroup,
                                     kSecurityGroup})});
}

}  // namespace

Inputs AddInputs(cfn::Template& stack) {
  Inputs inputs;
  AddMetadata(stack);
  inputs.functions.code = parts::AddCode(stack, GenerationZips());
  AddApi(stack, inputs);
  AddModel(stack, inputs);
  AddDatabase(stack, inputs);
  inputs.functions.observation = parts::AddObservation(stack);
  return inputs;
}

}  // namespace byoshin::infra::generation
