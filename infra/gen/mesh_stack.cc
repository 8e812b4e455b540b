#include "infra/gen/mesh_stack.h"

#include "core/mesh/constants.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/mesh/alarms.h"
#include "infra/gen/mesh/api.h"
#include "infra/gen/mesh/dashboard.h"
#include "infra/gen/mesh/functions.h"
#include "infra/gen/mesh/parameters.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {
namespace {

namespace cfn = cloudformation;

constexpr char kMeshDescription[] =
    "Byoshin Mesh v2: groups of programs that share data and events live, "
    "through a GraphQL API.";

void AddMeshOutputs(cfn::Template& stack, const mesh::Watched& watched) {
  const auto add = [&](const char* id, const char* description,
                       cfn::Value value) {
    stack.AddOutput(id, {.description = description, .value = value});
  };
  const cfn::Resource& api = watched.api.api;
  add(byoshin::mesh::kGraphQlUrlOutput, "URL for queries and mutations",
      api.Attribute("GraphQLUrl"));
  add(byoshin::mesh::kRealtimeUrlOutput, "URL for subscriptions",
      api.Attribute("RealtimeUrl"));
  add(byoshin::mesh::kApiKeyOutput,
      "Key that programs present: whoever has it can join any group",
      watched.api.key.Attribute("ApiKey"));
  add(byoshin::mesh::kApiIdOutput, "Id of the API", api.Attribute("ApiId"));
  add(byoshin::mesh::kTableNameOutput, "Table with everything",
      watched.table.Ref());
}

cfn::Template BuildMesh() {
  cfn::Template stack(kMeshDescription);
  stack.SetTags({{kApplicationTag, kApplication},
                 {kComponentTag, byoshin::mesh::kStackName}});
  const mesh::Inputs inputs = mesh::AddInputs(stack);
  const cfn::Resource table = mesh::AddTable(stack, inputs);
  const mesh::Functions functions = mesh::AddFunctions(stack, inputs, table);
  const mesh::Watched watched = {
      .table = table,
      .functions = functions,
      .api = mesh::AddApi(stack, inputs, table, functions)};
  AddMeshOutputs(stack, watched);
  mesh::AddDashboard(stack, watched, mesh::AddAlarms(stack, inputs, watched));
  return stack;
}

}  // namespace

Stack MeshStack() {
  return {.name = byoshin::mesh::kStackName,
          .description = kMeshDescription,
          .build = BuildMesh};
}

}  // namespace byoshin::infra
