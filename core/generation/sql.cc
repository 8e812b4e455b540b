#include "core/generation/sql.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/rdsdata/client.h"
#include "core/time/iso8601.h"

namespace byoshin::generation {
namespace {

using aws::rdsdata::Field;
using aws::rdsdata::Parameter;
using aws::rdsdata::TypeHint;

Parameter Hinted(absl::string_view name, Field value, TypeHint hint) {
  return {.name = std::string(name), .value = std::move(value), .hint = hint};
}

}  // namespace

Parameter TextParameter(absl::string_view name, absl::string_view value) {
  return Hinted(name, value, TypeHint::kNone);
}

Parameter IntParameter(absl::string_view name, std::int64_t value) {
  return Hinted(name, value, TypeHint::kNone);
}

Parameter UuidParameter(absl::string_view name, absl::string_view value) {
  return Hinted(name, value, TypeHint::kUuid);
}

Parameter JsonParameter(absl::string_view name, absl::string_view json) {
  return Hinted(name, json, TypeHint::kJson);
}

Parameter TimeParameter(absl::string_view name, absl::Time time) {
  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_SqlParameter.html
  return Hinted(
      name,
      absl::FormatTime("%E4Y-%m-%d %H:%M:%E3S", time, absl::UTCTimeZone()),
      TypeHint::kTimestamp);
}

void SqlRow::Refuse(absl::string_view why) {
  status_.Update(absl::DataLossError(
      absl::StrCat("column ", next_, " of the database's answer ", why)));
}

const Field* SqlRow::Next() {
  if (!status_.ok()) return nullptr;
  if (next_ >= fields_.size()) {
    ++next_;
    Refuse("is missing");
    return nullptr;
  }
  return &fields_[next_++];
}

std::string SqlRow::Text() {
  const Field* const field = Next();
  if (field == nullptr) return {};
  if (field->text() != nullptr) return *field->text();
  Refuse("is not a text");
  return {};
}

std::string SqlRow::TextOrEmpty() {
  if (next_ < fields_.size() && fields_[next_].is_null()) {
    ++next_;
    return {};
  }
  return Text();
}

std::int64_t SqlRow::Int() {
  const Field* const field = Next();
  if (field == nullptr) return 0;
  if (field->integer() != nullptr) return *field->integer();
  Refuse("is not an integer");
  return 0;
}

bool SqlRow::Bool() {
  const Field* const field = Next();
  if (field == nullptr) return false;
  if (field->boolean() != nullptr) return *field->boolean();
  Refuse("is not a boolean");
  return false;
}

absl::Time SqlRow::Time() {
  const std::string text = Text();
  if (!status_.ok()) return {};
  const absl::StatusOr<absl::Time> time = time::ParseIso8601(
      absl::StrCat(absl::StrReplaceAll(text, {{" ", "T"}}), "Z"));
  if (time.ok()) return *time;
  Refuse("is not a timestamp");
  return {};
}

std::optional<absl::Time> SqlRow::OptionalTime() {
  if (next_ < fields_.size() && fields_[next_].is_null()) {
    ++next_;
    return std::nullopt;
  }
  return Time();
}

absl::StatusOr<SqlRows> SqlDatabase::Run(const SqlStatement& statement,
                                         absl::Time deadline) {
  return client_.ExecuteStatement({.database = database_,
                                   .sql = statement.sql,
                                   .parameters = statement.parameters,
                                   .transaction_id = statement.transaction_id,
                                   .repetition = statement.repetition},
                                  deadline);
}

absl::Status SqlDatabase::RunBatch(const std::string& sql,
                                   std::vector<SqlParameters> parameter_sets,
                                   const std::string& transaction_id,
                                   absl::Time deadline) {
  return client_.BatchExecuteStatement(
      {.database = database_,
       .sql = sql,
       .parameter_sets = std::move(parameter_sets),
       .transaction_id = transaction_id},
      deadline);
}

absl::StatusOr<bool> SqlDatabase::InTransaction(
    absl::FunctionRef<absl::StatusOr<bool>(const std::string& id)> work,
    absl::Time deadline) {
  const absl::StatusOr<std::string> id =
      client_.BeginTransaction(database_, deadline);
  if (!id.ok()) return id.status();
  const aws::rdsdata::EndTransactionRequest end{
      .resource_arn = database_.resource_arn,
      .secret_arn = database_.secret_arn,
      .transaction_id = *id};
  absl::StatusOr<bool> result = work(*id);
  if (!result.ok() || !*result) {
    // If this fails, too, the database rolls back by itself later.
    client_.RollbackTransaction(end, deadline).IgnoreError();
    return result;
  }
  absl::Status committed = client_.CommitTransaction(end, deadline);
  if (!committed.ok()) return committed;
  return true;
}

}  // namespace byoshin::generation
