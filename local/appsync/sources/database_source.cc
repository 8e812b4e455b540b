#include "local/appsync/sources/database_source.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/data.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/source_result.h"
#include "local/gateway/service.h"
#include "local/iam/role_caller.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

constexpr int kAnswered = 200;

// A variable's value in the form of the Data API.
Data FieldOf(const Data& value) {
  const char* type = "stringValue";
  Data field = value;
  if (value.is_null()) {
    type = "isNull";
    field = Data::Boolean(true);
  } else if (value.is_boolean()) {
    type = "booleanValue";
  } else if (value.is_integer()) {
    type = "longValue";
  } else if (value.is_number()) {
    type = "doubleValue";
  } else if (!value.is_string()) {
    field = Data::String(value.ToJson());
  }
  ObjectBuilder builder;
  builder.Set(type, std::move(field));
  return std::move(builder).Build();
}

Data ParametersOf(const Data& request) {
  const Data& hints = MemberOf(request, "variableTypeHintMap");
  std::vector<Data> parameters;
  for (const Data::Member& variable :
       MemberOf(request, "variableMap").members()) {
    ObjectBuilder parameter;
    parameter.Set("name",
                  Data::String(absl::StripPrefix(variable.name(), ":")));
    parameter.Set("value", FieldOf(variable.value));
    const Data& hint = MemberOf(hints, variable.name());
    if (hint.is_string()) parameter.Set("typeHint", hint);
    parameters.push_back(std::move(parameter).Build());
  }
  return Data::Array(std::move(parameters));
}

class StatementsCall : public std::enable_shared_from_this<StatementsCall> {
 public:
  StatementsCall(iam::RoleCaller& roles, SourceCall call, SourceDone done)
      : roles_(roles), call_(std::move(call)), done_(std::move(done)) {}

  void Run() {
    const Data& statements = MemberOf(call_.request, "statements");
    if (statements.size() == 0 || statements.size() > kMaxStatements) {
      return done_(InvalidSourceRequest(absl::StrCat(
          "statements must have 1 to ", kMaxStatements, " statements")));
    }
    if (results_.size() == statements.size()) return Finish();
    const DataSource& source = *call_.source;
    ObjectBuilder body;
    body.Set("resourceArn", Data::String(source.cluster_arn));
    body.Set("secretArn", Data::String(source.secret_arn));
    if (!source.database.empty()) {
      body.Set("database", Data::String(source.database));
    }
    body.Set("includeResultMetadata", Data::Boolean(true));
    body.Set("sql", statements.elements()[results_.size()]);
    body.Set("parameters", ParametersOf(call_.request));
    roles_.Call({.service = "rds-data",
                 .region = source.region,
                 .role_arn = source.role_arn,
                 .body = std::move(body).Build().ToJson(),
                 .path = "/Execute"},
                [self = shared_from_this()](absl::StatusOr<Answer> answer) {
                  self->Take(std::move(answer));
                });
  }

 private:
  void Take(absl::StatusOr<Answer> answer) {
    if (!answer.ok()) {
      return done_(SourceFailure("UnauthorizedException",
                                 std::string(answer.status().message())));
    }
    const Data body = Data::Parse(answer->body).value_or(Data());
    if (answer->status != kAnswered) {
      return done_(SourceFailure("RDSHttp", TextOf(body, "message")));
    }
    results_.push_back(body);
    Run();
  }

  void Finish() {
    ObjectBuilder result;
    result.Set("sqlStatementResults", Data::Array(std::move(results_)));
    done_({.result = Data::String(std::move(result).Build().ToJson())});
  }

  iam::RoleCaller& roles_;
  const SourceCall call_;
  const SourceDone done_;
  std::vector<Data> results_;
};

}  // namespace

void CallDatabase(iam::RoleCaller& roles, const SourceCall& call,
                  SourceDone done) {
  std::make_shared<StatementsCall>(roles, call, std::move(done))->Run();
}

}  // namespace byoshin::local::appsync
