#include "local/appsync/model/data_source.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/http/url.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/record.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::appsync {
namespace {

constexpr const char* kDataSourceSettings[] = {
    "name",           "description",  "type",       "serviceRoleArn",
    "dynamodbConfig", "lambdaConfig", "httpConfig", "relationalDatabaseConfig",
    "metricsConfig"};

JsonFields ConfigOf(JsonFields& fields, absl::string_view name) {
  std::optional<JsonFields> config = fields.Object(name);
  if (config.has_value()) return *std::move(config);
  fields.Fail(absl::StrCat("The data source needs ", name, "."));
  return JsonFields(Json::Value(Json::objectValue),
                    {.invalid_code = kBadRequestException});
}

void ReadDynamoDb(JsonFields& fields, DataSource& source) {
  JsonFields config = ConfigOf(fields, "dynamodbConfig");
  source.table_name = config.Text("tableName");
  source.region = config.Text("awsRegion");
  if (source.table_name.empty()) fields.Fail("dynamodbConfig needs tableName.");
  if (config.Flag("useCallerCredentials") || config.Flag("versioned")) {
    fields.Fail(
        "useCallerCredentials and versioned are not supported by the local "
        "cloud.");
  }
}

void ReadLambda(JsonFields& fields, DataSource& source) {
  JsonFields config = ConfigOf(fields, "lambdaConfig");
  source.function_arn = config.Text("lambdaFunctionArn");
  const std::vector<std::string> parts =
      absl::StrSplit(source.function_arn, ':');
  if (parts.size() < 7 || parts[2] != "lambda") {
    return fields.Fail(
        "lambdaConfig.lambdaFunctionArn must be the ARN of a function.");
  }
  source.region = parts[3];
}

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_AuthorizationConfig.html
void ReadSigning(JsonFields& config, DataSource& source) {
  std::optional<JsonFields> authorization =
      config.Object("authorizationConfig");
  if (!authorization.has_value()) return;
  if (authorization->Text("authorizationType") != "AWS_IAM") {
    return config.Fail(
        "httpConfig.authorizationConfig.authorizationType must be AWS_IAM.");
  }
  std::optional<JsonFields> iam = authorization->Object("awsIamConfig");
  if (iam.has_value()) {
    source.signing_service = iam->Text("signingServiceName");
    source.signing_region = iam->Text("signingRegion");
  }
  if (source.signing_service.empty()) {
    config.Fail(
        "httpConfig.authorizationConfig.awsIamConfig needs "
        "signingServiceName.");
  }
}

void ReadHttp(JsonFields& fields, DataSource& source) {
  JsonFields config = ConfigOf(fields, "httpConfig");
  source.endpoint = config.Text("endpoint");
  const absl::StatusOr<http::Url> url = http::ParseUrl(source.endpoint);
  if (!url.ok()) {
    return fields.Fail(absl::StrCat("httpConfig.endpoint is invalid: ",
                                    url.status().message()));
  }
  ReadSigning(config, source);
}

void ReadDatabase(JsonFields& fields, DataSource& source) {
  JsonFields config = ConfigOf(fields, "relationalDatabaseConfig");
  std::optional<JsonFields> endpoint = config.Object("rdsHttpEndpointConfig");
  if (!endpoint.has_value()) {
    return fields.Fail("relationalDatabaseConfig needs rdsHttpEndpointConfig.");
  }
  source.cluster_arn = endpoint->Required("dbClusterIdentifier");
  source.secret_arn = endpoint->Required("awsSecretStoreArn");
  source.region = endpoint->Text("awsRegion");
  source.database = endpoint->Text("databaseName");
  source.schema = endpoint->Text("schema");
}

bool NeedsRole(const DataSource& source) {
  return !source.signing_service.empty() ||
         source.type == DataSource::Type::kDynamoDb ||
         source.type == DataSource::Type::kLambda ||
         source.type == DataSource::Type::kRelationalDatabase;
}

absl::Status ReadType(const std::string& type, JsonFields& fields,
                      DataSource& source) {
  if (type == "NONE") {
    source.type = DataSource::Type::kNone;
  } else if (type == "AMAZON_DYNAMODB") {
    source.type = DataSource::Type::kDynamoDb;
    ReadDynamoDb(fields, source);
  } else if (type == "AWS_LAMBDA") {
    source.type = DataSource::Type::kLambda;
    ReadLambda(fields, source);
  } else if (type == "HTTP") {
    source.type = DataSource::Type::kHttp;
    ReadHttp(fields, source);
  } else if (type == "RELATIONAL_DATABASE") {
    source.type = DataSource::Type::kRelationalDatabase;
    ReadDatabase(fields, source);
  } else {
    return Unsupported(absl::StrCat("The data source type ", type));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DataSource> ReadDataSource(const Json::Value& settings,
                                          const std::string& region) {
  JsonFields fields(settings, {.invalid_code = kBadRequestException});
  DataSource source;
  source.name = fields.Required("name");
  const std::string type = fields.Required("type");
  source.role_arn = fields.Text("serviceRoleArn");
  if (!fields.status().ok()) return fields.status();
  if (!IsGraphqlName(source.name)) {
    return BadRequest(
        absl::StrCat("Data source name ", source.name,
                     " must match the pattern [_A-Za-z][_0-9A-Za-z]*."));
  }
  if (absl::Status read = ReadType(type, fields, source); !read.ok()) {
    return read;
  }
  if (!fields.status().ok()) return fields.status();
  if (NeedsRole(source) && source.role_arn.empty()) {
    return BadRequest(absl::StrCat("The data source ", source.name, " of type ",
                                   type, " needs serviceRoleArn."));
  }
  if (source.region.empty()) source.region = region;
  if (source.signing_region.empty()) source.signing_region = region;
  source.settings = PickMembers(settings, kDataSourceSettings);
  return source;
}

}  // namespace byoshin::local::appsync
