#include "local/rdsdata/service.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/permission.h"
#include "local/gateway/rest.h"
#include "local/gateway/service_traits.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/limits.h"
#include "local/rdsdata/requests.h"

namespace byoshin::local::rdsdata {
namespace {

constexpr ServiceTraits kTraits = {.name = "rds-data",
                                   .target_prefix = "",
                                   .speaks_rest = true,
                                   .json_content_type = kRestContentType};

// The operation of a path; empty if there is none.
absl::string_view OperationAt(absl::string_view path) {
  struct Form {
    absl::string_view path;
    absl::string_view operation;
  };
  static constexpr Form kForms[] = {
      {"/BatchExecute", "BatchExecuteStatement"},
      {"/BeginTransaction", "BeginTransaction"},
      {"/CommitTransaction", "CommitTransaction"},
      {"/Execute", "ExecuteStatement"},
      {"/ExecuteSql", "ExecuteSql"},
      {"/RollbackTransaction", "RollbackTransaction"},
  };
  for (const Form& form : kForms) {
    if (form.path == path) return form.operation;
  }
  return "";
}

Answer ErrorAnswerFor(const absl::Status& status) {
  return RestErrorAnswer(status, MessageSpelling::kLowerCase);
}

Answer ToAnswer(absl::StatusOr<std::string> json) {
  if (!json.ok()) return ErrorAnswerFor(json.status());
  return {.content_type = kRestContentType, .body = *std::move(json)};
}

}  // namespace

const ServiceTraits& RdsDataService::traits() const { return kTraits; }

// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonrdsdataapi.html
std::vector<NeededPermission> RdsDataService::PermissionsFor(
    const Call& call) const {
  const absl::string_view operation = OperationAt(call.path);
  const std::string cluster = ParameterOf(call, "resourceArn");
  std::vector<NeededPermission> needed = {
      {.action = absl::StrCat(
           "rds-data:", operation.empty() ? "ExecuteStatement" : operation),
       .resource = cluster.empty() ? "*" : cluster}};
  // The secret is read with the caller's permissions.
  const std::string secret = ParameterOf(call, "secretArn");
  if (!secret.empty()) {
    needed.push_back(
        {.action = "secretsmanager:GetSecretValue",
         .resource = absl::StartsWith(secret, "arn:")
                         ? secret
                         : ArnFor(call, "secretsmanager",
                                  absl::StrCat("secret:", secret))});
  }
  return needed;
}

void RdsDataService::Handle(Call call, AnswerFunction answer) {
  const absl::string_view operation = OperationAt(call.path);
  if (operation.empty() || call.method != "POST") {
    return answer(ErrorAnswerFor(
        ServiceError({.code = "UnknownOperationException",
                      .message = absl::StrCat("the Data API does not support ",
                                              call.method, " ", call.path),
                      .http_status = 404})));
  }
  if (call.body.size() > kMaxRequestBytes) {
    return answer(ErrorAnswerFor(
        BadRequest("The request is larger than the limit of 4 MiB")));
  }
  auto answered = [answer](absl::StatusOr<std::string> json) {
    answer(ToAnswer(std::move(json)));
  };
  if (operation == "ExecuteStatement") {
    absl::StatusOr<StatementRequest> request = ReadExecute(call);
    if (!request.ok()) return answered(request.status());
    return api_.ExecuteStatement(*std::move(request), answered);
  }
  if (operation == "BatchExecuteStatement") {
    absl::StatusOr<StatementRequest> request = ReadBatch(call);
    if (!request.ok()) return answered(request.status());
    return api_.BatchExecuteStatement(*std::move(request), answered);
  }
  if (operation == "BeginTransaction") {
    const absl::StatusOr<Target> target = ReadBegin(call);
    if (!target.ok()) return answered(target.status());
    return api_.BeginTransaction(*target, answered);
  }
  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_ExecuteSql.html
  if (operation == "ExecuteSql") {
    return answered(BadRequest(
        "ExecuteSql is deprecated and not supported for Aurora Serverless v2: "
        "use ExecuteStatement or BatchExecuteStatement"));
  }
  const absl::StatusOr<Target> target = ReadEnd(call);
  if (!target.ok()) return answered(target.status());
  if (operation == "CommitTransaction") {
    return api_.CommitTransaction(*target, answered);
  }
  api_.RollbackTransaction(*target, answered);
}

}  // namespace byoshin::local::rdsdata
