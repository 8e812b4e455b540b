#include "local/applications/generation/generation_parts.h"

#include <json/json.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/aws/rdsdata/client.h"
#include "core/env/environment.h"
#include "core/generation/config.h"
#include "local/applications/function_variables.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {
namespace {

using cloudformation::StackResource;

std::string Attribute(const StackResource& resource, const char* name) {
  const auto found = resource.state.attributes.find(name);
  return found == resource.state.attributes.end() ? "" : found->second;
}

std::string Text(const StackResource& resource, absl::string_view path) {
  return cloudformation::TextProperty(resource.properties, path).value_or("");
}

// The administrator's secret, if RDS manages it: it may read all tables.
void UseAdministrator(const StackResource& cluster,
                      aws::rdsdata::Database& database) {
  if (Attribute(cluster, "DBClusterArn") != database.resource_arn) return;
  std::string secret = Attribute(cluster, "MasterUserSecret.SecretArn");
  if (!secret.empty()) database.secret_arn = std::move(secret);
}

bool HasAddressesAsNames(const StackResource& pool) {
  const absl::StatusOr<std::vector<std::string>> names =
      cloudformation::TextsProperty(pool.properties, "UsernameAttributes");
  return names.ok() &&
         std::find(names->begin(), names->end(), "email") != names->end();
}

// What the function needs, if it is one of those that start processes.
std::optional<aws::rdsdata::Database> DatabaseOfStarter(
    const StackResource& function) {
  const env::Environment variables = VariablesOf(function);
  if (!generation::LoadStateMachineArn(variables).ok()) return std::nullopt;
  absl::StatusOr<aws::rdsdata::Database> database =
      generation::LoadDatabaseConfig(variables);
  if (!database.ok()) return std::nullopt;
  return *std::move(database);
}

}  // namespace

std::optional<GenerationParts> FindGeneration(
    const cloudformation::Stack& stack) {
  GenerationParts parts{.stack_name = stack.name};
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::Lambda::Function") {
      parts.role_arns.insert(Text(resource, "Role"));
      if (auto database = DatabaseOfStarter(resource)) {
        parts.database = *std::move(database);
      }
    } else if (resource.type == "AWS::ApiGateway::Stage") {
      parts.api_id = Text(resource, "RestApiId");
      parts.stage = Text(resource, "StageName");
    } else if (resource.type == "AWS::Cognito::UserPool") {
      parts.user_pool_id = resource.state.physical_id;
      parts.users_have_addresses = HasAddressesAsNames(resource);
      parts.password_length =
          cloudformation::IntegerProperty(
              resource.properties, "Policies.PasswordPolicy.MinimumLength", 0)
              .value_or(0);
    } else if (resource.type == "AWS::Cognito::UserPoolClient") {
      parts.client_id = resource.state.physical_id;
    }
  }
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::RDS::DBCluster") {
      UseAdministrator(resource, parts.database);
    }
  }
  const bool complete = !parts.database.resource_arn.empty() &&
                        !parts.api_id.empty() && !parts.user_pool_id.empty() &&
                        !parts.client_id.empty();
  if (!complete) return std::nullopt;
  return parts;
}

}  // namespace byoshin::local::applications
