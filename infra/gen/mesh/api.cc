#include "infra/gen/mesh/api.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/mesh/constants.h"
#include "infra/cloudformation/appsync.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/logs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/mesh/files.h"
#include "infra/gen/mesh/functions.h"
#include "infra/gen/mesh/parameters.h"
#include "infra/gen/mesh/resolver_code.h"
#include "infra/gen/parts/accepted.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::mesh {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::mesh;
using cfn::Value;

constexpr char kAppSync[] = "appsync.amazonaws.com";

// A data source for each set of permissions: a resolver that reads can't write.
struct TableSource {
  const char* name;
  const char* description;
  std::vector<std::string> actions;
  bool reads_index = false;
};

class ApiBuilder {
 public:
  ApiBuilder(cfn::Template& stack, const Inputs& inputs, cfn::Resource table)
      : stack_(stack),
        inputs_(inputs),
        table_(std::move(table)),
        api_(AddGraphQlApi()),
        schema_(stack.Add(
            "Schema",
            cfn::appsync::GraphQlSchema{
                .api_id = Id(), .definition = Files().at("schema.graphql")})) {}

  const cfn::Resource& api() const { return api_; }
  Value Id() const { return api_.Attribute("ApiId"); }

  Value AddTableSource(const TableSource& source) {
    Value::Items resources = {table_.Arn()};
    if (source.reads_index) {
      resources.push_back(cfn::Sub(
          absl::StrCat("${", table_.id(), ".Arn}/index/", core::kIndexName)));
    }
    const cfn::Resource role =
        AddRole(source.name, cfn::iam::Allow(source.actions, resources));
    return AddSource({.api_id = Id(),
                      .name = source.name,
                      .description = source.description,
                      .service_role = role.Arn(),
                      .table_name = table_.Ref()});
  }

  Value AddFunctionSource(const char* name,
                          const parts::FunctionResources& function) {
    const cfn::Resource role = AddRole(
        absl::StrCat(name, "Source"),
        cfn::iam::Allow({"lambda:InvokeFunction"}, {function.function.Arn()}));
    return AddSource({.api_id = Id(),
                      .name = absl::StrCat(name, "Source"),
                      .service_role = role.Arn(),
                      .function_arn = function.function.Arn()});
  }

  Value AddNoSource() {
    return AddSource(
        {.api_id = Id(),
         .name = "NoSource",
         .description = "For resolvers that read only the request"});
  }

  // Returns its id, for pipelines.
  Value AddPipelineFunction(const char* name, const char* file,
                            const Value& source) {
    std::string id = absl::StrCat(name, "Pipelined");
    id[0] = absl::ascii_toupper(static_cast<unsigned char>(id[0]));
    return stack_
        .Add(id, cfn::appsync::FunctionConfiguration{.api_id = Id(),
                                                     .name = name,
                                                     .data_source = source,
                                                     .code = Code(file)})
        .Attribute("FunctionId");
  }

  void AddUnit(const char* type, const char* field, const char* file,
               const Value& source) {
    AddResolver({.type_name = type,
                 .field_name = field,
                 .data_source = source,
                 .code = Code(file)});
  }

  void AddPipeline(const char* type, const char* field, const char* file,
                   Value::Items functions) {
    AddResolver({.type_name = type,
                 .field_name = field,
                 .functions = std::move(functions),
                 .code = Code(file)});
  }

 private:
  Value Code(const char* file) const {
    return ResolverCode(file, {.inputs = inputs_, .table = table_});
  }

  cfn::Resource AddGraphQlApi() {
    // AppSync names the groups of its logs itself, by an id that is not known
    // before.
    const cfn::Resource log_role = stack_.Add(
        "ApiLogRole",
        cfn::iam::Role{
            .description = "Lets AppSync write logs",
            .assumed_by = kAppSync,
            .policy_name = "ApiLogPolicy",
            .statements = {cfn::iam::Allow(
                {"logs:CreateLogGroup", "logs:CreateLogStream",
                 "logs:PutLogEvents"},
                {cfn::Sub("arn:${AWS::Partition}:logs:${AWS::Region}:"
                          "${AWS::AccountId}:log-group:/aws/appsync/apis/"
                          "*")})}},
        {.metadata = parts::Accept(
             {{.rule = "AwsSolutions-IAM5",
               .reason = "AppSync names the group of its logs by the API's "
                         "id, which is not known before.",
               .findings = {
                   "/^Resource::.*:log-group:/aws/appsync/apis/\\*/"}}})});
    return stack_.Add(
        "Api",
        cfn::appsync::GraphQlApi{
            .name = cfn::Ref("AWS::StackName"),
            .log_role = log_role.Arn(),
            .field_log_level = kFieldLogLevel,
            .xray_enabled = cfn::If(
                inputs_.functions.observation.traces_requests, true, false),
            .introspection =
                cfn::If(inputs_.is_production, "DISABLED", "ENABLED"),
            .query_depth_limit = kQueryDepthLimit,
            .resolver_count_limit = kResolverCountLimit});
  }

  cfn::Resource AddRole(absl::string_view source,
                        const cfn::iam::Statement& statement) {
    return stack_.Add(
        absl::StrCat(source, "Role"),
        cfn::iam::Role{
            .description = absl::StrCat("What AppSync may do by ", source),
            .assumed_by = kAppSync,
            .policy_name = absl::StrCat(source, "Policy"),
            .statements = {statement}});
  }

  Value AddSource(const cfn::appsync::DataSource& source) {
    return stack_.Add(source.name, source).Attribute("Name");
  }

  void AddResolver(cfn::appsync::Resolver resolver) {
    resolver.api_id = Id();
    std::string id = absl::StrCat(resolver.field_name, "Resolver");
    id[0] = absl::ascii_toupper(static_cast<unsigned char>(id[0]));
    stack_.Add(id, resolver, {.depends_on = {schema_.id()}});
  }

  cfn::Template& stack_;
  const Inputs& inputs_;
  const cfn::Resource table_;
  const cfn::Resource api_;
  const cfn::Resource schema_;
};

struct Sources {
  Value reader;
  Value node_writer;
  Value status_writer;
  Value none;
};

// If the condition of a write is false, AppSync reads the item.
Sources AddSources(ApiBuilder& builder) {
  return {.reader = builder.AddTableSource(
              {.name = "TableReader",
               .description = "Reads groups, nodes and statuses",
               .actions = {"dynamodb:GetItem", "dynamodb:BatchGetItem",
                           "dynamodb:Query"},
               .reads_index = true}),
          .node_writer = builder.AddTableSource(
              {.name = "HeartbeatWriter",
               .description = "Puts and removes nodes, and moves deadlines",
               .actions = {"dynamodb:PutItem", "dynamodb:UpdateItem",
                           "dynamodb:DeleteItem", "dynamodb:GetItem"}}),
          .status_writer = builder.AddTableSource(
              {.name = "StatusWriter",
               .description = "Puts and removes statuses",
               .actions = {"dynamodb:BatchWriteItem", "dynamodb:DeleteItem",
                           "dynamodb:GetItem"}}),
          .none = builder.AddNoSource()};
}

void AddQueries(ApiBuilder& builder, const Sources& sources,
                const Value& check_group) {
  constexpr char kQuery[] = "Query";
  const auto add = [&](const char* field, const char* file) {
    builder.AddUnit(kQuery, field, file, sources.reader);
  };
  add("listGroupsByDomain", "list_groups_by_domain.js");
  add("getGroup", "get_group.js");
  add("getNodeStatus", "get_node_status.js");
  add("listNodesInGroup", "list_nodes_in_group.js");
  const Value query_group = builder.AddPipelineFunction(
      "queryGroup", "query_group.js", sources.reader);
  Value::Items functions = {check_group};
  for (int page = 0; page < kMaxStatusPages; ++page) {
    functions.push_back(query_group);
  }
  builder.AddPipeline(kQuery, "listGroupStatuses", "list_group_statuses.js",
                      std::move(functions));
}

void AddMutations(ApiBuilder& builder, const Sources& sources,
                  const Value& check_group) {
  constexpr char kMutation[] = "Mutation";
  const Value check_membership = builder.AddPipelineFunction(
      "checkMembership", "check_membership.js", sources.reader);
  const Value put_node = builder.AddPipelineFunction("putNode", "put_node.js",
                                                     sources.node_writer);
  const Value update_group = builder.AddPipelineFunction(
      "updateGroupTTL", "update_group_ttl.js", sources.node_writer);
  const Value update_node = builder.AddPipelineFunction(
      "updateNodeTTL", "update_node_ttl.js", sources.node_writer);
  const Value put_status = builder.AddPipelineFunction(
      "putStatus", "put_status.js", sources.status_writer);
  const Value confirm_write = builder.AddPipelineFunction(
      "confirmWrite", "confirm_write.js", sources.reader);
  const Value undo_node = builder.AddPipelineFunction(
      "undoNode", "undo_node.js", sources.node_writer);
  const Value undo_latest_status = builder.AddPipelineFunction(
      "undoLatestStatus", "undo_latest_status.js", sources.status_writer);
  const Value undo_status = builder.AddPipelineFunction(
      "undoStatus", "undo_status.js", sources.status_writer);
  builder.AddUnit(kMutation, "createDomain", "create_domain.js", sources.none);
  builder.AddPipeline(kMutation, "joinGroup", "pipeline.js",
                      {check_group, put_node, confirm_write, undo_node});
  builder.AddPipeline(kMutation, "renewHeartbeat", "pipeline.js",
                      {check_group, update_group});
  builder.AddPipeline(kMutation, "sendMemberHeartbeat",
                      "send_member_heartbeat.js", {check_group, update_node});
  builder.AddPipeline(kMutation, "reportDataByNode", "pipeline.js",
                      {check_group, check_membership, put_status, confirm_write,
                       undo_latest_status, undo_status});
}

void AddFunctionResolvers(ApiBuilder& builder, const Functions& functions) {
  const auto add = [&](const char* field, const char* name,
                       const parts::FunctionResources& function) {
    builder.AddUnit("Mutation", field, "invoke_function.js",
                    builder.AddFunctionSource(name, function));
  };
  add(core::kCreateGroupField, kCreateGroup, functions.create_group);
  add(core::kLeaveGroupField, kLeaveGroup, functions.leave_group);
  add(core::kDissolveGroupField, kDissolveGroup, functions.dissolve_group);
  add(core::kFireEventsField, kFireEvents, functions.fire_events);
}

}  // namespace

Api AddApi(cfn::Template& stack, const Inputs& inputs,
           const cfn::Resource& table, const Functions& functions) {
  ApiBuilder builder(stack, inputs, table);
  const Sources sources = AddSources(builder);
  const Value check_group = builder.AddPipelineFunction(
      "checkGroupExists", "check_group_exists.js", sources.reader);
  AddQueries(builder, sources, check_group);
  AddMutations(builder, sources, check_group);
  AddFunctionResolvers(builder, functions);
  const cfn::Resource key = stack.Add(
      "ApiKey",
      cfn::appsync::ApiKey{
          .api_id = builder.Id(),
          .description = "For the programs that form groups",
          .expires = cfn::If(inputs.has_key_expiry, inputs.api_key_expires,
                             cfn::NoValue())});
  const cfn::Resource log_group = stack.Add(
      "ApiLogGroup",
      cfn::logs::LogGroup{
          .name = cfn::Sub(absl::StrCat("/aws/appsync/apis/${",
                                        builder.api().id(), ".ApiId}")),
          .retention_days = inputs.functions.observation.log_retention},
      {.removal = cfn::RemovalPolicy::kDelete});
  return {.api = builder.api(), .key = key, .log_group = log_group};
}

}  // namespace byoshin::infra::mesh
