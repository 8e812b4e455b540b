#include "local/appsync/graphql/projection.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

// A message may be cut from so many times its bytes.
constexpr size_t kCutFactor = 4;

struct ProjectedSet;

// A selection with nothing left to decide, so that several threads can use it.
struct ProjectedField {
  const FieldDefinition* field = nullptr;
  Data key;
  const NamedType* parent = nullptr;
  // By the type of the object.
  std::vector<std::pair<const NamedType*, const ProjectedSet*>> children;
};

// What is selected of an object of one type. Fields share it: if each had its
// own, then interfaces within interfaces would multiply.
struct ProjectedSet {
  const NamedType* object = nullptr;
  std::vector<ProjectedField> fields;
};

// Makes the sets of a projection, and its key: all sets as texts, in which
// sets within them are numbers.
class Projector {
 public:
  // std::nullopt if it exceeds a limit: problem() says which.
  std::optional<ProjectedField> Project(PlannedField& planned);

  const std::string& problem() const { return problem_; }
  std::string TakeKey() { return std::move(key_); }
  std::deque<ProjectedSet> TakeSets() { return std::move(sets_); }
  size_t fields() const { return fields_; }
  size_t children() const { return children_; }

 private:
  using Nodes = absl::InlinedVector<const ast::Selection*, 1>;

  // Appends the field's text to `text`, which is that of its set.
  ProjectedField ProjectField(PlannedField& planned, std::string& text);
  // The number of a set.
  size_t SetOf(PlannedField& planned, const NamedType& object);
  // A set with the same text is the same set, wherever it is selected.
  size_t Keep(ProjectedSet set, std::string text);
  void Work(size_t steps);
  bool failed() const { return !problem_.empty(); }

  std::deque<ProjectedSet> sets_;
  // Fields that consist of the same nodes of the document select the same.
  absl::flat_hash_map<std::pair<Nodes, const NamedType*>, size_t> by_nodes_;
  absl::flat_hash_map<std::string, size_t> by_text_;
  std::string key_;
  std::string problem_;
  size_t steps_ = 0;
  size_t fields_ = 0;
  size_t children_ = 0;
};

void Projector::Work(size_t steps) {
  steps_ += steps;
  if (steps_ <= kMaxProjectionSteps || failed()) return;
  problem_ =
      "The subscription is too complex: what it selects depends on too many "
      "combinations of types.";
}

size_t Projector::Keep(ProjectedSet set, std::string text) {
  const auto [at, added] = by_text_.emplace(std::move(text), sets_.size());
  if (!added) return at->second;
  key_ += at->first;
  if (key_.size() > kMaxProjectionKeyBytes && !failed()) {
    problem_ = absl::StrCat(
        "The subscription is too complex: the names that it selects take more "
        "than ",
        kMaxProjectionKeyBytes, " bytes.");
  }
  fields_ += set.fields.size();
  sets_.push_back(std::move(set));
  return at->second;
}

size_t Projector::SetOf(PlannedField& planned, const NamedType& object) {
  Work(1 + planned.nodes.size());
  if (failed()) return 0;
  std::pair<Nodes, const NamedType*> nodes(planned.nodes, &object);
  if (const auto known = by_nodes_.find(nodes); known != by_nodes_.end()) {
    return known->second;
  }
  const size_t before = planned.planner->visited_selections();
  const PlannedFields& children = planned.planner->Children(planned, object);
  Work(planned.planner->visited_selections() - before);
  ProjectedSet set = {.object = &object, .fields = {}};
  std::string text = absl::StrCat(object.name, "{");
  for (PlannedField* child : children) {
    if (failed()) return 0;
    set.fields.push_back(ProjectField(*child, text));
  }
  text += '}';
  const size_t number = Keep(std::move(set), std::move(text));
  by_nodes_.emplace(std::move(nodes), number);
  return number;
}

ProjectedField Projector::ProjectField(PlannedField& planned,
                                       std::string& text) {
  ProjectedField field;
  field.field = planned.field;
  field.key = planned.key;
  field.parent = planned.parent;
  // With its type: projections are also compared with those of the schema
  // before it was changed.
  absl::StrAppend(&text, planned.key.string(), ":", planned.field->name, ":",
                  planned.field->type.ToString());
  const NamedType& named = *planned.field->type.named;
  if (named.is_composite()) {
    for (const NamedType* object : named.possible_types) {
      const size_t number = SetOf(planned, *object);
      if (failed()) break;
      field.children.emplace_back(object, &sets_[number]);
      absl::StrAppend(&text, " ", number);
    }
    children_ += field.children.size();
  }
  text += ';';
  return field;
}

std::optional<ProjectedField> Projector::Project(PlannedField& planned) {
  std::string text;
  ProjectedField field = ProjectField(planned, text);
  if (failed()) return std::nullopt;
  key_ += text;
  ++fields_;
  return field;
}

void AddSelected(const ProjectedField& field, const FieldDefinition* type_name,
                 absl::flat_hash_set<const ProjectedSet*>& seen,
                 std::vector<Projection::Selected>& selected) {
  for (const auto& [object, set] : field.children) {
    if (!seen.insert(set).second) continue;
    for (const ProjectedField& child : set->fields) {
      if (child.field == type_name) continue;
      selected.push_back({.type = object, .field = child.field});
      AddSelected(child, type_name, seen, selected);
    }
  }
}

// Cuts one published value.
class Cutter {
 public:
  // It ends when what it has cut is longer than `max_bytes`.
  Cutter(const Schema& schema, size_t max_bytes)
      : schema_(schema), left_(max_bytes) {}

  // std::nullopt if it is null where it can't be; an error says so.
  std::optional<Data> Cut(const ProjectedField& field, const Type& type,
                          const Data& value);
  const std::vector<Error>& errors() const { return errors_; }
  bool ended() const { return ended_; }
  Path& path() { return path_; }

 private:
  std::optional<Data> CutList(const ProjectedField& field, const Type& type,
                              const Data& value);
  std::optional<Data> CutObject(const ProjectedField& field,
                                const NamedType& type, const Data& value);
  void AddNullError(const ProjectedField& field, const Type& type);
  void Take(size_t bytes);

  const Schema& schema_;
  size_t left_;
  bool ended_ = false;
  Path path_;
  std::vector<Error> errors_;
};

void Cutter::Take(size_t bytes) {
  ended_ = ended_ || bytes > left_;
  if (!ended_) left_ -= bytes;
}

void Cutter::AddNullError(const ProjectedField& field, const Type& type) {
  Error error;
  error.message = absl::StrCat("Cannot return null for non-nullable type: '",
                               type.Inner().ToString(), "' within parent '",
                               field.parent->name, "' (", PathText(path_), ")");
  Take(error.message.size());
  error.path = path_;
  errors_.push_back(std::move(error));
}

std::optional<Data> Cutter::Cut(const ProjectedField& field, const Type& type,
                                const Data& value) {
  if (type.is_non_null()) {
    if (value.is_null()) {
      AddNullError(field, type);
      return std::nullopt;
    }
    std::optional<Data> cut = Cut(field, type.Inner(), value);
    // Something within it was null that can't be; that was reported.
    if (!cut.has_value() || cut->is_null()) return std::nullopt;
    return cut;
  }
  if (value.is_null()) return Data();
  std::optional<Data> cut;
  if (type.is_list()) {
    cut = CutList(field, type, value);
  } else if (type.named->is_composite()) {
    cut = CutObject(field, *type.named, value);
  } else {
    Take(value.JsonSize());
    return value;
  }
  return std::move(cut).value_or(Data());
}

std::optional<Data> Cutter::CutList(const ProjectedField& field,
                                    const Type& type, const Data& value) {
  if (!value.is_array()) return std::nullopt;
  std::vector<Data> elements;
  elements.reserve(value.size());
  for (size_t i = 0; i < value.size() && !ended_; ++i) {
    path_.emplace_back(i);
    std::optional<Data> element = Cut(field, type.Inner(), value.elements()[i]);
    path_.pop_back();
    if (!element.has_value()) return std::nullopt;
    elements.push_back(*std::move(element));
  }
  return Data::Array(std::move(elements));
}

std::optional<Data> Cutter::CutObject(const ProjectedField& field,
                                      const NamedType& type,
                                      const Data& value) {
  const NamedType* object = ObjectTypeOf(schema_, type, value);
  if (object == nullptr) return std::nullopt;
  for (const auto& [candidate, set] : field.children) {
    if (candidate != object) continue;
    json::ObjectBuilder members;
    for (const ProjectedField& child : set->fields) {
      Take(child.key.JsonSize());
      if (ended_) return std::nullopt;
      if (child.field == schema_.typename_field()) {
        members.Set(child.key, Data::String(object->name));
        continue;
      }
      const Data* member = value.Find(child.field->name);
      path_.emplace_back(std::string(child.key.string()));
      std::optional<Data> cut =
          Cut(child, child.field->type, member == nullptr ? Data() : *member);
      path_.pop_back();
      if (!cut.has_value()) return std::nullopt;
      members.Set(child.key, *std::move(cut));
    }
    return std::move(members).Build();
  }
  return std::nullopt;
}

}  // namespace

class Projection::Plan {
 public:
  std::shared_ptr<const PreparedDocument> document;
  std::deque<ProjectedSet> sets;
  ProjectedField root;
  // Of all sets.
  size_t fields = 0;
  size_t children = 0;
  Data arguments;
  std::string response_key;
  std::string key;
};

Projection::Projection(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Projection::~Projection() = default;

ProjectionResult Projection::Make(
    std::shared_ptr<const PreparedDocument> document,
    const ast::Operation& operation, const Data& variables) {
  const auto failed = [](std::string message) {
    Error error;
    error.message = std::move(message);
    return ProjectionResult{.projection = nullptr, .errors = {error}};
  };
  const Schema& schema = document->schema();
  const NamedType* type = schema.subscription_type();
  if (operation.type != OperationType::kSubscription || type == nullptr) {
    return failed("Only subscriptions can be subscribed to.");
  }
  CoercedVariables coerced = CoerceVariables(schema, operation, variables);
  if (!coerced.errors.empty()) {
    return {.projection = nullptr, .errors = std::move(coerced.errors)};
  }
  Planner planner(*document, coerced.values);
  const PlannedFields roots = planner.Root(*type, operation);
  if (roots.size() != 1 || roots[0]->field == schema.typename_field()) {
    return failed("A subscription must select exactly one field.");
  }
  if (!roots[0]->problem.empty()) return failed(roots[0]->problem);
  Projector projector;
  std::optional<ProjectedField> root = projector.Project(*roots[0]);
  if (!root.has_value()) return failed(projector.problem());
  auto plan = std::make_unique<Plan>();
  plan->root = *std::move(root);
  plan->fields = projector.fields();
  plan->children = projector.children();
  plan->key = projector.TakeKey();
  plan->sets = projector.TakeSets();
  plan->arguments = roots[0]->arguments;
  plan->response_key = std::string(roots[0]->key.string());
  plan->document = std::move(document);
  return {.projection = std::shared_ptr<const Projection>(
              new Projection(std::move(plan))),
          .errors = {}};
}

const FieldDefinition& Projection::field() const { return *plan_->root.field; }
const Data& Projection::arguments() const { return plan_->arguments; }
const std::string& Projection::response_key() const {
  return plan_->response_key;
}
const std::string& Projection::key() const { return plan_->key; }

std::vector<Projection::Selected> Projection::SelectedFields() const {
  std::vector<Selected> selected;
  absl::flat_hash_set<const ProjectedSet*> seen;
  AddSelected(plan_->root, plan_->document->schema().typename_field(), seen,
              selected);
  return selected;
}

size_t Projection::memory_bytes() const {
  // A field is part of a list that may have room for as many again; a value of
  // two bytes, such as a digit and a comma, takes a Data.
  return plan_->document->memory_bytes() + plan_->key.size() +
         2 * sizeof(ProjectedField) * plan_->fields +
         2 * sizeof(plan_->root.children[0]) * plan_->children +
         sizeof(ProjectedSet) * plan_->sets.size() +
         sizeof(Data) / 2 * plan_->arguments.JsonSize();
}

std::optional<std::string> Projection::Render(const Data& published,
                                              size_t max_bytes) const {
  const ProjectedField& root = plan_->root;
  // Some of what is cut may be dropped again, because something beside it is
  // null.
  Cutter cutter(plan_->document->schema(), kCutFactor * max_bytes);
  cutter.path().emplace_back(plan_->response_key);
  const std::optional<Data> cut = cutter.Cut(root, root.field->type, published);
  if (cutter.ended()) return std::nullopt;
  std::string text = R"({"data":)";
  if (cut.has_value()) {
    json::ObjectBuilder data;
    data.Set(root.key, *cut);
    std::move(data).Build().AppendJson(text);
  } else {
    text += "null";
  }
  if (!cutter.errors().empty()) {
    text += R"(,"errors":)";
    ToData(cutter.errors()).AppendJson(text);
  }
  text += '}';
  if (text.size() > max_bytes) return std::nullopt;
  return text;
}

}  // namespace byoshin::local::appsync::graphql
