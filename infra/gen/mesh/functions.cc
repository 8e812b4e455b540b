#include "infra/gen/mesh/functions.h"

#include <string>
#include <utility>
#include <vector>

#include "core/mesh/constants.h"
#include "infra/cloudformation/dynamodb.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/mesh/parameters.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::mesh {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::mesh;

struct MeshFunction {
  const char* name;
  const char* log_name;
  const char* description;
  // On the table.
  std::vector<std::string> actions;
};

parts::FunctionResources AddMeshFunction(cfn::Template& stack,
                                         const Inputs& inputs,
                                         const cfn::Resource& table,
                                         MeshFunction function) {
  return parts::AddFunction(
      stack, inputs.functions,
      {.name = function.name,
       .log_name = function.log_name,
       .description = function.description,
       .code_key = inputs.functions.code.keys.at(function.name),
       .timeout = core::kFunctionTimeout,
       .environment = {{core::kTableNameVariable, table.Ref()},
                       {core::kHostIntervalVariable, inputs.host_interval},
                       {core::kMaxConnectionTimeVariable,
                        inputs.max_connection_time}},
       .statements = {
           cfn::iam::Allow(std::move(function.actions), {table.Arn()})}});
}

}  // namespace

// Retained like every table, although its items last for hours at most: a
// deletion by mistake must not end groups that are alive.
cfn::Resource AddTable(cfn::Template& stack, const Inputs& inputs) {
  return stack.Add("Table",
                   cfn::dynamodb::Table{
                       .table_name = inputs.table_name,
                       .partition_key = core::kPartitionKey,
                       .sort_key = core::kSortKey,
                       .indexes = {{.name = core::kIndexName,
                                    .partition_key = core::kIndexPartitionKey,
                                    .sort_key = core::kIndexSortKey}},
                       .ttl_attribute = core::kTtlAttribute},
                   {.removal = cfn::RemovalPolicy::kRetain});
}

// A transaction of puts needs the permission to put.
Functions AddFunctions(cfn::Template& stack, const Inputs& inputs,
                       const cfn::Resource& table) {
  return {
      .create_group = AddMeshFunction(
          stack, inputs, table,
          {.name = kCreateGroup,
           .log_name = "create_group",
           .description = "Finds or creates the group of a host.",
           .actions = {"dynamodb:GetItem", "dynamodb:PutItem"}}),
      .leave_group = AddMeshFunction(
          stack, inputs, table,
          {.name = kLeaveGroup,
           .log_name = "leave_group",
           .description = "Removes a node and its status.",
           .actions = {"dynamodb:GetItem", "dynamodb:DeleteItem"}}),
      .dissolve_group = AddMeshFunction(
          stack, inputs, table,
          {.name = kDissolveGroup,
           .log_name = "dissolve_group",
           .description = "Removes everything of a group.",
           .actions = {"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query",
                       "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"}}),
      .fire_events = AddMeshFunction(
          stack, inputs, table,
          {.name = kFireEvents,
           .log_name = "fire_events",
           .description = "Stores the events of a node.",
           .actions = {"dynamodb:GetItem", "dynamodb:BatchWriteItem"}})};
}

}  // namespace byoshin::infra::mesh
