#include "infra/gen/generation/database.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/generation/constants.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/rds.h"
#include "infra/cloudformation/secretsmanager.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/parts/accepted.h"

namespace byoshin::infra::generation {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
using cfn::Value;

cfn::Resource AddSecret(cfn::Template& stack, const char* id,
                        const char* user) {
  return stack.Add(
      id,
      cfn::secretsmanager::UserSecret{
          .description = absl::StrCat("Password of the database's user ", user),
          .user = user},
      {.removal = cfn::RemovalPolicy::kDelete,
       .metadata = parts::Accept(
           {{.rule = "AwsSolutions-SMG4",
             .reason = "The migration sets the password in the database. To "
                       "change it, change the secret and deploy."}})});
}

}  // namespace

// Retained when the stack is deleted or a change replaces it: it holds the
// data.
Database AddDatabase(cfn::Template& stack, const Inputs& inputs) {
  const cfn::ResourceOptions options = {.removal = cfn::RemovalPolicy::kRetain};
  const cfn::Resource cluster = stack.Add(
      "Database",
      cfn::rds::PostgresCluster{
          .engine_version = kPostgresVersion,
          .database_name = core::kDefaultDatabaseName,
          .master_user = core::kOwnerUser,
          .min_capacity = inputs.min_capacity,
          .max_capacity = inputs.max_capacity,
          .backup_retention_days = kBackupRetentionDays,
          .subnet_group = cfn::If(inputs.has_subnet_group, inputs.subnet_group,
                                  cfn::NoValue()),
          .security_groups =
              cfn::If(inputs.has_security_group,
                      cfn::List({inputs.security_group}), cfn::NoValue())},
      {.removal = options.removal,
       .metadata = parts::Accept(
           {{.rule = "AwsSolutions-RDS6",
             .reason = "The functions use the Data API, for which IAM decides "
                       "who may call it; nothing connects to the database."},
            {.rule = "AwsSolutions-RDS11",
             .reason = "The functions use the Data API; nothing connects to "
                       "the port, and hiding it would protect nothing."}})});
  const cfn::Resource instance = stack.Add(
      "DatabaseInstance",
      cfn::rds::ServerlessInstance{.cluster = cluster.Ref()}, options);
  return {.cluster = cluster,
          .instance = instance,
          .reader_secret =
              AddSecret(stack, "DatabaseReaderSecret", core::kReaderUser),
          .writer_secret =
              AddSecret(stack, "DatabaseWriterSecret", core::kWriterUser)};
}

Value::Members DatabaseVariables(const Database& database,
                                 const Value& secret_arn) {
  return {{core::kClusterVariable, database.cluster_arn()},
          {core::kSecretVariable, secret_arn},
          {core::kDatabaseVariable, core::kDefaultDatabaseName}};
}

std::vector<cfn::iam::Statement> DatabaseStatements(
    const Database& database, const Value& secret_arn,
    const std::vector<std::string>& operations) {
  std::vector<std::string> actions;
  for (const std::string& operation : operations) {
    actions.push_back(absl::StrCat("rds-data:", operation));
  }
  // The Data API reads the secret on behalf of the caller.
  return {cfn::iam::Allow(std::move(actions), {database.cluster_arn()}),
          cfn::iam::Allow({"secretsmanager:GetSecretValue"}, {secret_arn})};
}

}  // namespace byoshin::infra::generation
