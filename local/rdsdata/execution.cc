#include "local/rdsdata/execution.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/result.h"
#include "local/postgres_client/session.h"
#include "local/rdsdata/column_metadata.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/limits.h"
#include "local/rdsdata/records.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::Outcome;
using postgres_client::Result;
using postgres_client::Session;
using postgres_client::TransactionState;

// https://www.postgresql.org/docs/17/errcodes-appendix.html
constexpr char kQueryCanceled[] = "57014";
// How PostgreSQL says that statement_timeout has passed.
constexpr char kServerTimeout[] =
    "canceling statement due to statement timeout";
constexpr char kNoServerTimeout[] = "SET statement_timeout = 0";

bool Changes(absl::string_view command) {
  for (const absl::string_view verb : {"INSERT", "UPDATE", "DELETE", "MERGE"}) {
    if (absl::StartsWith(command, verb)) return true;
  }
  return false;
}

std::string BatchAnswer(std::size_t executions) {
  json::Writer json;
  json.Open('{').Key("updateResults").Open('[');
  for (std::size_t i = 0; i < executions; ++i) {
    json.Open('{').Key("generatedFields").Open('[').Close(']').Close('}');
  }
  json.Close(']').Close('}');
  return json.Take();
}

}  // namespace

Execution::Execution(DataApi& api, Kind kind, StatementRequest request,
                     DataApi::Answered answered)
    : api_(api),
      kind_(kind),
      request_(std::move(request)),
      answered_(std::move(answered)) {
  api_.Add(this);
}

Execution::~Execution() { api_.Remove(this); }

void Execution::Start() {
  absl::StatusOr<LoginKey> key = api_.FindLogin(request_.target);
  if (!key.ok()) return Finish(key.status());
  key_ = *std::move(key);
  {
    const sync::MutexLock lock(mutex_);
    deadline_ = api_.deadlines_.At(api_.clock_.Now() + kStatementTimeout,
                                   [weak = weak_from_this()] {
                                     if (const auto self = weak.lock())
                                       self->TimeOut();
                                   });
  }
  TakeConnection();
}

void Execution::TakeConnection() {
  const std::string& transaction = request_.target.transaction_id;
  if (!transaction.empty()) {
    LoginKey key = key_;
    key.database = request_.target.database;
    return Taken(api_.transactions_.Take(transaction, key));
  }
  api_.connections_.Take(
      key_, [self = shared_from_this()](absl::StatusOr<LeasePointer> lease) {
        self->Taken(std::move(lease));
      });
}

void Execution::Taken(absl::StatusOr<LeasePointer> lease) {
  if (!lease.ok()) return Finish(lease.status());
  bool timed_out = false;
  {
    const sync::MutexLock lock(mutex_);
    lease_ = *std::move(lease);
    session_ = lease_->session;
    timed_out = timed_out_;
  }
  // The client has its answer.
  if (timed_out) return Release();
  if (!request_.continue_after_timeout) return Run();
  lease_->session->ExecuteScript(kNoServerTimeout,
                                 [self = shared_from_this()](Outcome outcome) {
                                   if (!outcome.status.ok())
                                     return self->Ran(std::move(outcome));
                                   self->Run();
                                 });
}

void Execution::Run() {
  lease_->session->Execute(request_.statement,
                           [self = shared_from_this()](Outcome outcome) {
                             self->Ran(std::move(outcome));
                           });
}

void Execution::Ran(Outcome outcome) {
  state_ = outcome.transaction;
  if (outcome.never_run && request_.target.transaction_id.empty()) {
    // The server has ended since the connection was used last.
    Release();
    return TakeConnection();
  }
  if (!outcome.status.ok()) {
    const absl::Status error = ErrorFor(outcome.status);
    return Finish(error);
  }
  results_ = std::move(outcome.results);
  if (kind_ == Kind::kBatch) {
    return Finish(BatchAnswer(request_.statement.sets.size()));
  }
  FindTypes();
}

void Execution::FindTypes() {
  const Result& result = results_.back();
  for (int column = static_cast<int>(types_.size()); column < result.columns();
       ++column) {
    const Oid type = result.column(column).type;
    if (std::optional<ColumnType> found = FindBuiltInType(type)) {
      types_.push_back(*std::move(found));
      continue;
    }
    const auto known = lease_->types.find(type);
    if (known != lease_->types.end()) {
      types_.push_back(known->second);
      continue;
    }
    lease_->session->Execute(
        {.sql = kTypeQuery, .sets = {{{.value = absl::StrCat(type)}}}},
        [self = shared_from_this(), type](const Outcome& outcome) {
          self->FoundType(type, outcome);
        });
    return;
  }
  if (absl::Status status = CheckResult(result, types_); !status.ok()) {
    return Finish(status);
  }
  if (request_.include_metadata && HasOrigins(result)) return FindOrigins();
  Write(nullptr);
}

void Execution::FoundType(Oid type, const Outcome& outcome) {
  state_ = outcome.transaction;
  if (!outcome.status.ok()) return Finish(ErrorFor(outcome.status));
  const Result& row = outcome.results.back();
  lease_->types[type] = row.rows() == 0
                            ? ColumnType{.name = absl::StrCat(type)}
                            : TypeFromCatalog(row.Text(0, 0), row.Text(0, 1),
                                              row.Text(0, 2), row.Text(0, 3));
  FindTypes();
}

void Execution::FindOrigins() {
  lease_->session->Execute(
      {.sql = kOriginQuery, .sets = {OriginParameters(results_.back())}},
      [self = shared_from_this()](const Outcome& outcome) {
        self->state_ = outcome.transaction;
        if (!outcome.status.ok()) {
          return self->Finish(self->ErrorFor(outcome.status));
        }
        self->Write(&outcome.results.back());
      });
}

void Execution::Write(const Result* origins) {
  const Result& result = results_.back();
  const bool changes = Changes(result.command());
  const bool formatted =
      request_.format == StatementRequest::Format::kJson && !changes;
  json::Writer json;
  json.Open('{');
  if (result.columns() == 0) {
    // PostgreSQL has no such fields: RETURNING gives what a statement
    // generates.
    json.Key("generatedFields").Open('[').Close(']');
  } else if (formatted) {
    const absl::StatusOr<std::string> text =
        FormatRecords(result, types_, request_.records);
    if (!text.ok()) return Finish(text.status());
    json.Key("formattedRecords").String(*text);
  } else {
    json.Key("records");
    if (absl::Status status =
            WriteRecords(result, types_, request_.records, json);
        !status.ok()) {
      return Finish(status);
    }
  }
  if (request_.include_metadata && result.columns() > 0 && !formatted) {
    json.Key("columnMetadata");
    WriteColumnMetadata(result, types_, origins, json);
  }
  json.Key("numberOfRecordsUpdated")
      .Int(changes ? result.affected_rows() : 0)
      .Close('}');
  Finish(json.Take());
}

void Execution::TimeOut() {
  int connection_id = 0;
  {
    const sync::MutexLock lock(mutex_);
    if (answered_ == nullptr) return;
    timed_out_ = true;
    // Answered once the server has canceled it.
    if (session_ != nullptr && !request_.continue_after_timeout) {
      return CancelLocked();
    }
    if (session_ != nullptr) connection_id = session_->backend_pid();
  }
  Answer(StatementTimeout(connection_id));
}

void Execution::Cancel() {
  const sync::MutexLock lock(mutex_);
  if (session_ != nullptr) CancelLocked();
}

void Execution::CancelLocked() {
  api_.workers_.Do([session = session_] {
    // If it can't be canceled, the connection is lost, too.
    session->MakeCanceller().Cancel().IgnoreError();
  });
}

void Execution::Abandon() {
  lease_ = nullptr;
  const sync::MutexLock lock(mutex_);
  session_ = nullptr;
  answered_ = nullptr;
}

absl::Status Execution::ErrorFor(const absl::Status& status) {
  if (absl::IsResourceExhausted(status) &&
      !postgres_client::ServerErrorOf(status).has_value()) {
    return ResultTooLarge();
  }
  const std::optional<postgres_client::ServerError> error =
      postgres_client::ServerErrorOf(status);
  const bool lost = !error.has_value() || state_ == TransactionState::kUnknown;
  if (lost && !request_.target.transaction_id.empty()) {
    return DatabaseUnavailable(absl::StrCat(
        "The connection to the database was lost, and the transaction was "
        "rolled back: ",
        status.message()));
  }
  if (!error.has_value() || error->sql_state != kQueryCanceled) {
    return FromPostgres(status);
  }
  const sync::MutexLock lock(mutex_);
  if (timed_out_ || error->message == kServerTimeout) {
    return StatementTimeout(session_->backend_pid());
  }
  return FromPostgres(status);
}

void Execution::Release() {
  LeasePointer lease = std::exchange(lease_, nullptr);
  if (lease == nullptr) return;
  {
    const sync::MutexLock lock(mutex_);
    session_ = nullptr;
  }
  if (request_.target.transaction_id.empty()) {
    api_.connections_.Return(std::move(lease), state_);
  } else {
    api_.transactions_.Return(request_.target.transaction_id, state_);
  }
}

void Execution::Answer(absl::StatusOr<std::string> answer) {
  DataApi::Answered answered;
  {
    const sync::MutexLock lock(mutex_);
    answered = std::exchange(answered_, nullptr);
  }
  if (answered != nullptr) answered(std::move(answer));
}

void Execution::Finish(absl::StatusOr<std::string> answer) {
  {
    const sync::MutexLock lock(mutex_);
    if (deadline_ != 0) api_.deadlines_.Cancel(deadline_);
  }
  if (request_.target.transaction_id.empty()) {
    Answer(std::move(answer));
    return Release();
  }
  // In this order: whoever has the answer may use the transaction.
  Release();
  Answer(std::move(answer));
}

}  // namespace byoshin::local::rdsdata
