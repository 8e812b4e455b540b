// The database: an Aurora cluster and the secrets of its users.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_DATABASE_H_
#define BYOSHIN_INFRA_GEN_GENERATION_DATABASE_H_

#include <string>
#include <vector>

#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/generation/parameters.h"

namespace byoshin::infra::generation {

struct Database {
  cloudformation::Resource cluster;
  cloudformation::Resource instance;
  cloudformation::Resource reader_secret;
  cloudformation::Resource writer_secret;
  // What must be done before functions use it: their code expects the schema
  // of the same template.
  std::vector<std::string> prerequisites{};

  cloudformation::Value cluster_arn() const {
    return cluster.Attribute("DBClusterArn");
  }
  cloudformation::Value owner_secret_arn() const {
    return cluster.Attribute("MasterUserSecret.SecretArn");
  }
};

Database AddDatabase(cloudformation::Template& stack, const Inputs& inputs);

// What a function needs to use the database as the user of the secret: the
// environment variables, and the permissions for these operations of the Data
// API ("ExecuteStatement").
cloudformation::Value::Members DatabaseVariables(
    const Database& database, const cloudformation::Value& secret_arn);
std::vector<cloudformation::iam::Statement> DatabaseStatements(
    const Database& database, const cloudformation::Value& secret_arn,
    const std::vector<std::string>& operations);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_DATABASE_H_
