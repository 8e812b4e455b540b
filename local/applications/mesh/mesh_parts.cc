#include "local/applications/mesh/mesh_parts.h"

#include <optional>
#include <string>
#include <utility>

#include "core/mesh/constants.h"
#include "local/applications/function_variables.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {
namespace {

using cloudformation::StackResource;

std::string AttributeOf(const StackResource& resource, const char* name) {
  const auto found = resource.state.attributes.find(name);
  return found == resource.state.attributes.end() ? "" : found->second;
}

}  // namespace

std::optional<MeshParts> FindMesh(const cloudformation::Stack& stack) {
  MeshParts parts{.stack_name = stack.name};
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == "AWS::Lambda::Function") {
      std::optional<std::string> table =
          VariablesOf(resource)(mesh::kTableNameVariable);
      if (table.has_value()) parts.table = *std::move(table);
    } else if (resource.type == "AWS::AppSync::GraphQLApi") {
      parts.api_id = AttributeOf(resource, "ApiId");
    } else if (resource.type == "AWS::AppSync::ApiKey") {
      parts.api_key = AttributeOf(resource, "ApiKey");
    }
  }
  if (parts.table.empty() || parts.api_id.empty() || parts.api_key.empty()) {
    return std::nullopt;
  }
  return parts;
}

}  // namespace byoshin::local::applications
