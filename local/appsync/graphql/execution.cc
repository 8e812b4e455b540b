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
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/slot.h"
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
    Slot* slot;
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
  Slot& NewSlot(Slot& parent, PlannedField& field, const Type& type);

  // Outcomes, from any thread.
  void Answer(Slot& slot, FieldOutcome outcome) ABSL_LOCKS_EXCLUDED(mutex_);
  void Drain() ABSL_LOCKS_EXCLUDED(mutex_);
  std::optional<Answered> NextAnswer() ABSL_LOCKS_EXCLUDED(mutex_);
  void Handle(Answered answered);
  // Begins the next field of a mutation. False if there is none.
  bool BeginNextRoot();
  void Finish();

  void BeginField(Slot& slot, const Data& source);
  void BeginMetaField(Slot& slot);
  void Ask(PlannedField& field);
  void CallResolver(Slot& slot, const Data& source);

  void Complete(Slot& slot, const Data& value);
  void CompleteList(Slot& slot, const Type& type, const Data& value);
  void CompleteObject(Slot& slot, const NamedType& type, const Data& value);
  void CompleteLeaf(Slot& slot, const NamedType& type, const Data& value);
  // These end what the response can't hold: false if so.
  bool CountValue(Slot& slot);
  bool TakeBytes(Slot& slot, size_t bytes);
  // The slot is null since the request exceeds a limit, which is reported once.
  void Exhaust(Slot& slot, std::string message);

  // The slot is null, and so is what contains it where it can't be.
  void MakeNull(Slot& slot);
  bool IsGone(const Slot& slot) const;
  static Error ErrorAt(const Slot& slot, std::string message);
  // False if there is no room for an error at the slot with so many bytes of
  // texts: it is dropped.
  bool TakeErrorBytes(const Slot& slot, size_t bytes);
  void AddError(Slot& slot, absl::FunctionRef<std::string()> message);
  void AddFieldError(Slot& slot, const FieldError& error);
  void AddNullError(Slot& slot);

  const ExecutionRequest request_;
  const Data variables_;
  const Schema& schema_;
  FieldResolver& resolver_;
  Planner planner_;
  std::function<void(ExecutionResult)> done_;

  std::deque<Slot> slots_;
  Slot root_;
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

Slot& Execution::NewSlot(Slot& parent, PlannedField& field, const Type& type) {
  Slot& slot = slots_.emplace_back();
  slot.parent = &parent;
  slot.field = &field;
  slot.type = type;
  parent.children.push_back(&slot);
  return slot;
}

void Execution::Start() {
  const NamedType& type = *schema_.RootType(request_.operation->type);
  root_.kind = Slot::Kind::kObject;
  root_.type = {.named = &type, .modifiers = ""};
  root_.object_type = &type;
  for (PlannedField* field : planner_.Root(type, *request_.operation)) {
    NewSlot(root_, *field, field->field->type);
  }
  if (!is_mutation()) {
    while (BeginNextRoot()) {
    }
  }
  Drain();
}

bool Execution::BeginNextRoot() {
  if (next_root_ >= root_.children.size() || root_.kind == Slot::Kind::kNull) {
    return false;
  }
  BeginField(*root_.children[next_root_++], Data());
  return true;
}

void Execution::Answer(Slot& slot, FieldOutcome outcome) {
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
    answers_.push_back(
        {.slot = &slot, .outcome = std::move(outcome), .too_large = too_large});
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
  Slot& slot = *answered.slot;
  waiting_path_bytes_ -= PathBytes(slot);
  slot.request.reset();
  if (answered.too_large) {
    if (!IsGone(slot)) {
      Exhaust(slot, absl::StrCat("The resolvers return more than ",
                                 request_.max_response_bytes, " bytes."));
    }
    return;
  }
  for (const FieldError& error : answered.outcome.appended_errors) {
    AddFieldError(slot, error);
  }
  if (answered.outcome.error.has_value()) {
    AddFieldError(slot, *answered.outcome.error);
    slot.failed = true;
    if (!IsGone(slot)) MakeNull(slot);
    return;
  }
  if (!IsGone(slot)) Complete(slot, answered.outcome.data);
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

void Execution::BeginMetaField(Slot& slot) {
  if (slot.field->field == schema_.typename_field()) {
    slot.kind = Slot::Kind::kLeaf;
    slot.value = Data::String(slot.field->parent->name);
    return;
  }
  std::optional<Data> value = Introspect(schema_, *slot.field, room_);
  if (!value.has_value()) {
    // One of these says why.
    if (CountValue(slot)) TakeBytes(slot, request_.max_response_bytes);
    return;
  }
  slot.kind = value->is_null() ? Slot::Kind::kNull : Slot::Kind::kLeaf;
  slot.value = *std::move(value);
}

void Execution::BeginField(Slot& slot, const Data& source) {
  PlannedField& field = *slot.field;
  if (field.field == schema_.typename_field() ||
      field.field == schema_.schema_field() ||
      field.field == schema_.type_field()) {
    BeginMetaField(slot);
    return;
  }
  Ask(field);
  if (field.refusal.has_value()) {
    AddFieldError(slot, *field.refusal);
    slot.failed = true;
    MakeNull(slot);
    return;
  }
  if (!field.problem.empty()) {
    AddError(slot, [&] { return field.problem; });
    MakeNull(slot);
    return;
  }
  if (field.asked == PlannedField::Asked::kResolver) {
    CallResolver(slot, source);
    return;
  }
  const Data* member = source.Find(field.field->name);
  Complete(slot, member == nullptr ? Data() : *member);
}

void Execution::CallResolver(Slot& slot, const Data& source) {
  if (++resolvers_ > request_.max_resolvers) {
    return Exhaust(slot, absl::StrCat("The request needs more than ",
                                      request_.max_resolvers, " resolvers."));
  }
  const size_t path_bytes = PathBytes(slot);
  if (path_bytes > request_.max_response_bytes - waiting_path_bytes_) {
    return Exhaust(slot, TooLarge());
  }
  waiting_path_bytes_ += path_bytes;
  // Kept in the slot until the value replaces it.
  slot.value = source;
  slot.request = std::make_unique<FieldRequest>(*slot.field, slot.value,
                                                variables_, PathOf(slot));
  ++waiting_;
  resolver_.Resolve(*slot.request,
                    [self = shared_from_this(), &slot](FieldOutcome outcome) {
                      self->Answer(slot, std::move(outcome));
                    });
}

void Execution::Exhaust(Slot& slot, std::string message) {
  slot.failed = true;
  if (!std::exchange(exhausted_, true)) {
    errors_.push_back(ErrorAt(slot, std::move(message)));
  }
  MakeNull(slot);
}

bool Execution::CountValue(Slot& slot) {
  if (room_.values == 0) {
    Exhaust(slot, absl::StrCat("The response has more than ", kMaxResultValues,
                               " values."));
    return false;
  }
  --room_.values;
  return true;
}

bool Execution::TakeBytes(Slot& slot, size_t bytes) {
  if (bytes > room_.bytes) {
    Exhaust(slot, TooLarge());
    return false;
  }
  room_.bytes -= bytes;
  return true;
}

void Execution::Complete(Slot& slot, const Data& value) {
  if (!CountValue(slot)) return;
  // An element of a list has none.
  const size_t name_bytes =
      slot.index.has_value() ? 0 : slot.field->key.JsonSize();
  if (!TakeBytes(slot, name_bytes)) return;
  const Type type = slot.type.Nullable();
  if (value.is_null()) {
    MakeNull(slot);
  } else if (type.is_list()) {
    CompleteList(slot, type, value);
  } else if (type.named->is_composite()) {
    CompleteObject(slot, *type.named, value);
  } else {
    CompleteLeaf(slot, *type.named, value);
  }
}

void Execution::CompleteList(Slot& slot, const Type& type, const Data& value) {
  if (!value.is_array()) {
    AddError(slot, [&] {
      return absl::StrCat("Can't resolve value (", PathText(PathOf(slot)),
                          ") : type mismatch error, expected type LIST");
    });
    MakeNull(slot);
    return;
  }
  // `value` may be that of the slot.
  const Data list = value;
  slot.kind = Slot::Kind::kList;
  slot.value = Data();
  slot.children.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    Slot& element = NewSlot(slot, *slot.field, type.Inner());
    element.index = i;
    Complete(element, list.elements()[i]);
    if (slot.kind == Slot::Kind::kNull) return;
  }
}

void Execution::CompleteObject(Slot& slot, const NamedType& type,
                               const Data& value) {
  const NamedType* object = ObjectTypeOf(schema_, type, value);
  if (object == nullptr) {
    AddError(slot, [&] {
      return absl::StrCat(
          "Can't resolve '", PathText(PathOf(slot)), "'. Abstract type '",
          type.name, "' must resolve to an Object type at runtime for field '",
          slot.field->parent->name, ".", slot.field->field->name,
          "'. Could not determine the exact type of '", type.name, "'");
    });
    MakeNull(slot);
    return;
  }
  slot.value = value;
  slot.kind = Slot::Kind::kObject;
  slot.object_type = object;
  const PlannedFields& fields = planner_.Children(*slot.field, *object);
  slot.children.reserve(fields.size());
  for (PlannedField* field : fields) {
    BeginField(NewSlot(slot, *field, field->field->type), slot.value);
    if (slot.kind == Slot::Kind::kNull) return;
  }
}

void Execution::CompleteLeaf(Slot& slot, const NamedType& type,
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
    AddError(slot, [&] {
      return absl::StrCat("Can't serialize value (", PathText(PathOf(slot)),
                          ") : ", coerced.problem);
    });
    MakeNull(slot);
    return;
  }
  if (!TakeBytes(slot, coerced.value.JsonSize())) return;
  slot.kind = Slot::Kind::kLeaf;
  slot.value = std::move(coerced.value);
}

void Execution::MakeNull(Slot& slot) {
  if (slot.type.is_non_null() && !slot.failed) AddNullError(slot);
  Slot* at = &slot;
  at->kind = Slot::Kind::kNull;
  while (at->type.is_non_null()) {
    at = at->parent;
    at->kind = Slot::Kind::kNull;
    at->failed = true;
  }
}

bool Execution::IsGone(const Slot& slot) const {
  for (const Slot* at = slot.parent; at != nullptr; at = at->parent) {
    if (at->kind == Slot::Kind::kNull) return true;
  }
  return false;
}

Error Execution::ErrorAt(const Slot& slot, std::string message) {
  Error error;
  error.message = std::move(message);
  error.path = PathOf(slot);
  return error;
}

bool Execution::TakeErrorBytes(const Slot& slot, size_t bytes) {
  // Most messages repeat the path.
  bytes += kErrorBytes + 2 * PathBytes(slot);
  if (bytes <= room_.bytes) {
    room_.bytes -= bytes;
    return true;
  }
  if (!std::exchange(exhausted_, true)) {
    errors_.push_back(ErrorAt(slot, TooLarge()));
  }
  return false;
}

void Execution::AddError(Slot& slot, absl::FunctionRef<std::string()> message) {
  slot.failed = true;
  if (!TakeErrorBytes(slot, 0)) return;
  errors_.push_back(ErrorAt(slot, message()));
  room_.bytes -= std::min(room_.bytes, errors_.back().message.size());
}

void Execution::AddNullError(Slot& slot) {
  AddError(slot, [&] {
    return absl::StrCat("Cannot return null for non-nullable type: '",
                        slot.type.Inner().ToString(), "' within parent '",
                        slot.field->parent->name, "' (", PathText(PathOf(slot)),
                        ")");
  });
}

void Execution::AddFieldError(Slot& slot, const FieldError& field_error) {
  if (!TakeErrorBytes(slot, TextBytes(field_error))) return;
  Error error = ErrorAt(slot, field_error.message);
  error.locations = {{slot.field->nodes.front()->location}};
  error.details = ErrorDetails{
      .error_type = field_error.error_type,
      .data = CutToSelection(schema_, *slot.field, slot.field->field->type,
                             field_error.data),
      .error_info = field_error.error_info};
  errors_.push_back(std::move(error));
}

void Execution::Finish() {
  ExecutionResult result;
  result.data = SelectedData(root_);
  result.errors = std::move(errors_);
  if (request_.operation->type != OperationType::kQuery) {
    for (const Slot* slot : root_.children) {
      RootField& field = result.root_fields.emplace_back();
      field.field = slot->field->field;
      field.response_key = std::string(slot->field->key.string());
      field.arguments = slot->field->arguments;
      field.failed = slot->failed || root_.kind == Slot::Kind::kNull;
      field.published = PublishedData(*slot);
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
