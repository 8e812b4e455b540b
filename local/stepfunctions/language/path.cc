#include "local/stepfunctions/language/path.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/path_program.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {
namespace internal {
namespace {

using Function = FunctionStep::Function;
// Parts of the document that the path selects from.
using Selected = std::vector<const Data*>;

// The element at `index`, which counts from the end if negative.
const Data* ElementAt(const Data& array, int64_t index) {
  const auto size = static_cast<int64_t>(array.size());
  if (index < 0) index += size;
  if (!array.is_array() || index < 0 || index >= size) return nullptr;
  return &array.elements()[static_cast<size_t>(index)];
}

// $['a'][0], as far as before the step `end`.
std::string PathText(const PathProgram& program, size_t end) {
  std::string text = "$";
  for (size_t i = 0; i < end; ++i) {
    if (const auto* names = std::get_if<PropertyStep>(&program.steps[i])) {
      absl::StrAppend(&text, "['", names->names[0], "']");
    } else if (const auto* at = std::get_if<IndexStep>(&program.steps[i])) {
      absl::StrAppend(&text, "[", at->indexes[0], "]");
    }
  }
  return text;
}

// Why the step `i` of a definite path selects nothing from `at`.
PathNotFound WhyNothing(const PathProgram& program, size_t i, const Data& at) {
  const bool last = i + 1 == program.steps.size();
  const bool property = std::holds_alternative<PropertyStep>(program.steps[i]);
  if (property && at.is_object()) {
    return {absl::StrCat(
        last ? "No results for path: " : "Missing property in path ",
        PathText(program, i + 1))};
  }
  if (property) {
    return {absl::StrCat("Expected to find an object with property ['",
                         std::get<PropertyStep>(program.steps[i]).names[0],
                         "'] in path ", PathText(program, i), " but found '",
                         DescribeType(at), "'. This is not a json object.")};
  }
  if (!at.is_array()) {
    return {absl::StrCat(
        "Filter: ",
        PathText(program, i + 1).substr(PathText(program, i).size()),
        " can only be applied to arrays. Current context is: ",
        DescribeType(at))};
  }
  return {absl::StrCat("No results for path: ",
                       PathText(program, program.steps.size()))};
}

// Adds the value, if it is an array or object, and all such below it, each
// before what it contains.
void AddContainers(const Data& top, Selected& out, size_t& visits) {
  Selected pending = {&top};
  while (!pending.empty() && ++visits <= kMaxPathVisits) {
    const Data* const value = pending.back();
    pending.pop_back();
    if (!value->is_array() && !value->is_object()) continue;
    out.push_back(value);
    const size_t first = pending.size();
    for (const Data& element : value->elements()) pending.push_back(&element);
    for (const Data::Member& member : value->members()) {
      pending.push_back(&member.value);
    }
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first),
                 pending.end());
  }
}

void AddSlice(const SliceStep& slice, const Data& array, Selected& out) {
  const auto size = static_cast<int64_t>(array.elements().size());
  const auto clamped = [size](int64_t index) {
    return std::clamp(index < 0 ? index + size : index, int64_t{0}, size);
  };
  const int64_t to = clamped(slice.to.value_or(size));
  for (int64_t i = clamped(slice.from.value_or(0)); i < to; ++i) {
    out.push_back(&array.elements()[static_cast<size_t>(i)]);
  }
}

void AddFiltered(const FilterStep& step, const Data& value,
                 const Data& document, Selected& out, size_t& visits) {
  for (const Data& element : value.elements()) {
    if (FilterHolds(*step.filter, element, document, visits)) {
      out.push_back(&element);
    }
  }
  if (value.is_object() && FilterHolds(*step.filter, value, document, visits)) {
    out.push_back(&value);
  }
}

// Adds what `step` selects from `value`.
void Apply(const PathStep& step, const Data& value, const Data& document,
           Selected& out, size_t& visits) {
  if (const auto* properties = std::get_if<PropertyStep>(&step)) {
    for (const std::string& name : properties->names) {
      const Data* const found = value.Find(name);
      if (found != nullptr) out.push_back(found);
    }
  } else if (const auto* indexes = std::get_if<IndexStep>(&step)) {
    for (const int64_t index : indexes->indexes) {
      const Data* const found = ElementAt(value, index);
      if (found != nullptr) out.push_back(found);
    }
  } else if (const auto* slice = std::get_if<SliceStep>(&step)) {
    AddSlice(*slice, value, out);
  } else if (std::holds_alternative<WildcardStep>(step)) {
    for (const Data& element : value.elements()) out.push_back(&element);
    for (const Data::Member& member : value.members()) {
      out.push_back(&member.value);
    }
  } else if (std::holds_alternative<ScanStep>(step)) {
    AddContainers(value, out, visits);
  } else if (const auto* filter = std::get_if<FilterStep>(&step)) {
    AddFiltered(*filter, value, document, out, visits);
  }
}

// What an aggregate function gives for numbers.
double Aggregate(Function function, const std::vector<double>& numbers) {
  double sum = 0;
  double squares = 0;
  for (const double number : numbers) {
    sum += number;
    squares += number * number;
  }
  const auto count = static_cast<double>(numbers.size());
  switch (function) {
    case Function::kMin:
      return *std::min_element(numbers.begin(), numbers.end());
    case Function::kMax:
      return *std::max_element(numbers.begin(), numbers.end());
    case Function::kSum:
      return sum;
    case Function::kAvg:
      return sum / count;
    default:
      return std::sqrt(squares / count - (sum / count) * (sum / count));
  }
}

PathResult Call(Function function, const Data& value) {
  switch (function) {
    case Function::kLength:
      if (!value.is_array() && !value.is_object()) return Data();
      return Data::Integer(static_cast<int64_t>(value.size()));
    case Function::kFirst:
    case Function::kLast: {
      const Data* const found =
          ElementAt(value, function == Function::kFirst ? 0 : -1);
      if (found == nullptr) return PathNotFound{"The array is empty"};
      return *found;
    }
    case Function::kKeys: {
      std::vector<Data> keys;
      for (const Data::Member& member : value.members()) {
        keys.push_back(member.key);
      }
      return Data::Array(std::move(keys));
    }
    default:
      break;
  }
  std::vector<double> numbers;
  for (const Data& element : value.elements()) {
    if (element.is_number()) numbers.push_back(element.number());
  }
  if (numbers.empty()) {
    return PathNotFound{
        "Aggregation function attempted to calculate value using empty array"};
  }
  return Data::Double(Aggregate(function, numbers));
}

Data Collected(const Selected& selected) {
  std::vector<Data> values;
  values.reserve(selected.size());
  for (const Data* const value : selected) values.push_back(*value);
  return Data::Array(std::move(values));
}

}  // namespace

PathResult RunPath(const PathProgram& program, const Data& root,
                   const Data& document, size_t& visits) {
  Selected selected = {&root};
  Selected next;
  bool definite = true;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const PathStep& step = program.steps[i];
    if (const auto* call = std::get_if<FunctionStep>(&step)) {
      return Call(call->function,
                  definite ? *selected[0] : Collected(selected));
    }
    next.clear();
    for (const Data* const value : selected) {
      Apply(step, *value, document, next, visits);
      visits += 1;
      if (visits + next.size() > kMaxPathVisits) {
        return PathNotFound{"The path visits too many values"};
      }
    }
    visits += next.size();
    definite = definite &&
               (std::holds_alternative<PropertyStep>(step) ||
                std::holds_alternative<IndexStep>(step)) &&
               IsDefinite(step);
    if (next.empty()) {
      // An indefinite path selects nothing rather than fails.
      if (!program.definite) return Data::Array({});
      return WhyNothing(program, i, *selected[0]);
    }
    std::swap(selected, next);
  }
  if (definite) return *selected[0];
  return Collected(selected);
}

}  // namespace internal

const Path& Path::Whole() {
  static const Path& whole = *new Path(*Path::Parse("$"));
  return whole;
}

bool Path::definite() const { return program_->definite; }

bool Path::whole() const { return program_->steps.empty(); }

PathResult Path::Select(const Scope& scope) const {
  switch (root_) {
    case Root::kInput:
      return SelectFrom(scope.input);
    case Root::kContext:
      return SelectFrom(scope.context);
    case Root::kVariable:
      break;
  }
  const Data* const value = scope.variables.Find(variable_);
  if (value == nullptr) {
    return PathNotFound{
        absl::StrCat("The variable '", variable_, "' does not exist")};
  }
  return SelectFrom(*value);
}

PathResult Path::SelectFrom(const Data& root) const {
  if (program_->steps.empty()) return root;
  size_t visits = 0;
  return internal::RunPath(*program_, root, root, visits);
}

EvaluationError ReferencePath::Conflict(size_t step,
                                        const Data& document) const {
  const std::string* const name = std::get_if<std::string>(&steps_[step]);
  return {kErrorReferencePathConflict,
          absl::StrCat("Unable to apply step \"",
                       name != nullptr
                           ? *name
                           : absl::StrCat(std::get<size_t>(steps_[step])),
                       "\" to input ", document.ToJson()),
          ""};
}

Evaluated<Data> ReferencePath::Get(const Data& document) const {
  const Data* at = &document;
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (const auto* name = std::get_if<std::string>(&steps_[i])) {
      at = at->Find(*name);
    } else {
      const size_t index = std::get<size_t>(steps_[i]);
      at = index < at->elements().size() ? &at->elements()[index] : nullptr;
    }
    if (at == nullptr) return Conflict(i, document);
  }
  return *at;
}

Evaluated<Data> ReferencePath::Put(const Data& document,
                                   const Data& value) const {
  return PutFrom(0, document, value, document);
}

Evaluated<Data> ReferencePath::PutFrom(size_t step, const Data& at,
                                       const Data& value,
                                       const Data& document) const {
  if (step == steps_.size()) return value;
  if (const auto* name = std::get_if<std::string>(&steps_[step])) {
    if (!at.is_object()) return Conflict(step, document);
    const Data* const old = at.Find(*name);
    Evaluated<Data> changed = PutFrom(
        step + 1, old != nullptr ? *old : Data::EmptyObject(), value, document);
    if (!changed.ok()) return changed;
    ObjectBuilder object(at);
    object.Set(*name, *std::move(changed));
    return std::move(object).Build();
  }
  const size_t index = std::get<size_t>(steps_[step]);
  if (index >= at.elements().size()) return Conflict(step, document);
  Evaluated<Data> changed =
      PutFrom(step + 1, at.elements()[index], value, document);
  if (!changed.ok()) return changed;
  std::vector<Data> elements(at.elements().begin(), at.elements().end());
  elements[index] = *std::move(changed);
  return Data::Array(std::move(elements));
}

}  // namespace byoshin::local::stepfunctions
