#include "local/stepfunctions/language/template.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/language/intrinsic.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/random.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {
namespace internal {

using NodePointer = std::shared_ptr<const TemplateNode>;

struct TemplateNode {
  // An expression, and its text without {% and %}.
  struct Jsonata {
    std::shared_ptr<const Expression> expression;
    std::string text;
  };
  struct Object {
    std::vector<std::pair<Data, NodePointer>> members;
  };
  struct Array {
    std::vector<NodePointer> elements;
  };
  std::variant<Data, Path, Intrinsic, Jsonata, Object, Array> part;
  // For errors: a key of a payload template ("name.$"), or the way to a part
  // in JSONata (Output/a[0]).
  std::string field;
};

namespace {

// Marks a key of a payload template whose value is a path or a call.
constexpr absl::string_view kComputed = ".$";

NodePointer NewNode(decltype(TemplateNode::part) part,
                    absl::string_view field) {
  TemplateNode node{std::move(part), std::string(field)};
  return std::make_shared<const TemplateNode>(std::move(node));
}

bool IsConstant(const TemplateNode& node) {
  return std::holds_alternative<Data>(node.part);
}

// A path or a call of an intrinsic function; null if it is neither.
NodePointer CompileQuery(absl::string_view query, absl::string_view field) {
  if (Intrinsic::LooksLikeOne(query)) {
    absl::StatusOr<Intrinsic> intrinsic = Intrinsic::Parse(query);
    if (!intrinsic.ok()) return nullptr;
    return NewNode(*std::move(intrinsic), field);
  }
  absl::StatusOr<Path> path = Path::Parse(query);
  if (!path.ok()) return nullptr;
  return NewNode(*std::move(path), field);
}

// Compiles payload templates.
class JsonPathCompiler {
 public:
  JsonPathCompiler(absl::string_view location, Diagnostics& diagnostics)
      : location_(location), diagnostics_(diagnostics) {}

  NodePointer Compile(const Data& source, absl::string_view field) {
    if (source.is_object()) return CompileObject(source, field);
    if (!source.is_array()) return NewNode(source, field);
    TemplateNode::Array array;
    bool constant = true;
    for (const Data& element : source.elements()) {
      array.elements.push_back(Compile(element, field));
      constant = constant && IsConstant(*array.elements.back());
    }
    if (constant) return NewNode(source, field);
    return NewNode(std::move(array), field);
  }

 private:
  NodePointer CompileObject(const Data& source, absl::string_view field) {
    TemplateNode::Object object;
    bool constant = true;
    for (const Data::Member& member : source.members()) {
      absl::string_view name = member.name();
      if (absl::ConsumeSuffix(&name, kComputed)) {
        object.members.emplace_back(Data::String(name), Computed(member));
        constant = false;
        continue;
      }
      object.members.emplace_back(member.key,
                                  Compile(member.value, member.name()));
      constant = constant && IsConstant(*object.members.back().second);
    }
    if (constant) return NewNode(source, field);
    return NewNode(std::move(object), field);
  }

  NodePointer Computed(const Data::Member& member) {
    NodePointer node;
    if (member.value.is_string()) {
      node = CompileQuery(member.value.string(), member.name());
    }
    if (node != nullptr) return node;
    diagnostics_.Error(
        kSchemaValidationFailed,
        absl::StrCat("The value for the field '", member.name(),
                     "' must be a valid JSONPath or a valid intrinsic function "
                     "call"),
        location_);
    return NewNode(Data(), member.name());
  }

  std::string location_;
  Diagnostics& diagnostics_;
};

// Compiles values with {% expressions %}.
class JsonataCompiler {
 public:
  JsonataCompiler(const ExpressionContext& context, Diagnostics& diagnostics)
      : context_(context), diagnostics_(diagnostics) {}

  NodePointer Compile(const Data& source, const std::string& field,
                      const std::string& location) {
    if (source.is_string()) return CompileText(source, field, location);
    bool constant = true;
    if (source.is_array()) {
      TemplateNode::Array array;
      for (size_t i = 0; i < source.size(); ++i) {
        array.elements.push_back(Compile(source.elements()[i],
                                         absl::StrCat(field, "[", i, "]"),
                                         absl::StrCat(location, "[", i, "]")));
        constant = constant && IsConstant(*array.elements.back());
      }
      if (!constant) return NewNode(std::move(array), field);
    } else if (source.is_object()) {
      TemplateNode::Object object;
      for (const Data::Member& member : source.members()) {
        object.members.emplace_back(
            member.key,
            Compile(member.value, absl::StrCat(field, "/", member.name()),
                    absl::StrCat(location, "/", member.name())));
        constant = constant && IsConstant(*object.members.back().second);
      }
      if (!constant) return NewNode(std::move(object), field);
    }
    return NewNode(source, field);
  }

 private:
  NodePointer CompileText(const Data& source, const std::string& field,
                          const std::string& location) {
    absl::string_view text = source.string();
    if (text.size() < 4 || !absl::ConsumePrefix(&text, "{%") ||
        !absl::ConsumeSuffix(&text, "%}")) {
      return NewNode(source, field);
    }
    text = absl::StripAsciiWhitespace(text);
    if (context_.compiler == nullptr) {
      diagnostics_.Error(kInvalidJsonataExpression, "JSONata is not available.",
                         location);
      return NewNode(source, field);
    }
    auto compiled = context_.compiler->Compile(text);
    if (const auto* mistakes =
            std::get_if<std::vector<ExpressionMistake>>(&compiled)) {
      for (const ExpressionMistake& mistake : *mistakes) {
        diagnostics_.Error(mistake.code, mistake.message, location);
      }
      return NewNode(source, field);
    }
    TemplateNode::Jsonata part{
        std::get<std::shared_ptr<const Expression>>(std::move(compiled)),
        std::string(text)};
    CheckReferences(*part.expression, location);
    return NewNode(std::move(part), field);
  }

  void CheckReferences(const Expression& expression,
                       const std::string& location) {
    if (expression.references_result() && !context_.has_result) {
      diagnostics_.Error(kUnsupportedJsonataExpression,
                         "Field '$states.result' does not exist.", location);
    }
    if (expression.references_error_output() && !context_.has_error_output) {
      diagnostics_.Error(kUnsupportedJsonataExpression,
                         "Field '$states.errorOutput' does not exist.",
                         location);
    }
  }

  const ExpressionContext& context_;
  Diagnostics& diagnostics_;
};

EvaluationError NotFound(const Path& path, absl::string_view field,
                         const Scope& scope) {
  return {
      kErrorRuntime,
      absl::StrCat("The JSONPath '", path.text(), "' specified for the field '",
                   field, "' could not be found in the input '",
                   scope.input.ToJson(), "'"),
      std::string(field)};
}

EvaluationError FailedExpression(const TemplateNode& node,
                                 absl::string_view what) {
  return {kErrorQueryEvaluation,
          absl::StrCat("The JSONata expression '",
                       std::get<TemplateNode::Jsonata>(node.part).text,
                       "' specified for the field '", node.field, "' ", what),
          node.field};
}

// Evaluates one template. `$states` is the same for all its expressions.
class Evaluation {
 public:
  explicit Evaluation(const Scope& scope) : scope_(scope) {}

  Evaluated<Data> Evaluate(const TemplateNode& node) {
    if (const auto* constant = std::get_if<Data>(&node.part)) return *constant;
    if (const auto* path = std::get_if<Path>(&node.part)) {
      PathResult result = path->Select(scope_);
      if (auto* value = std::get_if<Data>(&result)) return std::move(*value);
      return NotFound(*path, node.field, scope_);
    }
    if (const auto* intrinsic = std::get_if<Intrinsic>(&node.part)) {
      return intrinsic->Evaluate(scope_);
    }
    if (const auto* jsonata = std::get_if<TemplateNode::Jsonata>(&node.part)) {
      return EvaluateExpression(node, *jsonata->expression);
    }
    if (const auto* array = std::get_if<TemplateNode::Array>(&node.part)) {
      return EvaluateArray(*array);
    }
    return EvaluateObject(std::get<TemplateNode::Object>(node.part));
  }

 private:
  Evaluated<Data> EvaluateArray(const TemplateNode::Array& array) {
    std::vector<Data> elements;
    elements.reserve(array.elements.size());
    for (const NodePointer& element : array.elements) {
      Evaluated<Data> value = Evaluate(*element);
      if (!value.ok()) return value;
      elements.push_back(*std::move(value));
    }
    return Data::Array(std::move(elements));
  }

  Evaluated<Data> EvaluateObject(const TemplateNode::Object& object) {
    ObjectBuilder builder;
    for (const auto& [key, node] : object.members) {
      Evaluated<Data> value = Evaluate(*node);
      if (!value.ok()) return value;
      builder.Set(key, *std::move(value));
    }
    return std::move(builder).Build();
  }

  Evaluated<Data> EvaluateExpression(const TemplateNode& node,
                                     const Expression& expression) {
    if (!bindings_) {
      bindings_ = ExpressionBindings{StatesOf(scope_), scope_.variables,
                                     scope_.random, scope_.now};
      if (bindings_->random == nullptr) bindings_->random = &unseeded_;
    }
    ExpressionResult result = expression.Evaluate(*bindings_);
    if (auto* value = std::get_if<std::optional<Data>>(&result)) {
      if (*value) return *std::move(*value);
      return FailedExpression(node, "returned nothing (undefined).");
    }
    const auto& failure = std::get<ExpressionFailure>(result);
    if (failure.kind == ExpressionFailure::Kind::kUnsupportedResult) {
      return FailedExpression(node, "returned an unsupported result type.");
    }
    return FailedExpression(
        node, absl::StrCat("threw an error during evaluation", failure.tail));
  }

  const Scope& scope_;
  // Without an execution, nothing has to be repeatable.
  Random unseeded_{uint64_t{0}};
  std::optional<ExpressionBindings> bindings_;
};

}  // namespace
}  // namespace internal

Template Template::JsonPath(const Data& source, absl::string_view field,
                            absl::string_view location,
                            Diagnostics& diagnostics) {
  Template result;
  result.field_ = std::string(field);
  result.root_ =
      internal::JsonPathCompiler(location, diagnostics).Compile(source, field);
  return result;
}

Template Template::Query(absl::string_view query, absl::string_view field,
                         absl::string_view location, Diagnostics& diagnostics) {
  Template result;
  result.field_ = std::string(field);
  result.query_ = std::string(query);
  result.root_ = internal::CompileQuery(query, field);
  if (result.root_ == nullptr) {
    diagnostics.Error(kSchemaValidationFailed,
                      "Value must be a valid JSONPath.", location);
    result.root_ = internal::NewNode(Data(), field);
  }
  return result;
}

Template Template::Jsonata(const Data& source, absl::string_view field,
                           absl::string_view location,
                           const ExpressionContext& context,
                           Diagnostics& diagnostics) {
  Template result;
  result.field_ = std::string(field);
  result.root_ =
      internal::JsonataCompiler(context, diagnostics)
          .Compile(source, std::string(field), std::string(location));
  if (const auto* part =
          std::get_if<internal::TemplateNode::Jsonata>(&result.root_->part)) {
    result.query_ = part->text;
  }
  return result;
}

Template Template::Constant(Data value, absl::string_view field) {
  Template result;
  result.field_ = std::string(field);
  result.root_ = internal::NewNode(std::move(value), field);
  return result;
}

Evaluated<Data> Template::Evaluate(const Scope& scope) const {
  Evaluated<Data> value = internal::Evaluation(scope).Evaluate(*root_);
  if (!value.ok()) {
    EvaluationError error = std::move(value).error();
    if (error.location.empty()) error.location = field_;
    return error;
  }
  if (value->depth() > kMaxDataDepth) {
    return EvaluationError{
        kErrorRuntime,
        absl::StrCat("The value of the field '", field_,
                     "' is nested more than ", kMaxDataDepth, " deep."),
        field_};
  }
  return value;
}

bool Template::constant() const { return internal::IsConstant(*root_); }

bool Template::expression() const {
  return std::holds_alternative<internal::TemplateNode::Jsonata>(root_->part);
}

}  // namespace byoshin::local::stepfunctions
