#include "local/appsync/graphql/execution.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution_state.h"
#include "local/appsync/graphql/introspection.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/place.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

size_t BytesOf(const FieldOutcome& outcome) {
  size_t bytes = outcome.data.JsonSize();
  if (outcome.error.has_value()) {
    bytes += TextBytes(*outcome.error) + outcome.error->data.JsonSize();
  }
  for (const FieldError& error : outcome.appended_errors) {
    bytes += kErrorBytes + TextBytes(error) + error.data.JsonSize();
  }
  return bytes;
}

}  // namespace

Place& Execution::NewPlace(Place& parent, PlannedField& field,
                           const Type& type) {
  Place& place = places_.emplace_back();
  place.parent = &parent;
  place.field = &field;
  place.type = type;
  parent.children.push_back(&place);
  return place;
}

void Execution::Start() {
  const NamedType& type = *schema_.RootType(request_.operation->type);
  root_.kind = Place::Kind::kObject;
  root_.type = {.named = &type, .modifiers = ""};
  root_.object_type = &type;
  for (PlannedField* field : planner_.Root(type, *request_.operation)) {
    NewPlace(root_, *field, field->field->type);
  }
  if (!is_mutation()) {
    while (BeginNextRoot()) {
    }
  }
  Drain();
}

bool Execution::BeginNextRoot() {
  if (next_root_ >= root_.children.size() || root_.kind == Place::Kind::kNull) {
    return false;
  }
  BeginField(*root_.children[next_root_++], Data());
  return true;
}

void Execution::Answer(Place& place, FieldOutcome outcome) {
  {
    const size_t bytes = BytesOf(outcome);
    const sync::MutexLock lock(mutex_);
    const bool too_large =
        bytes > request_.max_response_bytes - resolved_bytes_;
    if (too_large) {
      outcome = FieldOutcome();
    } else {
      resolved_bytes_ += bytes;
    }
    answers_.push_back({.place = &place,
                        .outcome = std::move(outcome),
                        .too_large = too_large});
    if (draining_) return;
    draining_ = true;
  }
  Drain();
}

std::optional<Execution::Answered> Execution::NextAnswer() {
  const sync::MutexLock lock(mutex_);
  if (answers_.empty()) {
    // Unless it is over, the next answer's thread goes on.
    if (waiting_ > 0) draining_ = false;
    return std::nullopt;
  }
  Answered answered = std::move(answers_.front());
  answers_.pop_front();
  return answered;
}

void Execution::Drain() {
  while (true) {
    if (waiting_ == 0) {
      if (BeginNextRoot()) continue;
      Finish();
      return;
    }
    std::optional<Answered> answered = NextAnswer();
    if (!answered.has_value()) return;
    Handle(*std::move(answered));
  }
}

void Execution::Handle(Answered answered) {
  --waiting_;
  Place& place = *answered.place;
  waiting_path_bytes_ -= PathBytes(place);
  place.request.reset();
  if (answered.too_large) {
    if (!IsGone(place)) {
      Exhaust(place, absl::StrCat("The resolvers return more than ",
                                  request_.max_response_bytes, " bytes."));
    }
    return;
  }
  for (const FieldError& error : answered.outcome.appended_errors) {
    AddFieldError(place, error);
  }
  if (answered.outcome.error.has_value()) {
    AddFieldError(place, *answered.outcome.error);
    place.failed = true;
    if (!IsGone(place)) MakeNull(place);
    return;
  }
  if (!IsGone(place)) Complete(place, answered.outcome.data);
}

void Execution::Ask(PlannedField& field) {
  if (field.asked != PlannedField::Asked::kNo) return;
  field.refusal = resolver_.Refuse(*field.parent, *field.field);
  if (field.refusal.has_value()) {
    field.asked = PlannedField::Asked::kRefused;
    return;
  }
  field.asked = resolver_.HasResolver(*field.parent, *field.field)
                    ? PlannedField::Asked::kResolver
                    : PlannedField::Asked::kNoResolver;
}

void Execution::BeginMetaField(Place& place) {
  if (place.field->field == schema_.typename_field()) {
    SetLeaf(place, Data::String(place.field->parent->name));
    return;
  }
  std::optional<Data> value = Introspect(schema_, *place.field, room_);
  if (!value.has_value()) {
    full_ = true;
    Exhaust(place, room_.values == 0 ? TooManyValues() : TooLarge());
    return;
  }
  place.kind = value->is_null() ? Place::Kind::kNull : Place::Kind::kLeaf;
  place.value = *std::move(value);
}

void Execution::BeginField(Place& place, const Data& source) {
  if (!CountPlace(place)) return;
  PlannedField& field = *place.field;
  if (field.field == schema_.typename_field() ||
      field.field == schema_.schema_field() ||
      field.field == schema_.type_field()) {
    BeginMetaField(place);
    return;
  }
  Ask(field);
  if (field.refusal.has_value()) {
    AddFieldError(place, *field.refusal);
    place.failed = true;
    MakeNull(place);
    return;
  }
  if (!field.problem.empty()) {
    AddError(place, [&] { return field.problem; });
    MakeNull(place);
    return;
  }
  if (field.asked == PlannedField::Asked::kResolver) {
    CallResolver(place, source);
    return;
  }
  const Data* member = source.Find(field.field->name);
  Complete(place, member == nullptr ? Data() : *member);
}

void Execution::CallResolver(Place& place, const Data& source) {
  if (++resolvers_ > request_.max_resolvers) {
    return Exhaust(place, absl::StrCat("The request needs more than ",
                                       request_.max_resolvers, " resolvers."));
  }
  const size_t path_bytes = PathBytes(place);
  if (path_bytes > request_.max_response_bytes - waiting_path_bytes_) {
    return Exhaust(place, TooLarge());
  }
  waiting_path_bytes_ += path_bytes;
  // Kept in the place until the value replaces it.
  place.value = source;
  place.request = std::make_unique<FieldRequest>(*place.field, place.value,
                                                 variables_, PathOf(place));
  ++waiting_;
  resolver_.Resolve(*place.request,
                    [self = shared_from_this(), &place](FieldOutcome outcome) {
                      self->Answer(place, std::move(outcome));
                    });
}

void Execution::Finish() {
  ExecutionResult result;
  result.data = SelectedData(root_);
  result.errors = std::move(errors_);
  if (request_.operation->type != OperationType::kQuery) {
    for (const Place* place : root_.children) {
      RootField& field = result.root_fields.emplace_back();
      field.field = place->field->field;
      field.response_key = std::string(place->field->key.string());
      field.arguments = place->field->arguments;
      field.failed = place->failed || root_.kind == Place::Kind::kNull;
      field.published = PublishedData(*place);
    }
  }
  const std::function<void(ExecutionResult)> done = std::move(done_);
  done(std::move(result));
}

FieldError NotAuthorized(const NamedType& type, const FieldDefinition& field) {
  return {.message = absl::StrCat("Not Authorized to access ", field.name,
                                  " on type ", type.name),
          .error_type = "Unauthorized",
          .data = Data(),
          .error_info = Data()};
}

std::string ExecutionResult::ToJson() const {
  std::string text = R"({"data":)";
  text.reserve(data.JsonSize() + 64);
  data.AppendJson(text);
  if (!errors.empty()) {
    text += R"(,"errors":)";
    ToData(errors).AppendJson(text);
  }
  text += '}';
  return text;
}

void Execute(ExecutionRequest request, FieldResolver& resolver,
             std::function<void(ExecutionResult)> done) {
  CoercedVariables variables = CoerceVariables(
      request.document->schema(), *request.operation, request.variables);
  if (!variables.errors.empty()) {
    ExecutionResult result;
    result.errors = std::move(variables.errors);
    done(std::move(result));
    return;
  }
  std::make_shared<Execution>(std::move(request), resolver,
                              std::move(variables.values), std::move(done))
      ->Start();
}

}  // namespace byoshin::local::appsync::graphql
