#include "local/rdsdata/errors.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/postgres_client/result.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::ServerError;

// https://www.postgresql.org/docs/17/errcodes-appendix.html
constexpr char kInvalidPassword[] = "28P01";
constexpr char kInvalidAuthorization[] = "28000";
constexpr char kNoSuchDatabase[] = "3D000";
constexpr char kSyntaxError[] = "42601";

// How PostgreSQL refuses several statements that are sent as one.
constexpr char kSeveralCommands[] =
    "cannot insert multiple commands into a prepared statement";

absl::Status Error(const char* code, absl::string_view message,
                   int http_status = 400) {
  return ServiceError({.code = code,
                       .message = std::string(message),
                       .http_status = http_status});
}

// `connection_id` is 0 if there is no connection.
absl::Status TimeoutError(const char* message, int connection_id) {
  return ServiceError(
      {.code = "StatementTimeoutException",
       .message = message,
       .json_members = absl::StrCat("\"dbConnectionId\":", connection_id)});
}

// libpq's message of a failed connection ends with the server's:
// "connection to server on socket "..." failed: FATAL:  role "x" ...".
absl::string_view ServersWords(absl::string_view message) {
  constexpr absl::string_view kFatal = "FATAL:";
  const std::size_t at = message.rfind(kFatal);
  if (at == absl::string_view::npos) return message;
  return absl::StripAsciiWhitespace(message.substr(at + kFatal.size()));
}

}  // namespace

absl::Status BadRequest(absl::string_view message) {
  return Error("BadRequestException", message);
}

absl::Status Validation(absl::string_view message) {
  return Error("ValidationException", message);
}

absl::Status DatabaseError(absl::string_view message) {
  return Error("DatabaseErrorException", message);
}

absl::Status DatabaseUnavailable(absl::string_view message) {
  return Error("DatabaseUnavailableException", message, 504);
}

absl::Status HttpEndpointNotEnabled(absl::string_view resource_arn) {
  return Error(
      "HttpEndpointNotEnabledException",
      absl::StrCat("HttpEndpoint is not enabled for resource ", resource_arn));
}

absl::Status InvalidResourceState(absl::string_view message) {
  return Error("InvalidResourceStateException", message);
}

absl::Status InvalidSecret(absl::string_view message) {
  return Error("InvalidSecretException", message);
}

absl::Status SecretsError(absl::string_view message) {
  return Error("SecretsErrorException", message);
}

absl::Status ConnectionTimeout() {
  return TimeoutError("Connection is not available, request timed out", 0);
}

absl::Status StatementTimeout(int connection_id) {
  return TimeoutError("Request timed out", connection_id);
}

absl::Status TransactionNotFound(absl::string_view id) {
  return Error("TransactionNotFoundException",
               absl::StrCat("Transaction ", id, " is not found"), 404);
}

absl::Status TransactionBusy() {
  return DatabaseError("Transaction is still running a query");
}

absl::Status UnsupportedResult(absl::string_view message) {
  return Error("UnsupportedResultException", message);
}

absl::Status ResultTooLarge() {
  return UnsupportedResult(
      "Database returned more than the allowed response size limit");
}

absl::Status FromPostgres(const absl::Status& status) {
  const std::optional<ServerError> error =
      postgres_client::ServerErrorOf(status);
  if (!error.has_value()) {
    if (absl::IsUnavailable(status)) {
      return DatabaseUnavailable(absl::StrCat(
          "The connection to the database was lost while the statement ran, "
          "which may or may not have been committed: ",
          status.message()));
    }
    return DatabaseError(status.message());
  }
  if (error->sql_state == kSyntaxError && error->message == kSeveralCommands) {
    return Validation("Multistatements aren't supported.");
  }
  std::string message = absl::StrCat(error->severity, ": ", error->message);
  if (!error->detail.empty()) {
    absl::StrAppend(&message, "; Detail: ", error->detail);
  }
  if (!error->hint.empty()) absl::StrAppend(&message, "; Hint: ", error->hint);
  if (error->position > 0) {
    absl::StrAppend(&message, "; Position: ", error->position);
  }
  return DatabaseError(absl::StrCat(message, "; SQLState: ", error->sql_state));
}

absl::Status FromConnecting(const absl::Status& status) {
  const absl::string_view words = ServersWords(status.message());
  switch (status.code()) {
    case absl::StatusCode::kUnauthenticated:
      return DatabaseError(absl::StrCat("ERROR: ", words, "; SQLState: ",
                                        absl::StrContains(words, "password")
                                            ? kInvalidPassword
                                            : kInvalidAuthorization));
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kInvalidArgument:
      return DatabaseError(
          absl::StrCat("ERROR: ", words, "; SQLState: ", kNoSuchDatabase));
    case absl::StatusCode::kFailedPrecondition:
      return InvalidResourceState(status.message());
    case absl::StatusCode::kPermissionDenied:
      return DatabaseError(absl::StrCat("ERROR: ", words));
    default:
      return DatabaseUnavailable(status.message());
  }
}

}  // namespace byoshin::local::rdsdata
