#include "local/appsync/graphql/execution.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
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
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

// A place of the response: a field of an object, or an element of a list.
struct Slot {
  enum class Kind : uint8_t { kNull, kLeaf, kObject, kList };
  Kind kind = Kind::kNull;
  // Null for the response's data.
  Slot* parent = nullptr;
  PlannedField* field = nullptr;
  // In a list.
  std::optional<size_t> index;
  Type type;
  // What the fields of an object take their values from; of a leaf, the result.
  Data value;
  const NamedType* object_type = nullptr;
  std::vector<Slot*> children;
  std::unique_ptr<FieldRequest> request;
  // An error was reported for it or something within it that can't be null.
  bool failed = false;
};

Path PathOf(const Slot& slot) {
  Path path;
  for (const Slot* at = &slot; at->parent != nullptr; at = at->parent) {
    if (at->index.has_value()) {
      path.emplace_back(*at->index);
    } else {
      path.emplace_back(std::string(at->field->key.string()));
    }
  }
  return Path(path.rbegin(), path.rend());
}

// `data` with only what `field` selects, for the errors of resolvers.
Data CutToSelection(const Schema& schema, PlannedField& field, const Type& type,
                    const Data& data) {
  const Type nullable = type.Nullable();
  if (nullable.is_list()) {
    if (!data.is_array()) return Data();
    std::vector<Data> elements;
    for (const Data& element : data.elements()) {
      elements.push_back(
          CutToSelection(schema, field, nullable.Inner(), element));
    }
    return Data::Array(std::move(elements));
  }
  if (!nullable.named->is_composite()) return data;
  if (!data.is_object()) return Data();
  const NamedType* object = ObjectTypeOf(schema, *nullable.named, data);
  if (object == nullptr) return Data();
  json::ObjectBuilder cut;
  for (PlannedField* child : field.planner->Children(field, *object)) {
    const Data* member = data.Find(child->field->name);
    if (member == nullptr) continue;
    cut.Set(child->key,
            CutToSelection(schema, *child, child->field->type, *member));
  }
  return std::move(cut).Build();
}

// What a slot holds, under response keys.
Data SelectedData(const Slot& slot) {
  switch (slot.kind) {
    case Slot::Kind::kNull:
      return Data();
    case Slot::Kind::kLeaf:
      return slot.value;
    case Slot::Kind::kList: {
      std::vector<Data> elements;
      elements.reserve(slot.children.size());
      for (const Slot* child : slot.children) {
        elements.push_back(SelectedData(*child));
      }
      return Data::Array(std::move(elements));
    }
    case Slot::Kind::kObject: {
      json::ObjectBuilder object;
      for (const Slot* child : slot.children) {
        object.Set(child->field->key, SelectedData(*child));
      }
      return std::move(object).Build();
    }
  }
  return Data();
}

// What a slot holds, under the names of fields.
Data PublishedData(const Slot& slot) {
  if (slot.kind == Slot::Kind::kList) {
    std::vector<Data> elements;
    for (const Slot* child : slot.children) {
      elements.push_back(PublishedData(*child));
    }
    return Data::Array(std::move(elements));
  }
  if (slot.kind != Slot::Kind::kObject) return SelectedData(slot);
  json::ObjectBuilder object;
  if (slot.type.named->is_abstract()) {
    object.Set("__typename", Data::String(slot.object_type->name));
  }
  // From behind, so that of a field that is selected twice the first counts.
  for (size_t i = slot.children.size(); i > 0; --i) {
    const Slot& child = *slot.children[i - 1];
    object.Set(child.field->field->name, PublishedData(child));
  }
  return std::move(object).Build();
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
        done_(std::move(done)) {}

  void Start();

 private:
  struct Answered {
    Slot* slot;
    FieldOutcome outcome;
  };

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
  bool CountValue(Slot& slot);

  // The slot is null, and so is what contains it where it can't be.
  void MakeNull(Slot& slot);
  bool IsGone(const Slot& slot) const;
  void AddError(Slot& slot, std::string message);
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
  size_t values_left_ = kMaxResultValues;
  size_t resolvers_ = 0;
  size_t waiting_ = 0;
  bool exhausted_ = false;
  std::vector<Error> errors_;

  sync::Mutex mutex_;
  std::deque<Answered> answers_ ABSL_GUARDED_BY(mutex_);
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
    const sync::MutexLock lock(mutex_);
    answers_.push_back({.slot = &slot, .outcome = std::move(outcome)});
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
  slot.request.reset();
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
  std::optional<Data> value = Introspect(schema_, *slot.field, values_left_);
  if (!value.has_value()) {
    values_left_ = 0;
    CountValue(slot);
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
    AddError(slot, field.problem);
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
    if (!exhausted_) {
      AddError(slot, absl::StrCat("The request needs more than ",
                                  request_.max_resolvers, " resolvers."));
    }
    exhausted_ = true;
    slot.failed = true;
    MakeNull(slot);
    return;
  }
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

bool Execution::CountValue(Slot& slot) {
  if (values_left_ > 0) {
    --values_left_;
    return true;
  }
  if (!exhausted_) {
    AddError(slot, absl::StrCat("The response has more than ", kMaxResultValues,
                                " values."));
  }
  exhausted_ = true;
  slot.failed = true;
  MakeNull(slot);
  return false;
}

void Execution::Complete(Slot& slot, const Data& value) {
  if (!CountValue(slot)) return;
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
    AddError(slot, absl::StrCat("Can't resolve value (", PathText(PathOf(slot)),
                                ") : type mismatch error, expected type LIST"));
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
    AddError(slot,
             absl::StrCat(
                 "Can't resolve '", PathText(PathOf(slot)),
                 "'. Abstract type '", type.name,
                 "' must resolve to an Object type at runtime for "
                 "field '",
                 slot.field->parent->name, ".", slot.field->field->name,
                 "'. Could not determine the exact type of '", type.name, "'"));
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
    AddError(slot,
             absl::StrCat("Can't serialize value (", PathText(PathOf(slot)),
                          ") : ", coerced.problem));
    MakeNull(slot);
    return;
  }
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

void Execution::AddError(Slot& slot, std::string message) {
  slot.failed = true;
  Error error;
  error.message = std::move(message);
  error.path = PathOf(slot);
  errors_.push_back(std::move(error));
}

void Execution::AddNullError(Slot& slot) {
  AddError(slot, absl::StrCat("Cannot return null for non-nullable type: '",
                              slot.type.Inner().ToString(), "' within parent '",
                              slot.field->parent->name, "' (",
                              PathText(PathOf(slot)), ")"));
}

void Execution::AddFieldError(Slot& slot, const FieldError& field_error) {
  Error error;
  error.message = field_error.message;
  error.path = PathOf(slot);
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
