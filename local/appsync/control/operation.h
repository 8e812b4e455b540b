// The operations of AppSync's control plane. Each reads its request, checks
// all of it, and only then changes something.
// https://docs.aws.amazon.com/appsync/latest/APIReference/API_Operations.html
#ifndef BYOSHIN_LOCAL_APPSYNC_CONTROL_OPERATION_H_
#define BYOSHIN_LOCAL_APPSYNC_CONTROL_OPERATION_H_

#include <json/json.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/names.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {

// What the control plane has others check. Functions are thread-safe and
// never null.
struct Compilers {
  // Whether a schema, in SDL, is valid; the message says what is wrong.
  std::function<absl::Status(absl::string_view sdl)> check_schema{};
  // Whether a valid schema has this field.
  std::function<bool(absl::string_view sdl, const std::string& type,
                     const std::string& field)>
      has_field{};
  // The result of an introspection of a valid schema, as JSON.
  std::function<std::string(absl::string_view sdl)> introspect{};
  // OK, or the BadRequestException for code with errors.
  std::function<absl::Status(absl::string_view code)> check_code{};
  // The answer to EvaluateCode, JSON. InvalidArgument if the request is
  // invalid.
  std::function<absl::StatusOr<std::string>(absl::string_view body)>
      evaluate_code{};
};

// Why a schema could not be created, by API. Not kept by the store: who
// creates one asks at once.
using SchemaFailures = std::map<std::string, std::string>;

struct OperationContext {
  Catalog& catalog;
  SchemaFailures& schema_failures;
  const Compilers& compilers;
  const Call& call;
  // The parts of the path where the pattern has braces.
  std::vector<std::string> parts{};
  // The body; an empty object if there is none.
  Json::Value body{};
  absl::Time now = absl::InfinitePast();

  Place place() const {
    return {.region = call.region, .account_id = call.caller.account_id};
  }
  // The API that the path begins with, in the region of the call.
  // NotFoundException if there is none.
  absl::StatusOr<Catalog::StatePointer> Api() const;
};

// Where an operation runs.
enum class RunsOn {
  // The thread that changes the catalog, one operation at a time.
  kLoop,
  // One of the threads for what takes long. Uses the request and the compilers
  // only.
  kLongThread,
};

struct Operation {
  const char* name;
  const char* method;
  const char* path;
  // Null if the local cloud does not have it.
  absl::StatusOr<Answer> (*run)(OperationContext& context);
  // What there is instead.
  const char* instead = "";
  RunsOn runs_on = RunsOn::kLoop;
};

absl::Span<const Operation> ApiOperations();
absl::Span<const Operation> KeyOperations();
absl::Span<const Operation> DataSourceOperations();
absl::Span<const Operation> FunctionOperations();
absl::Span<const Operation> ResolverOperations();
absl::Span<const Operation> SchemaOperations();
absl::Span<const Operation> TagOperations();
absl::Span<const Operation> UnsupportedOperations();

// An answer with `value` as its member `name`.
Answer MemberAnswer(const char* name, Json::Value value);
// An answer without members.
Answer EmptyAnswer();

// The page of `items` that the parameters nextToken and maxResults ask for.
absl::StatusOr<Answer> ListAnswer(
    const OperationContext& context, const char* member,
    const std::map<std::string, Json::Value>& items);

// The text of the request's member; empty if there is none.
std::string TextIn(const OperationContext& context, const char* member);
// The members of a request's object of texts; BadRequestException if it is
// something else.
absl::StatusOr<std::map<std::string, std::string>> TextsIn(
    const OperationContext& context, const char* member);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CONTROL_OPERATION_H_
