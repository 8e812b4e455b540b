#include "local/appsync/sources/dynamodb_source.h"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "core/random/random.h"
#include "local/appsync/sources/attribute_values.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/dynamodb_batches.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/function_result.h"
#include "local/appsync/sources/source_result.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

constexpr int kSuccess = 200;
constexpr char kConditionFailed[] = "ConditionalCheckFailedException";
constexpr char kCancelled[] = "TransactionCanceledException";
// Of an answer that an error message quotes.
constexpr std::size_t kMaxQuotedBytes = 200;

// "ValidationException" from "com.amazon.coral.validate#ValidationException".
std::string CodeOf(const Data& error) {
  const std::string type = TextOf(error, "__type");
  return type.substr(type.find('#') + 1);
}

// The errors that AppSync's client of DynamoDB has names for, as classes of
// the AWS SDK for Java. Any other, such as ValidationException and
// AccessDeniedException, is a DynamoDbException there.
std::string NameOfError(const std::string& code) {
  static const auto& names = *new std::map<std::string, std::string>{
      {kConditionFailed, kConditionFailed},
      {kCancelled, kCancelled},
      {"IdempotentParameterMismatchException",
       "IdempotentParameterMismatchException"},
      {"InternalServerError", "InternalServerErrorException"},
      {"ItemCollectionSizeLimitExceededException",
       "ItemCollectionSizeLimitExceededException"},
      {"ProvisionedThroughputExceededException",
       "ProvisionedThroughputExceededException"},
      {"RequestLimitExceeded", "RequestLimitExceededException"},
      {"ResourceNotFoundException", "ResourceNotFoundException"},
      {"TransactionConflictException", "TransactionConflictException"},
      {"TransactionInProgressException", "TransactionInProgressException"}};
  const auto found = names.find(code);
  return found == names.end() ? "DynamoDbException" : found->second;
}

SourceError ErrorOf(const Data& error, int status) {
  std::string message = TextOf(error, "message");
  if (message.empty()) message = TextOf(error, "Message");
  return {.type = absl::StrCat("DynamoDB:", NameOfError(CodeOf(error))),
          .message = absl::StrCat(message,
                                  " (Service: DynamoDb, Status Code: ", status,
                                  ", Request ID: ", random::NewUuid(), ")")};
}

// What a function may decide about a condition that was false.
constexpr char kReject[] = "reject";
constexpr char kDiscard[] = "discard";
constexpr char kRetry[] = "retry";

// Of "conditionalCheckFailedHandler".
constexpr char kCustom[] = "Custom";

absl::Status CheckHandler(const Data& handler) {
  if (handler.is_null()) return absl::OkStatus();
  const std::string strategy = TextOf(handler, "strategy");
  if (strategy != kCustom && strategy != "Reject") {
    return absl::InvalidArgumentError(
        absl::StrCat("Unsupported strategy '", strategy,
                     "' of conditionalCheckFailedHandler; the strategies are "
                     "Custom, Reject"));
  }
  if (strategy == kCustom && TextOf(handler, "lambdaArn").empty()) {
    return absl::InvalidArgumentError(
        "Value for field "
        "'$[condition][conditionalCheckFailedHandler][lambdaArn]' not found.");
  }
  return absl::OkStatus();
}

// One request, from the first try to its end.
class TableCall : public std::enable_shared_from_this<TableCall> {
 public:
  TableCall(DynamoDbWorld world, SourceCall call, SourceDone done)
      : world_(world), call_(std::move(call)), done_(std::move(done)) {}

  void Run() {
    if (absl::Status valid = CheckHandler(handler()); !valid.ok()) {
      return done_(InvalidSourceRequest(std::string(valid.message())));
    }
    const absl::StatusOr<DynamoDbCall> request =
        DynamoDbCallFor(call_.source->table_name, call_.request);
    if (!request.ok()) {
      return done_(
          InvalidSourceRequest(std::string(request.status().message())));
    }
    Send(*request, [self = shared_from_this()](const Answer& answer) {
      self->Finish(answer);
    });
  }

 private:
  // Calls `finish` with DynamoDB's answer; ends the call if there is none.
  template <typename Finish>
  void Send(const DynamoDbCall& request, Finish finish) {
    world_.roles.Call(
        {.service = "dynamodb",
         .action = request.operation,
         .region = call_.source->region,
         .role_arn = call_.source->role_arn,
         .body = request.body.ToJson()},
        [self = shared_from_this(),
         finish = std::move(finish)](absl::StatusOr<Answer> answer) {
          if (answer.ok()) return finish(*answer);
          self->done_(SourceFailure("UnauthorizedException",
                                    std::string(answer.status().message())));
        });
  }

  void Finish(const Answer& answer) {
    const Data body = Data::Parse(answer.body).value_or(Data());
    if (answer.status == kSuccess) {
      return done_({.result = DynamoDbResult(call_.request, body)});
    }
    SourceResult failed{.error = ErrorOf(body, answer.status)};
    const std::string code = CodeOf(body);
    if (code == kCancelled) failed.result = CancelledResult(body);
    if (code != kConditionFailed) return done_(std::move(failed));
    ReadCurrent(std::move(failed));
  }

  // The condition was false.
  void ReadCurrent(SourceResult failed) {
    ObjectBuilder get;
    get.Set("TableName", Data::String(call_.source->table_name));
    get.Set("Key", ToWireMap(MemberOf(call_.request, "key")));
    const Data& consistent = MemberOf(condition(), "consistentRead");
    get.Set("ConsistentRead",
            consistent.is_boolean() ? consistent : Data::Boolean(true));
    Send({"GetItem", std::move(get).Build()},
         [self = shared_from_this(),
          failed = std::move(failed)](const Answer& answer) {
           // Without the permission to read, the error stays as it is.
           if (answer.status != kSuccess) return self->done_(failed);
           const Data body = Data::Parse(answer.body).value_or(Data());
           self->Decide(failed, MemberOf(body, "Item"));
         });
  }

  // `item` is DynamoDB's.
  void Decide(SourceResult failed, const Data& item) {
    failed.result = ToPlainItem(item);
    if (IsAsWanted(failed.result)) return done_({.result = failed.result});
    // If a retry fails, there is no other.
    if (retried_ || TextOf(handler(), "strategy") != kCustom) {
      return done_(std::move(failed));
    }
    AskHandler(ToTypedItem(item), std::move(failed));
  }

  bool IsAsWanted(const Data& current) const {
    const std::string operation = TextOf(call_.request, "operation");
    if (operation == "DeleteItem") return current.is_null();
    if (operation != "PutItem" || current.is_null()) return false;
    std::set<std::string> ignored;
    for (const Data& name : MemberOf(condition(), "equalsIgnore").elements()) {
      if (name.is_string()) ignored.emplace(name.string());
    }
    const auto without = [&](const Data& item) {
      ObjectBuilder kept(item);
      for (const std::string& name : ignored) kept.Remove(name);
      return std::move(kept).Build();
    };
    return without(current) ==
           without(DynamoDbResult(call_.request, Data::EmptyObject()));
  }

  // A function decides: the request fails, is dropped, or is tried again
  // changed.
  void AskHandler(Data current, SourceResult failed) {
    ObjectBuilder resolver(MemberOf(call_.context, "resolver"));
    resolver.Set("tableName", Data::String(call_.source->table_name));
    resolver.Set("awsRegion", Data::String(call_.source->region));
    ObjectBuilder event(call_.context);
    event.Set("resolver", std::move(resolver).Build());
    event.Set("requestMapping", call_.request);
    event.Set("currentValue", std::move(current));
    world_.functions.InvokeForApi(
        {.function_arn = TextOf(handler(), "lambdaArn"),
         .payload = std::move(event).Build().ToJson(),
         .role_arn = call_.source->role_arn},
        [self = shared_from_this(), failed = std::move(failed)](
            const absl::StatusOr<lambda::FunctionInvoker::Result>& result) {
          self->Follow(failed, FunctionResult(result));
        });
  }

  void Follow(SourceResult failed, SourceResult decision) {
    if (decision.error.has_value()) {
      failed.error = std::move(decision.error);
      return done_(std::move(failed));
    }
    const std::string action = TextOf(decision.result, "action");
    if (action == kReject) return done_(std::move(failed));
    if (action == kDiscard) return done_({.result = failed.result});
    const Data& mapping = MemberOf(decision.result, "retryMapping");
    if (action != kRetry || !mapping.is_object()) {
      failed.error = SourceError{
          .type = kFunctionFailed,
          .message = absl::StrCat(
              "The function that handles failed conditions must return the "
              "action reject, discard, or retry with a retryMapping, not ",
              json::CutAtCharacter(decision.result.ToJson(), kMaxQuotedBytes))};
      return done_(std::move(failed));
    }
    // The operation and the item stay the same.
    ObjectBuilder again(mapping);
    for (const char* name : {"operation", "key"}) {
      again.Set(name, MemberOf(call_.request, name));
    }
    call_.request = std::move(again).Build();
    retried_ = true;
    Run();
  }

  const Data& condition() const { return MemberOf(call_.request, "condition"); }
  const Data& handler() const {
    return MemberOf(condition(), "conditionalCheckFailedHandler");
  }

  const DynamoDbWorld world_;
  SourceCall call_;
  const SourceDone done_;
  bool retried_ = false;
};

}  // namespace

void CallDynamoDb(const DynamoDbWorld& world, const SourceCall& call,
                  SourceDone done) {
  std::make_shared<TableCall>(world, call, std::move(done))->Run();
}

}  // namespace byoshin::local::appsync
