#include "local/postgres_client/result.h"

#include <libpq-fe.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::local::postgres_client {
namespace {

// The status payload that holds a ServerError: its fields, separated by zeros,
// which PostgreSQL's texts can't contain.
constexpr absl::string_view kServerErrorPayload = "byoshin/postgres_error";
constexpr std::size_t kServerErrorFields = 6;

// https://www.postgresql.org/docs/17/errcodes-appendix.html
absl::StatusCode CodeOf(absl::string_view state) {
  struct Rule {
    absl::string_view prefix;
    absl::StatusCode code;
  };
  // The first one that fits.
  static constexpr Rule kRules[] = {
      {"3D000", absl::StatusCode::kNotFound},          // no such database
      {"42P04", absl::StatusCode::kAlreadyExists},     // database
      {"42710", absl::StatusCode::kAlreadyExists},     // role, type, ...
      {"42P06", absl::StatusCode::kAlreadyExists},     // schema
      {"42P07", absl::StatusCode::kAlreadyExists},     // table
      {"42501", absl::StatusCode::kPermissionDenied},  // privileges
      {"57014", absl::StatusCode::kCancelled},         // canceled
      {"08", absl::StatusCode::kUnavailable},          // connection
      {"28", absl::StatusCode::kUnauthenticated},      // user, password
      {"53", absl::StatusCode::kResourceExhausted},    // disk, memory
      {"57P", absl::StatusCode::kUnavailable},         // starting, stopping
      {"22", absl::StatusCode::kInvalidArgument},      // data
      {"42", absl::StatusCode::kInvalidArgument},      // syntax, names
      {"0A", absl::StatusCode::kUnimplemented},        // not supported
      {"40", absl::StatusCode::kAborted},              // serialization
      {"XX", absl::StatusCode::kInternal},             // internal
      {"", absl::StatusCode::kFailedPrecondition},     // constraints, state
  };
  for (const Rule& rule : kRules) {
    if (absl::StartsWith(state, rule.prefix)) return rule.code;
  }
  return absl::StatusCode::kUnknown;
}

std::string FieldOf(const PGresult* result, int field) {
  const char* const text = PQresultErrorField(result, field);
  return text == nullptr ? "" : text;
}

}  // namespace

absl::Status StatusOf(const ServerError& error) {
  std::string message = absl::StrCat(error.severity, ": ", error.message,
                                     " (SQLSTATE ", error.sql_state, ")");
  if (!error.detail.empty()) absl::StrAppend(&message, "; ", error.detail);
  if (!error.hint.empty()) absl::StrAppend(&message, "; ", error.hint);
  absl::Status status(CodeOf(error.sql_state), message);
  const std::string payload = absl::StrJoin(
      std::vector<std::string>{error.severity, error.sql_state, error.message,
                               error.detail, error.hint,
                               absl::StrCat(error.position)},
      absl::string_view("\0", 1));
  status.SetPayload(kServerErrorPayload, absl::Cord(payload));
  return status;
}

std::optional<ServerError> ServerErrorOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kServerErrorPayload);
  if (!payload.has_value()) return std::nullopt;
  const std::vector<std::string> fields =
      absl::StrSplit(std::string(*payload), '\0');
  if (fields.size() != kServerErrorFields) return std::nullopt;
  ServerError error{.severity = fields[0],
                    .sql_state = fields[1],
                    .message = fields[2],
                    .detail = fields[3],
                    .hint = fields[4]};
  if (!absl::SimpleAtoi(fields[5], &error.position)) error.position = 0;
  return error;
}

std::string SqlStateOf(const absl::Status& status) {
  const std::optional<ServerError> error = ServerErrorOf(status);
  return error.has_value() ? error->sql_state : "";
}

void Result::Free::operator()(pg_result* result) const { PQclear(result); }

ServerError ErrorOf(const pg_result* result) {
  ServerError error{
      .severity = FieldOf(result, PG_DIAG_SEVERITY_NONLOCALIZED),
      .sql_state = FieldOf(result, PG_DIAG_SQLSTATE),
      .message = FieldOf(result, PG_DIAG_MESSAGE_PRIMARY),
      .detail = FieldOf(result, PG_DIAG_MESSAGE_DETAIL),
      .hint = FieldOf(result, PG_DIAG_MESSAGE_HINT),
  };
  if (!absl::SimpleAtoi(FieldOf(result, PG_DIAG_STATEMENT_POSITION),
                        &error.position)) {
    error.position = 0;
  }
  return error;
}

absl::StatusOr<Result> Result::From(pg_result* result) {
  Result owner(result);
  switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
    case PGRES_EMPTY_QUERY:
      return owner;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
      return absl::UnimplementedError(
          "COPY to or from the client is not supported");
    case PGRES_PIPELINE_ABORTED:
      return absl::AbortedError("an earlier statement failed");
    default:
      break;
  }
  ServerError error = ErrorOf(result);
  if (error.sql_state.empty()) {
    // libpq's own message: the connection is lost.
    return absl::UnavailableError(
        absl::StripAsciiWhitespace(PQresultErrorMessage(result)));
  }
  return StatusOf(error);
}

int Result::rows() const { return PQntuples(result_.get()); }

int Result::columns() const { return PQnfields(result_.get()); }

Column Result::column(int column) const {
  return {.name = PQfname(result_.get(), column),
          .type = PQftype(result_.get(), column),
          .type_modifier = PQfmod(result_.get(), column),
          .type_size = PQfsize(result_.get(), column),
          .table = PQftable(result_.get(), column),
          .table_column = PQftablecol(result_.get(), column)};
}

bool Result::IsNull(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) != 0;
}

absl::string_view Result::Text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::int64_t Result::affected_rows() const {
  std::int64_t rows = 0;
  return absl::SimpleAtoi(PQcmdTuples(result_.get()), &rows) ? rows : 0;
}

absl::string_view Result::command() const { return PQcmdStatus(result_.get()); }

}  // namespace byoshin::local::postgres_client
