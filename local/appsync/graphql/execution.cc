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
#include "local/appsync/graphql/introspection.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/place.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

// What an error takes besides its texts, about.
constexpr size_t kErrorBytes = 1024;

size_t TextBytes(const FieldError& error) {
  return error.message.size() + error.data.JsonSize() +
         error.error_info.JsonSize();
}

size_t BytesOf(const FieldOutcome& outcome) {
  size_t bytes = outcome.data.JsonSize();
  if (outcome.error.has_value()) bytes += TextBytes(*outcome.error);
  for (const FieldError& error : outcome.appended_errors) {
    bytes += kErrorBytes + TextBytes(error);
  }
  return bytes;
}

// Its state belongs to the thread that drains the outcomes, one at a time.
class Execution : public std::enable_shared_from_this<Execution> {
 public:
  Execution(ExecutionRequest request, FieldResolver& resolver, Data variables,
            std::function<void(ExecutionResult)> done)
      : request_(std::move(request)),
        variables_(std::move(variables)),
        schema_(request_.document->schema()),
        resolver_(resolver),
        planner_(*request_.document, variables_),
        done_(std::move(done)),
        room_{.bytes = request_.max_response_bytes} {}

  void Start();

 private:
  struct Answered {
    Place* place;
    FieldOutcome outcome;
    // The outcome was dropped: there is no room for it.
    bool too_large;
  };

  std::string TooLarge() const {
    return absl::StrCat("The response is larger than ",
                        request_.max_response_bytes, " bytes.");
  }
  bool is_mutation() const {
    return request_.operation->type == OperationType::kMutation;
  }
  Place& NewPlace(Place& parent, PlannedField& field, const Type& type);

  // Outcomes, from any thread.
  void Answer(Place& place, FieldOutcome outcome) ABSL_LOCKS_EXCLUDED(mutex_);
  void Drain() ABSL_LOCKS_EXCLUDED(mutex_);
  std::optional<Answered> NextAnswer() ABSL_LOCKS_EXCLUDED(mutex_);
  void Handle(Answered answered);
  // Begins the next field of a mutation. False if there is none.
  bool BeginNextRoot();
  void Finish();

  void BeginField(Place& place, const Data& source);
  void BeginMetaField(Place& place);
  void Ask(PlannedField& field);
  void CallResolver(Place& place, const Data& source);

  void Complete(Place& place, const Data& value);
  void CompleteList(Place& place, const Type& type, const Data& value);
  void CompleteObject(Place& place, const NamedType& type, const Data& value);
  void CompleteLeaf(Place& place, const NamedType& type, const Data& value);
  // These end what the response can't hold: false if so.
  bool CountValue(Place& place);
  bool TakeBytes(Place& place, size_t bytes);
  // The place is null since the request exceeds a limit, which is reported
  // once.
  void Exhaust(Place& place, std::string message);

  // The place is null, and so is what contains it where it can't be.
  void MakeNull(Place& place);
  bool IsGone(const Place& place) const;
  static Error ErrorAt(const Place& place, std::string message);
  // False if there is no room for an error at the place with so many bytes of
  // texts: it is dropped.
  bool TakeErrorBytes(const Place& place, size_t bytes);
  void AddError(Place& place, absl::FunctionRef<std::string()> message);
  void AddFieldError(Place& place, const FieldError& error);
  void AddNullError(Place& place);

  const ExecutionRequest request_;
  const Data variables_;
  const Schema& schema_;
  FieldResolver& resolver_;
  Planner planner_;
  std::function<void(ExecutionResult)> done_;

  std::deque<Place> places_;
  Place root_;
  size_t next_root_ = 0;
  ResponseRoom room_;
  size_t resolvers_ = 0;
  size_t waiting_ = 0;
  // Of the requests to resolvers that wait.
  size_t waiting_path_bytes_ = 0;
  bool exhausted_ = false;
  std::vector<Error> errors_;

  sync::Mutex mutex_;
  std::deque<Answered> answers_ ABSL_GUARDED_BY(mutex_);
  // Of outcomes, which may come faster than they are handled.
  size_t resolved_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool draining_ ABSL_GUARDED_BY(mutex_) = true;
};

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
    place.kind = Place::Kind::kLeaf;
    place.value = Data::String(place.field->parent->name);
    return;
  }
  std::optional<Data> value = Introspect(schema_, *place.field, room_);
  if (!value.has_value()) {
    // One of these says why.
    if (CountValue(place)) TakeBytes(place, request_.max_response_bytes);
    return;
  }
  place.kind = value->is_null() ? Place::Kind::kNull : Place::Kind::kLeaf;
  place.value = *std::move(value);
}

void Execution::BeginField(Place& place, const Data& source) {
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

void Execution::Exhaust(Place& place, std::string message) {
  place.failed = true;
  if (!std::exchange(exhausted_, true)) {
    errors_.push_back(ErrorAt(place, std::move(message)));
  }
  MakeNull(place);
}

bool Execution::CountValue(Place& place) {
  if (room_.values == 0) {
    Exhaust(place, absl::StrCat("The response has more than ", kMaxResultValues,
                                " values."));
    return false;
  }
  --room_.values;
  return true;
}

bool Execution::TakeBytes(Place& place, size_t bytes) {
  if (bytes > room_.bytes) {
    Exhaust(place, TooLarge());
    return false;
  }
  room_.bytes -= bytes;
  return true;
}

void Execution::Complete(Place& place, const Data& value) {
  if (!CountValue(place)) return;
  // An element of a list has none.
  const size_t name_bytes =
      place.index.has_value() ? 0 : place.field->key.JsonSize();
  if (!TakeBytes(place, name_bytes)) return;
  const Type type = place.type.Nullable();
  if (value.is_null()) {
    MakeNull(place);
  } else if (type.is_list()) {
    CompleteList(place, type, value);
  } else if (type.named->is_composite()) {
    CompleteObject(place, *type.named, value);
  } else {
    CompleteLeaf(place, *type.named, value);
  }
}

void Execution::CompleteList(Place& place, const Type& type,
                             const Data& value) {
  if (!value.is_array()) {
    AddError(place, [&] {
      return absl::StrCat("Can't resolve value (", PathText(PathOf(place)),
                          ") : type mismatch error, expected type LIST");
    });
    MakeNull(place);
    return;
  }
  // `value` may be that of the place.
  const Data list = value;
  place.kind = Place::Kind::kList;
  place.value = Data();
  place.children.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    Place& element = NewPlace(place, *place.field, type.Inner());
    element.index = i;
    Complete(element, list.elements()[i]);
    if (place.kind == Place::Kind::kNull) return;
  }
}

void Execution::CompleteObject(Place& place, const NamedType& type,
                               const Data& value) {
  const NamedType* object = ObjectTypeOf(schema_, type, value);
  if (object == nullptr) {
    AddError(place, [&] {
      return absl::StrCat(
          "Can't resolve '", PathText(PathOf(place)), "'. Abstract type '",
          type.name, "' must resolve to an Object type at runtime for field '",
          place.field->parent->name, ".", place.field->field->name,
          "'. Could not determine the exact type of '", type.name, "'");
    });
    MakeNull(place);
    return;
  }
  place.value = value;
  place.kind = Place::Kind::kObject;
  place.object_type = object;
  const PlannedFields& fields = planner_.Children(*place.field, *object);
  place.children.reserve(fields.size());
  for (PlannedField* field : fields) {
    BeginField(NewPlace(place, *field, field->field->type), place.value);
    if (place.kind == Place::Kind::kNull) return;
  }
}

void Execution::CompleteLeaf(Place& place, const NamedType& type,
                             const Data& value) {
  Coerced coerced;
  if (type.kind == TypeKind::kEnum) {
    coerced.value = value;
    if (!value.is_string() || type.FindValue(value.string()) == nullptr) {
      coerced.problem =
          absl::StrCat("Invalid input for Enum '", type.name,
                       "'. Unknown value '", JavaText(value), "'");
    }
  } else {
    coerced = SerializeScalar(type.scalar, value);
  }
  if (!coerced.ok()) {
    AddError(place, [&] {
      return absl::StrCat("Can't serialize value (", PathText(PathOf(place)),
                          ") : ", coerced.problem);
    });
    MakeNull(place);
    return;
  }
  if (!TakeBytes(place, coerced.value.JsonSize())) return;
  place.kind = Place::Kind::kLeaf;
  place.value = std::move(coerced.value);
}

void Execution::MakeNull(Place& place) {
  if (place.type.is_non_null() && !place.failed) AddNullError(place);
  Place* at = &place;
  at->kind = Place::Kind::kNull;
  while (at->type.is_non_null()) {
    at = at->parent;
    at->kind = Place::Kind::kNull;
    at->failed = true;
  }
}

bool Execution::IsGone(const Place& place) const {
  for (const Place* at = place.parent; at != nullptr; at = at->parent) {
    if (at->kind == Place::Kind::kNull) return true;
  }
  return false;
}

Error Execution::ErrorAt(const Place& place, std::string message) {
  Error error;
  error.message = std::move(message);
  error.path = PathOf(place);
  return error;
}

bool Execution::TakeErrorBytes(const Place& place, size_t bytes) {
  // Most messages repeat the path.
  bytes += kErrorBytes + 2 * PathBytes(place);
  if (bytes <= room_.bytes) {
    room_.bytes -= bytes;
    return true;
  }
  if (!std::exchange(exhausted_, true)) {
    errors_.push_back(ErrorAt(place, TooLarge()));
  }
  return false;
}

void Execution::AddError(Place& place,
                         absl::FunctionRef<std::string()> message) {
  place.failed = true;
  if (!TakeErrorBytes(place, 0)) return;
  errors_.push_back(ErrorAt(place, message()));
  room_.bytes -= std::min(room_.bytes, errors_.back().message.size());
}

void Execution::AddNullError(Place& place) {
  AddError(place, [&] {
    return absl::StrCat("Cannot return null for non-nullable type: '",
                        place.type.Inner().ToString(), "' within parent '",
                        place.field->parent->name, "' (",
                        PathText(PathOf(place)), ")");
  });
}

void Execution::AddFieldError(Place& place, const FieldError& field_error) {
  if (!TakeErrorBytes(place, TextBytes(field_error))) return;
  Error error = ErrorAt(place, field_error.message);
  error.locations = {{place.field->nodes.front()->location}};
  error.details = ErrorDetails{
      .error_type = field_error.error_type,
      .data = CutToSelection(schema_, *place.field, place.field->field->type,
                             field_error.data),
      .error_info = field_error.error_info};
  errors_.push_back(std::move(error));
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

}  // namespace

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
