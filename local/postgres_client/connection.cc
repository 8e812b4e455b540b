#include "local/postgres_client/connection.h"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/postgres_client/parameters.h"
#include "local/postgres_client/result.h"

namespace byoshin::local::postgres_client {
namespace {

// libpq asks for at least so much room for the message of a failed cancel.
constexpr std::size_t kCancelMessageBytes = 256;

std::string LastMessage(const PGconn* connection) {
  return std::string(absl::StripAsciiWhitespace(PQerrorMessage(connection)));
}

// libpq does not give the SQLSTATE of a failed login, only the message.
absl::Status LoginError(const PGconn* connection) {
  const std::string message = LastMessage(connection);
  if (absl::StrContains(message, "authentication failed") ||
      absl::StrContains(message, "no password supplied") ||
      absl::StrContains(message, "no pg_hba.conf entry") ||
      absl::StrContains(message, "is not permitted to log in") ||
      (absl::StrContains(message, "role \"") &&
       absl::StrContains(message, "does not exist"))) {
    return absl::UnauthenticatedError(message);
  }
  if (absl::StrContains(message, "database \"") &&
      absl::StrContains(message, "does not exist")) {
    return absl::NotFoundError(message);
  }
  if (absl::StrContains(message, "permission denied for database")) {
    return absl::PermissionDeniedError(message);
  }
  return absl::UnavailableError(message);
}

void KeepNotice(void* notices, const PGresult* result) {
  static_cast<std::vector<ServerError>*>(notices)->push_back(ErrorOf(result));
}

}  // namespace

void Canceller::Free::operator()(pg_cancel* cancel) const {
  PQfreeCancel(cancel);
}

absl::Status Canceller::Cancel() const {
  std::array<char, kCancelMessageBytes> message{};
  if (cancel_ == nullptr) {
    return absl::FailedPreconditionError("the connection was lost");
  }
  if (PQcancel(cancel_.get(), message.data(), message.size()) == 1) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StripAsciiWhitespace(absl::string_view(message.data())));
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::Connect(
    const ConnectOptions& options) {
  const std::int64_t seconds = std::max<std::int64_t>(
      2, absl::ToInt64Seconds(absl::Ceil(options.timeout, absl::Seconds(1))));
  const std::string timeout = absl::StrCat(seconds);
  std::vector<const char*> names;
  std::vector<const char*> values;
  if (!options.url.empty()) {
    names.push_back("dbname");
    values.push_back(options.url.c_str());
  }
  for (const auto& [name, value] : options.keywords) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back("connect_timeout");
  values.push_back(timeout.c_str());
  names.push_back(nullptr);
  values.push_back(nullptr);
  // Only the first dbname is read as a URL: a database's name never is.
  PGconn* const handle = PQconnectdbParams(names.data(), values.data(),
                                           options.url.empty() ? 0 : 1);
  if (handle == nullptr) {
    return absl::ResourceExhaustedError("no memory for a connection");
  }
  auto connection = std::unique_ptr<Connection>(new Connection(handle));
  if (PQstatus(handle) != CONNECTION_OK) return LoginError(handle);
  PQsetNoticeReceiver(handle, KeepNotice, &connection->notices_);
  return connection;
}

Connection::~Connection() { PQfinish(connection_); }

absl::StatusOr<Result> Connection::Take(PGresult* result) const {
  if (result != nullptr) return Result::From(result);
  return absl::UnavailableError(LastMessage(connection_));
}

absl::StatusOr<Result> Connection::Execute(
    const std::string& sql, const std::vector<Parameter>& parameters) {
  const ParameterArrays arrays(parameters);
  return Take(PQexecParams(connection_, sql.c_str(), arrays.size(),
                           arrays.types(), arrays.values(), arrays.lengths(),
                           arrays.formats(), /*resultFormat=*/0));
}

absl::StatusOr<Result> Connection::ExecuteScript(const std::string& sql) {
  return Take(PQexec(connection_, sql.c_str()));
}

absl::Status Connection::Prepare(const std::string& name,
                                 const std::string& sql,
                                 const std::vector<Oid>& types) {
  return Take(PQprepare(connection_, name.c_str(), sql.c_str(),
                        static_cast<int>(types.size()), types.data()))
      .status();
}

absl::StatusOr<Result> Connection::ExecutePrepared(
    const std::string& name, const std::vector<Parameter>& parameters) {
  const ParameterArrays arrays(parameters);
  return Take(PQexecPrepared(connection_, name.c_str(), arrays.size(),
                             arrays.values(), arrays.lengths(),
                             arrays.formats(), /*resultFormat=*/0));
}

std::string Connection::QuoteIdentifier(absl::string_view name) const {
  char* const quoted =
      PQescapeIdentifier(connection_, name.data(), name.size());
  // Null only if the name is not in the connection's encoding, or without
  // memory: text that PostgreSQL refuses.
  std::string text = quoted == nullptr ? "" : quoted;
  PQfreemem(quoted);
  return text;
}

std::string Connection::QuoteLiteral(absl::string_view text) const {
  char* const quoted = PQescapeLiteral(connection_, text.data(), text.size());
  std::string literal = quoted == nullptr ? "" : quoted;
  PQfreemem(quoted);
  return literal;
}

Canceller Connection::MakeCanceller() const {
  return Canceller(PQgetCancel(connection_));
}

bool Connection::broken() const {
  return PQstatus(connection_) != CONNECTION_OK;
}

int Connection::backend_pid() const { return PQbackendPID(connection_); }

std::string Connection::Setting(const std::string& name) const {
  const char* const value = PQparameterStatus(connection_, name.c_str());
  return value == nullptr ? "" : value;
}

}  // namespace byoshin::local::postgres_client
