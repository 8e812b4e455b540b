#include "local/appsync/resolve/resolver_run.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "core/time/clock.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/resolve/batches.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/resolve/request_log.h"
#include "local/appsync/resolve/resolve_world.h"
#include "local/appsync/resolve/resolver_context.h"
#include "local/appsync/resolve/trace.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {
namespace {

using graphql::FieldError;
using graphql::FieldOutcome;
using json::Data;
using script::Evaluation;

FieldError MakeError(std::string message, const std::string& type,
                     Data data = Data()) {
  FieldError error;
  error.message = std::move(message);
  if (!type.empty()) error.error_type = type;
  error.data = std::move(data);
  return error;
}

// Whether a function may be asked what to do about a failed condition.
bool MayAskHandler(const Data& request) {
  return MemberOf(MemberOf(request, "condition"),
                  "conditionalCheckFailedHandler")
      .is_object();
}

class ResolverRun : public std::enable_shared_from_this<ResolverRun> {
 public:
  ResolverRun(std::shared_ptr<RequestExecution> execution,
              const CompiledResolver& resolver,
              const graphql::FieldRequest& field,
              std::function<void(FieldOutcome)> done)
      : execution_(std::move(execution)),
        resolver_(resolver),
        field_(field),
        done_(std::move(done)),
        context_(*execution_, field, resolver.pipeline),
        began_(execution_->Elapsed()) {}

  void Start() {
    hold_.emplace(execution_->world().clock);
    if (!resolver_.problem.empty()) {
      return Fail(MakeError(resolver_.problem, "IllegalArgument"));
    }
    if (resolver_.pipeline && resolver_.script->Has(script::kRequestHandler)) {
      return RunBefore();
    }
    RunStep();
  }

 private:
  const CompiledStep& step() const { return resolver_.steps[step_]; }
  absl::string_view function_name() const {
    return resolver_.pipeline ? absl::string_view(step().name) : "";
  }

  // The request of the pipeline.
  void RunBefore() {
    const std::optional<Evaluation> before =
        Evaluate(*resolver_.script, script::kRequestHandler, "",
                 &ResolverRun::RunBefore);
    if (!before.has_value()) return;
    if (before->error.has_value()) return Fail(ErrorIn(*before));
    context_.SetPrevious(ValueOf(*before));
    if (before->early_return.has_value()) return RunAfter();
    RunStep();
  }

  // The request of a unit resolver, or of the pipeline's next function.
  void RunStep() {
    if (step_ == resolver_.steps.size()) return RunAfter();
    context_.ClearResult();
    if (step().script == nullptr) return CallDirectly();
    Data request;
    if (step().script->Has(script::kRequestHandler)) {
      const std::optional<Evaluation> evaluation =
          Evaluate(*step().script, script::kRequestHandler, function_name(),
                   &ResolverRun::RunStep);
      if (!evaluation.has_value()) return;
      if (evaluation->error.has_value()) return Fail(ErrorIn(*evaluation));
      request = ValueOf(*evaluation);
      if (evaluation->early_return.has_value()) {
        return EndStep(std::move(request), *evaluation->early_return);
      }
    }
    CallSource(std::move(request));
  }

  void CallSource(Data request) {
    const DataSource& source = *step().source;
    if (!execution_->MaySend(request.JsonSize())) return FailSending();
    if (source.type == DataSource::Type::kNone) {
      return TakeResult({.result = MemberOf(request, "payload")});
    }
    const bool is_function = source.type == DataSource::Type::kLambda;
    if (is_function && TextOf(request, "operation") == "BatchInvoke") {
      return AddToBatch(request);
    }
    SourceCall call{
        .source = step().source,
        .request = std::move(request),
        .owner = execution_.get(),
        .is_over = [execution = execution_] { return execution->IsOver(); }};
    if (MayAskHandler(call.request)) {
      call.context = context_.ForConditionHandler();
    }
    execution_->world().sources.Call(call, Later());
  }

  void AddToBatch(const Data& request) {
    const absl::StatusOr<Batches::Mode> mode = InvocationModeOf(request);
    if (!mode.ok()) {
      return TakeResult(
          InvalidSourceRequest(std::string(mode.status().message())));
    }
    execution_->batches().Add({.step = step(),
                               .payload = MemberOf(request, "payload"),
                               .mode = *mode},
                              Later());
  }

  // A Lambda function without code gets the context itself.
  void CallDirectly() {
    if (execution_->IsOver()) return Fail(ErrorIn(TimedOut()));
    std::string event = context_.Event();
    if (!execution_->MaySend(event.size())) return FailSending();
    if (step().max_batch_size > 0) {
      return execution_->batches().Add(
          {.step = step(), .payload = Data::Parse(event).value_or(Data())},
          Later());
    }
    execution_->world().sources.Invoke(*step().source, std::move(event),
                                       Batches::Mode::kRequestResponse,
                                       Later());
  }

  void FailSending() {
    Fail(MakeError(absl::StrCat("The requests to data sources take more than ",
                                kMaxSourceBytes, " bytes."),
                   "RequestTooLarge"));
  }

  // Continues with the data source's answer, on a thread that may evaluate
  // code. A function and a server answer in real time; simulated time passes
  // meanwhile as they let it.
  SourceDone Later() {
    hold_.reset();
    has_time_ = false;
    return [self = shared_from_this(),
            gate = execution_->world().gate](SourceResult result) {
      const async::Gate::Pass pass(*gate);
      if (!pass.granted()) return;
      self->hold_.emplace(self->execution_->world().clock);
      self->execution_->world().post(self->InRound(
          [self, result = std::move(result)] { self->TakeResult(result); }));
    };
  }

  // The work as a round that begins now.
  std::function<void()> InRound(std::function<void()> work) {
    execution_->batches().Begin();
    return [self = shared_from_this(), work = std::move(work)] {
      // Until whatever the work has called holds time by itself.
      const time::Hold hold(self->execution_->world().clock);
      work();
      self->execution_->batches().End();
    };
  }

  void TakeResult(const SourceResult& result) {
    if (result.error.has_value() && result.fatal) {
      return Fail(MakeError(result.error->message, result.error->type));
    }
    context_.SetResult(result);
    if (step().script != nullptr &&
        step().script->Has(script::kResponseHandler)) {
      return RunResponse();
    }
    if (result.error.has_value()) {
      return Fail(
          MakeError(result.error->message, result.error->type, result.result));
    }
    if (step().script == nullptr && step().max_batch_size > 0) {
      return EndBatchElement(result.result);
    }
    EndStep(result.result, script::SkipTo::kNext);
  }

  // The response of a unit resolver, or of the pipeline's function.
  void RunResponse() {
    const std::optional<Evaluation> evaluation =
        Evaluate(*step().script, script::kResponseHandler, function_name(),
                 &ResolverRun::RunResponse);
    if (!evaluation.has_value()) return;
    if (evaluation->error.has_value()) return Fail(ErrorIn(*evaluation));
    EndStep(ValueOf(*evaluation),
            evaluation->early_return.value_or(script::SkipTo::kNext));
  }

  // A function that is called directly says for each value whether it failed.
  void EndBatchElement(const Data& element) {
    const std::string message = TextOf(element, "errorMessage");
    if (!message.empty()) {
      return Fail(MakeError(message, TextOf(element, "errorType"),
                            MemberOf(element, "data")));
    }
    EndStep(MemberOf(element, "data"), script::SkipTo::kNext);
  }

  void EndStep(Data value, script::SkipTo skip_to) {
    if (!resolver_.pipeline) return Succeed(std::move(value));
    context_.SetPrevious(std::move(value));
    if (skip_to == script::SkipTo::kEnd) return RunAfter();
    ++step_;
    RunStep();
  }

  // The response of the pipeline.
  void RunAfter() {
    context_.SetResult({.result = context_.previous()});
    if (!resolver_.script->Has(script::kResponseHandler)) {
      return Succeed(context_.previous());
    }
    const std::optional<Evaluation> evaluation =
        Evaluate(*resolver_.script, script::kResponseHandler, "",
                 &ResolverRun::RunAfter);
    if (!evaluation.has_value()) return;
    if (evaluation->error.has_value()) return Fail(ErrorIn(*evaluation));
    Succeed(ValueOf(*evaluation));
  }

  // The work up to an evaluation, which can be done again from its beginning.
  using Part = void (ResolverRun::*)();

  // nullopt if the code takes long: `part` is then done again on a thread that
  // has the time.
  std::optional<Evaluation> Evaluate(const script::Script& script,
                                     absl::string_view handler,
                                     absl::string_view function, Part part) {
    const std::string context =
        execution_->log().logs_contexts() ? context_.Text() : std::string();
    std::optional<Evaluation> evaluation = RunCode(script, handler);
    if (evaluation.has_value()) {
      TakeEvaluation(
          *evaluation,
          {.handler = handler, .function = function, .context = context});
      return evaluation;
    }
    execution_->world().post_long(InRound([self = shared_from_this(), part] {
      self->has_time_ = true;
      (self.get()->*part)();
    }));
    return std::nullopt;
  }

  std::optional<Evaluation> RunCode(const script::Script& script,
                                    absl::string_view handler) {
    const ResolveWorld& world = execution_->world();
    if (execution_->IsOver()) return TimedOut();
    if (!has_time_ && execution_->code_time() > world.quick_code_time) {
      return std::nullopt;
    }
    // With the context, which may be large: it has all variables.
    const absl::Time began = absl::Now();
    const std::string context = context_.ShortText();
    const std::string info = context_.Info();
    const script::LazyMembers lazy = {.info = info,
                                      .request = execution_->request_json()};
    std::optional<Evaluation> evaluation =
        has_time_
            ? world.runtime.Evaluate(script, handler, context, lazy)
            : world.runtime.EvaluateQuickly(script, handler, context, lazy);
    execution_->AddCodeTime(absl::Now() - began);
    return evaluation;
  }

  static Evaluation TimedOut() {
    Evaluation evaluation;
    evaluation.error =
        script::ScriptError{.kind = script::ScriptError::Kind::kFault,
                            .message = "Execution timed out.",
                            .error_type = "ExecutionTimeout"};
    return evaluation;
  }

  struct Evaluated {
    absl::string_view handler;
    absl::string_view function;
    absl::string_view context;
  };
  void TakeEvaluation(Evaluation& evaluation, const Evaluated& evaluated) {
    execution_->effects().Take(evaluation);
    context_.SetStash(evaluation.stash);
    for (const script::ScriptError& error : evaluation.appended_errors) {
      appended_.push_back(ToFieldError(error));
      context_.AddError(error);
    }
    execution_->log().Evaluated(
        Logged(),
        {.name = evaluated.handler == script::kRequestHandler
                     ? "RequestFunctionEvaluation"
                     : "ResponseFunctionEvaluation",
         .function_name = evaluated.function,
         .context = evaluated.context,
         .result = evaluation.result.has_value() ? *evaluation.result : "null",
         .error = evaluation.error.has_value()
                      ? absl::string_view(evaluation.error->message)
                      : "",
         .logs = evaluation.logs});
  }

  static Data JsonOf(const std::string& text) {
    return Data::Parse(text).value_or(Data());
  }
  static Data ValueOf(const Evaluation& evaluation) {
    return evaluation.result.has_value() ? JsonOf(*evaluation.result) : Data();
  }

  FieldError ToFieldError(const script::ScriptError& error) const {
    if (error.kind == script::ScriptError::Kind::kUnauthorized) {
      return graphql::NotAuthorized(field_.parent_type(), field_.field());
    }
    FieldError made =
        MakeError(error.message, error.error_type, JsonOf(error.data));
    made.error_info = JsonOf(error.error_info);
    return made;
  }
  FieldError ErrorIn(const Evaluation& evaluation) const {
    return ToFieldError(*evaluation.error);
  }

  LoggedField Logged() const {
    if (!execution_->log().logs_failed_fields()) return {};
    return {.path = graphql::PathData(field_.path()),
            .parent_type = std::string(field_.parent_type_name()),
            .field_name = std::string(field_.field_name()),
            .return_type = field_.field().type.ToString(),
            .resolver_arn = resolver_.arn};
  }

  void Succeed(Data value) {
    FieldOutcome outcome;
    outcome.data = std::move(value);
    Finish(std::move(outcome));
  }
  void Fail(FieldError error) {
    FieldOutcome outcome;
    outcome.error = std::move(error);
    Finish(std::move(outcome));
  }

  void Trace(const FieldOutcome& outcome, absl::Duration duration) {
    if (!execution_->HasRoomForTrace()) return;
    const Traces::Limits& limits = execution_->world().traces.limits();
    ResolverTrace trace{
        .path = std::string(json::CutAtCharacter(
            graphql::PathText(field_.path()), limits.text_bytes)),
        .parent_type = std::string(field_.parent_type_name()),
        .field_name = std::string(field_.field_name()),
        .return_type = field_.field().type.ToString(),
        .start = began_,
        .duration = duration};
    for (const CompiledStep& step : resolver_.steps) {
      if (step.source != nullptr) {
        trace.data_sources.push_back(step.source->name);
      }
    }
    if (outcome.error.has_value()) {
      trace.error = std::string(
          json::CutAtCharacter(outcome.error->message, limits.text_bytes));
    }
    execution_->AddTrace(std::move(trace));
  }

  void Finish(FieldOutcome outcome) {
    outcome.appended_errors = std::move(appended_);
    const absl::Duration duration = execution_->Elapsed() - began_;
    Trace(outcome, duration);
    execution_->log().EndField(Logged(), began_, duration);
    const time::Hold hold(execution_->world().clock);
    hold_.reset();
    done_(std::move(outcome));
  }

  const std::shared_ptr<RequestExecution> execution_;
  const CompiledResolver& resolver_;
  const graphql::FieldRequest& field_;
  const std::function<void(FieldOutcome)> done_;
  ResolverContext context_;
  const absl::Duration began_;
  std::size_t step_ = 0;
  std::vector<FieldError> appended_;
  // Whether evaluations may take long on this thread. They go on there, rather
  // than wait with their results for those of all other resolvers.
  bool has_time_ = false;
  // While it works itself.
  std::optional<time::Hold> hold_;
};

}  // namespace

void RunResolver(std::shared_ptr<RequestExecution> execution,
                 const CompiledResolver& resolver,
                 const graphql::FieldRequest& field,
                 std::function<void(graphql::FieldOutcome)> done) {
  std::make_shared<ResolverRun>(std::move(execution), resolver, field,
                                std::move(done))
      ->Start();
}

}  // namespace byoshin::local::appsync
