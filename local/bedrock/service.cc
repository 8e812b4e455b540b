#include "local/bedrock/service.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/body_stream.h"
#include "core/sync/mutex.h"
#include "local/bedrock/answers.h"
#include "local/bedrock/deterministic_model.h"
#include "local/bedrock/errors.h"
#include "local/bedrock/model_id.h"
#include "local/bedrock/requests.h"
#include "local/bedrock/tokens.h"
#include "local/gateway/error.h"
#include "local/gateway/rest.h"

namespace byoshin::local::bedrock {
namespace {

constexpr ServiceTraits kTraits = {.name = "bedrock",
                                   .target_prefix = "AmazonBedrockRuntime",
                                   .speaks_rest = true,
                                   .json_content_type = kRestContentType};

// What counts against tokens per minute if a request has no maxTokens.
constexpr std::int64_t kDefaultMaxTokens = 512;

enum class Operation { kConverse, kConverseStream, kInvoke, kInvokeStream };

struct OperationForm {
  Operation operation;
  const char* name;
  const char* path;
  const char* action;
};
constexpr OperationForm kForms[] = {
    {Operation::kConverse, "Converse", "/model/{id}/converse", "InvokeModel"},
    {Operation::kConverseStream, "ConverseStream",
     "/model/{id}/converse-stream", "InvokeModelWithResponseStream"},
    {Operation::kInvoke, "InvokeModel", "/model/{id}/invoke", "InvokeModel"},
    {Operation::kInvokeStream, "InvokeModelWithResponseStream",
     "/model/{id}/invoke-with-response-stream",
     "InvokeModelWithResponseStream"},
};

// The form of the call and its model id; a null form for unknown ones.
std::pair<const OperationForm*, std::string> FindForm(const Call& call) {
  if (call.method == "POST") {
    for (const OperationForm& form : kForms) {
      if (auto parts = MatchPath(form.path, call.path)) {
        return {&form, parts->front()};
      }
    }
  }
  return {nullptr, ""};
}

std::string FoundationModelArn(const Call& call, absl::string_view model) {
  return absl::StrCat("arn:aws:bedrock:", call.region, "::foundation-model/",
                      model);
}

// The stream of a reply that was produced at once.
Answer WholeStream(StreamEncoder encoder, const Reply& reply,
                   absl::Duration latency) {
  Answer answer = encoder.Head();
  answer.body = encoder.Begin();
  for (const ReplyPiece& piece : PiecesOf(reply)) {
    answer.body += encoder.Encode(piece);
  }
  answer.body += encoder.End(reply, latency);
  return answer;
}

Answer ErrorAnswerFor(const absl::Status& status) {
  return RestErrorAnswer(status, MessageSpelling::kLowerCase);
}

}  // namespace

// A call from its arrival to its answer.
struct BedrockService::Exchange {
  Call call{};
  AnswerFunction answer{};
  const OperationForm* form = nullptr;
  std::string model_id{};  // as in the request
  ModelId model{};
  InvokeShape shape = InvokeShape::kNova;
  QuestionPtr question{};
  StackLimits::Ticket ticket{};
  Fault fault{};
  ModelCall record{};
  // Of a stream, once it has begun.
  std::optional<StreamEncoder> encoder{};
  std::shared_ptr<http::BodyStream> body{};

  bool invokes() const {
    return form->operation == Operation::kInvoke ||
           form->operation == Operation::kInvokeStream;
  }
  bool streams() const {
    return form->operation == Operation::kConverseStream ||
           form->operation == Operation::kInvokeStream;
  }
  StreamEncoder NewEncoder() const {
    using Kind = StreamEncoder::Kind;
    return StreamEncoder({.kind = !invokes() ? Kind::kConverse
                                  : shape == InvokeShape::kAnthropic
                                      ? Kind::kInvokeAnthropic
                                      : Kind::kInvokeNova,
                          .model = model.model,
                          .input_tokens = CountInputTokens(*question)});
  }
  // False once nobody waits for the reply. Called by the model, like Pass():
  // not at the same time.
  bool wanted() const {
    return body == nullptr ? call.connected() : body->Write("");
  }
  // Sends the beginning of a stream.
  void BeginStream() {
    encoder.emplace(NewEncoder());
    Answer head = encoder->Head();
    head.body = encoder->Begin();
    head.stream_body = [this](std::shared_ptr<http::BodyStream> stream) {
      body = std::move(stream);
    };
    answer(std::move(head));
  }
};

// A reply whose events are sent one after another as time passes. Thread-safe.
class BedrockService::PacedReply {
 public:
  PacedReply(BedrockService& service, std::shared_ptr<Exchange> exchange,
             Reply reply)
      : service_(service),
        exchange_(std::move(exchange)),
        reply_(std::move(reply)),
        pieces_(PiecesOf(reply_)) {}

  // The number of steps; the last one ends the stream.
  std::size_t steps() const { return pieces_.size() + 1; }

  // Takes the first `step` steps, except those that were taken before.
  void Advance(std::size_t step) {
    const sync::MutexLock lock(mutex_);
    while (!over_ && taken_ < step) {
      if (taken_ == pieces_.size()) {
        over_ = true;
        service_.Finish(*exchange_, reply_);
      } else if (!Pass(*exchange_, pieces_[taken_])) {
        over_ = true;
        service_.Finish(*exchange_, Unavailable());
      }
      ++taken_;
    }
  }

 private:
  BedrockService& service_;
  const std::shared_ptr<Exchange> exchange_;
  const Reply reply_;
  const std::vector<ReplyPiece> pieces_;
  sync::Mutex mutex_;
  std::size_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  bool over_ ABSL_GUARDED_BY(mutex_) = false;
};

const ServiceTraits& BedrockService::traits() const { return kTraits; }

// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html
std::vector<NeededPermission> BedrockService::PermissionsFor(
    const Call& call) const {
  const auto [form, model_id] = FindForm(call);
  if (form == nullptr) return {};
  const std::string action = absl::StrCat(kTraits.name, ":", form->action);
  const absl::StatusOr<ModelId> id = ParseModelId(model_id);
  if (!id.ok()) return {{.action = action, .resource = "*"}};
  std::vector<NeededPermission> needed;
  if (!id->profile.empty()) {
    needed.push_back(
        {.action = action,
         .resource = absl::StartsWith(model_id, "arn:")
                         ? model_id
                         : absl::StrCat("arn:aws:bedrock:", call.region, ":",
                                        call.caller.account_id,
                                        ":inference-profile/", id->profile)});
  }
  needed.push_back(
      {.action = action, .resource = FoundationModelArn(call, id->model)});
  return needed;
}

void BedrockService::Handle(Call call, AnswerFunction answer) {
  const auto [form, model_id] = FindForm(call);
  if (form == nullptr) {
    return answer(ErrorAnswerFor(ServiceError(
        {.code = "UnknownOperationException",
         .message = "The local Bedrock has Converse, ConverseStream, "
                    "InvokeModel and InvokeModelWithResponseStream.",
         .http_status = 404})));
  }
  const auto exchange = std::make_shared<Exchange>();
  exchange->call = std::move(call);
  exchange->answer = std::move(answer);
  exchange->form = form;
  exchange->model_id = model_id;
  exchange->record = {
      .time = world_.clock.Now(),
      .operation = form->name,
      .model_id = model_id,
      .role_arn = world_.role_of(exchange->call.caller.access_key_id)};
  absl::Status begun = Begin(*exchange);
  if (begun.ok()) begun = FaultError(exchange->fault, exchange->model.model);
  if (!begun.ok()) return Finish(*exchange, begun);
  switch (exchange->fault.kind) {
    case Fault::Kind::kGarbage:
      return Finish(*exchange, GarbageReply(*exchange->question));
    case Fault::Kind::kSlow:
      if (exchange->streams()) return AskModelSlowly(exchange);
      delays_.After(exchange->fault.delay,
                    [this, exchange] { AskModel(exchange); });
      return exchange->call.let_time_pass();
    case Fault::Kind::kHanging:
      delays_.After(kHangTimeout,
                    [this, exchange] { Finish(*exchange, ModelTimeout()); });
      return exchange->call.let_time_pass();
    default:
      return AskModel(exchange);
  }
}

// Reads and admits the call.
absl::Status BedrockService::Begin(Exchange& exchange) {
  absl::StatusOr<ModelId> id = ParseModelId(exchange.model_id);
  if (!id.ok()) return id.status();
  exchange.model = *std::move(id);
  const absl::StatusOr<Json::Value>& body = exchange.call.JsonBody();
  if (!body.ok()) {
    return ValidationError(
        "Malformed input request, please reformat your input and try again.");
  }
  absl::StatusOr<QuestionPtr> question;
  if (exchange.invokes()) {
    const absl::StatusOr<InvokeShape> shape = ShapeOf(exchange.model.model);
    if (!shape.ok()) return shape.status();
    exchange.shape = *shape;
    question = ReadInvoke(*body, *shape, exchange.model_id);
  } else {
    question = ReadConverse(*body, exchange.model_id);
  }
  if (!question.ok()) return question.status();
  exchange.question = *std::move(question);
  const std::int64_t most =
      CountInputTokens(*exchange.question) +
      exchange.question->inference.max_tokens.value_or(kDefaultMaxTokens);
  absl::StatusOr<StackLimits::Ticket> ticket =
      world_.limits.Begin(exchange.record.role_arn, most);
  if (!ticket.ok()) return ticket.status();
  exchange.ticket = *std::move(ticket);
  exchange.fault = FaultOfModel(exchange.model.model).value_or(Fault{});
  if (exchange.fault.kind == Fault::Kind::kNone) {
    exchange.fault = world_.faults.Take();
  }
  return absl::OkStatus();
}

void BedrockService::WatchCaller(const std::shared_ptr<Exchange>& exchange) {
  // The question is the exchange's own.
  exchange->question->wanted = [weak = std::weak_ptr<Exchange>(exchange)] {
    const std::shared_ptr<Exchange> locked = weak.lock();
    return locked != nullptr && locked->wanted();
  };
}

void BedrockService::AskModel(const std::shared_ptr<Exchange>& exchange) {
  WatchCaller(exchange);
  const auto done = [this, exchange](const absl::StatusOr<Reply>& reply) {
    Finish(*exchange, reply);
  };
  if (!exchange->streams()) return world_.model.Ask(*exchange->question, done);
  world_.model.AskInPieces(
      *exchange->question,
      [exchange](const ReplyPiece& piece) { return Pass(*exchange, piece); },
      done);
}

void BedrockService::AskModelSlowly(const std::shared_ptr<Exchange>& exchange) {
  WatchCaller(exchange);
  world_.model.Ask(
      *exchange->question,
      [this, exchange](const absl::StatusOr<Reply>& reply) {
        if (!reply.ok()) return Finish(*exchange, reply.status());
        exchange->BeginStream();
        const auto paced =
            std::make_shared<PacedReply>(*this, exchange, *reply);
        for (std::size_t step = 1; step <= paced->steps(); ++step) {
          delays_.After(exchange->fault.delay * static_cast<double>(step) /
                            static_cast<double>(paced->steps()),
                        [paced, step] { paced->Advance(step); });
        }
        exchange->call.let_time_pass();
      });
}

bool BedrockService::Pass(Exchange& exchange, const ReplyPiece& piece) {
  if (!exchange.encoder.has_value()) exchange.BeginStream();
  return exchange.body != nullptr &&
         exchange.body->Write(exchange.encoder->Encode(piece));
}

void BedrockService::Record(Exchange& exchange,
                            const absl::StatusOr<Reply>& reply) {
  ModelCall& record = exchange.record;
  record.duration = world_.clock.Now() - record.time;
  if (reply.ok()) {
    record.usage = reply->usage;
  } else {
    record.error = ErrorAnswerOf(reply.status()).code;
  }
  world_.limits.End(exchange.ticket,
                    record.usage.input_tokens + record.usage.output_tokens);
  world_.ledger.Add(record);
}

void BedrockService::Finish(Exchange& exchange,
                            const absl::StatusOr<Reply>& reply) {
  Record(exchange, reply);
  const absl::Duration latency = exchange.record.duration;
  if (exchange.encoder.has_value()) {
    if (exchange.body == nullptr) return;
    exchange.body->Write(reply.ok() ? exchange.encoder->End(*reply, latency)
                                    : exchange.encoder->Fail(reply.status()));
    return exchange.body->End();
  }
  if (!reply.ok()) return exchange.answer(ErrorAnswerFor(reply.status()));
  if (exchange.streams()) {
    return exchange.answer(WholeStream(exchange.NewEncoder(), *reply, latency));
  }
  if (!exchange.invokes()) {
    return exchange.answer(ConverseAnswer(*reply, latency));
  }
  exchange.answer(InvokeAnswer(*reply, {.shape = exchange.shape,
                                        .model = exchange.model.model,
                                        .latency = latency}));
}

}  // namespace byoshin::local::bedrock
