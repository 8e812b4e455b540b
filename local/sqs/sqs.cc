#include "local/sqs/sqs.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/time/clock.h"
#include "local/gateway/error.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/message.h"
#include "local/sqs/operation.h"
#include "local/sqs/output.h"
#include "local/sqs/permissions.h"
#include "local/sqs/request.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::sqs {
namespace {

constexpr char kTypePrefix[] = "com.amazonaws.sqs#";
constexpr ServiceTraits kTraits = {.name = "sqs",
                                   .target_prefix = "AmazonSQS",
                                   .xml_namespace = kXmlNamespace,
                                   .error_type_prefix = kTypePrefix,
                                   .access_denied_code = "AccessDenied",
                                   .accepts_missing_action = true};

// AWS's answer to a Query request without Action.
constexpr char kWithoutAction[] = "<UnknownOperationException/>\n";
constexpr char kTraceHeader[] = "X-Amzn-Trace-Id";

// After a commit has failed.
constexpr absl::Duration kRetryPause = absl::Seconds(5);

// The parts of the request that the answer depends on.
struct AnswerContext {
  WireProtocol protocol = WireProtocol::kJson10;
  std::string operation{};
  std::string request_id{};
  XmlResult xml_result = XmlResult::kElement;
  // Whether a client of the Query protocol asked for JSON.
  bool query_as_json = false;
};

Answer ErrorOf(const AnswerContext& context, const absl::Status& status) {
  if (context.protocol == WireProtocol::kJson10) {
    return JsonErrorAnswer(status, kTypePrefix);
  }
  ErrorAnswer error = ErrorAnswerOf(status);
  if (error.code == "QueueDoesNotExist") {
    // The only message that differs in the Query protocol.
    error.message = "The specified queue does not exist for this wsdl version.";
  }
  if (context.query_as_json) {
    return QueryJsonErrorAnswer(error, context.request_id);
  }
  return QueryErrorAnswer(ServiceError(error), context.request_id,
                          kXmlNamespace);
}

Answer AnswerOf(const AnswerContext& context,
                const absl::StatusOr<WriteOutput>& result) {
  if (!result.ok()) return ErrorOf(context, result.status());
  const bool json = context.protocol == WireProtocol::kJson10;
  const std::unique_ptr<Output> output =
      json ? JsonOutput()
      : context.query_as_json
          ? QueryJsonOutput(context.operation, context.request_id,
                            context.xml_result)
          : XmlOutput(context.operation, context.request_id,
                      context.xml_result);
  (*result)(*output);
  return {.content_type = json                    ? kJson10ContentType
                          : context.query_as_json ? kQueryJsonContentType
                                                  : kXmlContentType,
          .body = output->Finish()};
}

std::string HeaderOf(const Call& call, absl::string_view name) {
  for (const http::Header& header : call.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return "";
}

absl::StatusOr<Job> PrepareJob(const Call& call, const Operation& operation,
                               absl::string_view account_id) {
  absl::StatusOr<JsonFields> fields = FieldsOf(call);
  if (!fields.ok()) return fields.status();
  return operation.prepare(*fields, {.region = call.region,
                                     .endpoint = call.endpoint,
                                     .account_id = std::string(account_id),
                                     .path = call.path,
                                     .trace_id = HeaderOf(call, kTraceHeader),
                                     .connected = call.connected,
                                     .let_time_pass = call.let_time_pass});
}

}  // namespace

absl::StatusOr<std::unique_ptr<Sqs>> Sqs::Open(Store& store, time::Clock& clock,
                                               SqsOptions options) {
  std::unique_ptr<Sqs> sqs(new Sqs(store, clock, std::move(options)));
  if (absl::Status status = sqs->engine_.Load(); !status.ok()) return status;
  Sqs* self = sqs.get();
  sqs->loop_ = std::make_unique<WorkLoop>(
      store, clock,
      WorkLoop::Options{.on_rollback = [self] { self->LoadAgain(); }});
  // For what became due meanwhile.
  sqs->Submit([](Engine& engine) { engine.RunDue(); });
  return sqs;
}

Sqs::Sqs(Store& store, time::Clock& clock, SqsOptions options)
    : clock_(clock),
      options_(std::move(options)),
      engine_(store, clock,
              {.account_id = options_.account_id,
               .on_policy = options_.on_policy}) {}

Sqs::~Sqs() {
  if (loop_ != nullptr) loop_->Stop();
}

const ServiceTraits& Sqs::traits() const { return kTraits; }

std::vector<NeededPermission> Sqs::PermissionsFor(const Call& call) const {
  return {PermissionFor(call)};
}

void Sqs::Handle(Call call, AnswerFunction answer) {
  AnswerContext context{
      .protocol = call.protocol,
      .operation = call.operation,
      .request_id = call.request_id,
      .query_as_json =
          call.protocol == WireProtocol::kQuery &&
          absl::StrContains(HeaderOf(call, "Accept"), kQueryJsonContentType)};
  const Operation* operation = FindOperation(call.operation);
  if (call.protocol == WireProtocol::kQuery && call.operation.empty()) {
    return answer({.status = 404,
                   .content_type = kXmlContentType,
                   .body = kWithoutAction});
  }
  if (operation == nullptr ||
      (operation->paths == Operation::Paths::kRootOnly &&
       call.protocol == WireProtocol::kQuery && call.path.size() > 1)) {
    return answer(ErrorOf(context, UnknownOperation(call.operation)));
  }
  context.xml_result = operation->xml_result;
  absl::StatusOr<Job> job = PrepareJob(call, *operation, options_.account_id);
  if (!job.ok()) return answer(ErrorOf(context, job.status()));
  Reply reply = [context = std::move(context), answer = std::move(answer)](
                    const absl::StatusOr<WriteOutput>& result) {
    answer(AnswerOf(context, result));
  };
  WorkLoop::Work work = [this, job = *std::move(job),
                         reply = std::move(reply)]() mutable -> AfterCommit {
    if (!broken_.ok()) {
      reply(broken_);
      return nullptr;
    }
    job(engine_, std::move(reply));
    return FinishWork();
  };
  if (operation->effort == Effort::kShort) {
    loop_->SubmitOrRun(std::move(work));
  } else {
    loop_->Submit(std::move(work));
  }
}

void Sqs::Submit(std::function<void(Engine& engine)> work) {
  loop_->Submit([this, work = std::move(work)]() -> AfterCommit {
    work(engine_);
    return FinishWork();
  });
}

AfterCommit Sqs::FinishWork() {
  AfterCommit finish = engine_.Finish();
  ArmTimer();
  return finish;
}

void Sqs::ArmTimer() {
  const absl::Time next = engine_.NextDue();
  if (next == timer_time_) return;
  if (timer_ != 0) loop_->Cancel(timer_);
  timer_ = 0;
  timer_time_ = next;
  if (next == absl::InfiniteFuture()) return;
  timer_ = loop_->At(next, [this]() -> AfterCommit {
    timer_ = 0;
    timer_time_ = absl::InfiniteFuture();
    engine_.RunDue();
    return FinishWork();
  });
}

void Sqs::LoadAgain() {
  broken_ = engine_.Load();
  if (!broken_.ok()) return;
  engine_.PauseUntil(clock_.Now() + kRetryPause);
  ArmTimer();
}

void Sqs::EndLongPolls() {
  Submit([](Engine& engine) { engine.EndAllWaits(); });
}

void Sqs::WithQueue(
    absl::string_view queue_arn,
    std::function<void(Engine& engine, const QueueAddress& queue)> work,
    StatusCallback fail) {
  std::optional<QueueAddress> queue =
      QueueOfArn(queue_arn, options_.account_id);
  Submit([this, queue = std::move(queue), work = std::move(work),
          fail = std::move(fail)](Engine& engine) {
    absl::Status error = broken_;
    if (error.ok() && !queue.has_value()) error = QueueDoesNotExist();
    if (error.ok()) return work(engine, *queue);
    engine.OnCommit([fail, error](const absl::Status&) { fail(error); });
  });
}

void Sqs::Send(absl::string_view queue_arn, const NewMessage& message,
               SendCallback done) {
  absl::StatusOr<PreparedMessage> prepared =
      Prepare(message, options_.account_id);
  WithQueue(
      queue_arn,
      [prepared = std::move(prepared), done](Engine& engine,
                                             const QueueAddress& queue) {
        absl::StatusOr<SendMessageResult> result =
            prepared.ok()
                ? engine.SendMessage({.queue = queue, .message = *prepared})
                : prepared.status();
        engine.OnCommit([done, result](const absl::Status& committed) {
          done(committed.ok() ? result
                              : absl::StatusOr<SendMessageResult>(committed));
        });
      },
      done);
}

void Sqs::Receive(absl::string_view queue_arn, const ReceiveOptions& options,
                  ReceiveCallback done) {
  WithQueue(
      queue_arn,
      [options, done](Engine& engine, const QueueAddress& queue) {
        engine.ReceiveMessage({.queue = queue,
                               .max_messages = options.max_messages,
                               .visibility_timeout = options.visibility_timeout,
                               .wait = options.wait},
                              done);
      },
      done);
}

void Sqs::Delete(absl::string_view queue_arn,
                 std::vector<std::string> receipt_handles,
                 StatusCallback done) {
  WithQueue(
      queue_arn,
      [receipt_handles = std::move(receipt_handles), done](
          Engine& engine, const QueueAddress& queue) {
        absl::Status first;
        for (const std::string& handle : receipt_handles) {
          first.Update(engine.DeleteMessage(queue, handle));
        }
        engine.OnCommit([done, first](const absl::Status& committed) {
          done(committed.ok() ? first : committed);
        });
      },
      done);
}

void Sqs::ChangeVisibility(absl::string_view queue_arn,
                           std::vector<VisibilityChange> changes,
                           StatusCallback done) {
  WithQueue(
      queue_arn,
      [changes = std::move(changes), done](Engine& engine,
                                           const QueueAddress& queue) {
        absl::Status first;
        for (const VisibilityChange& change : changes) {
          first.Update(engine.ChangeMessageVisibility(queue, change));
        }
        engine.OnCommit([done, first](const absl::Status& committed) {
          done(committed.ok() ? first : committed);
        });
      },
      done);
}

void Sqs::Depth(absl::string_view queue_arn, DepthCallback done) {
  WithQueue(
      queue_arn,
      [done](Engine& engine, const QueueAddress& queue) {
        engine.OnCommit([done, depth = engine.Depth(queue)](
                            const absl::Status&) { done(depth); });
      },
      done);
}

void Sqs::Peek(absl::string_view queue_arn, std::size_t limit,
               PeekCallback done) {
  WithQueue(
      queue_arn,
      [limit, done](Engine& engine, const QueueAddress& queue) {
        engine.OnCommit([done, messages = engine.Peek(queue, limit)](
                            const absl::Status&) { done(messages); });
      },
      done);
}

void Sqs::Empty(absl::string_view queue_arn, StatusCallback done) {
  WithQueue(
      queue_arn,
      [done](Engine& engine, const QueueAddress& queue) {
        engine.OnCommit([done, emptied = engine.Empty(queue)](
                            const absl::Status& committed) {
          done(committed.ok() ? emptied : committed);
        });
      },
      done);
}

uint64_t Sqs::Subscribe(absl::string_view queue_arn,
                        std::function<void()> available) {
  std::optional<QueueAddress> queue =
      QueueOfArn(queue_arn, options_.account_id);
  if (!queue.has_value()) return 0;
  const uint64_t id = next_subscription_++;
  Submit([id, queue = *std::move(queue), available = std::move(available)](
             Engine& engine) { engine.Subscribe(id, queue, available); });
  return id;
}

void Sqs::Unsubscribe(uint64_t subscription, std::function<void()> done) {
  Submit([subscription, done = std::move(done)](Engine& engine) {
    engine.Unsubscribe(subscription);
    engine.OnCommit([done](const absl::Status&) { done(); });
  });
}

}  // namespace byoshin::local::sqs
