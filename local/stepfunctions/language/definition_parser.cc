// Machines and states: what all types have.
#include "local/stepfunctions/language/definition_parser.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/evaluation.h"
#include "local/stepfunctions/language/field_reader.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/retry.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

constexpr char kInvalidStateName[] = "INVALID_STATE_NAME";
constexpr char kInvalidVariableName[] = "INVALID_VARIABLE_NAME";
constexpr char kReservedVariableName[] = "RESERVED_VARIABLE_NAME";

constexpr absl::string_view kWholeFields[] = {"Comment", "QueryLanguage",
                                              "StartAt", "TimeoutSeconds",
                                              "Version", "States"};
constexpr absl::string_view kBranchFields[] = {"Comment", "StartAt", "States"};
constexpr absl::string_view kProcessorFields[] = {"Comment", "StartAt",
                                                  "States", "ProcessorConfig"};

constexpr absl::string_view kRetrierFields[] = {
    "ErrorEquals",     "IntervalSeconds", "MaxAttempts", "BackoffRate",
    "MaxDelaySeconds", "JitterStrategy",  "Comment"};
constexpr absl::string_view kCatcherFields[] = {
    "ErrorEquals", "Next", "ResultPath", "Output", "Assign", "Comment"};

// The number of characters of UTF-8 text.
size_t CharactersOf(absl::string_view text) {
  size_t count = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
  }
  return count;
}

// Letters, digits and underscores, beginning with a letter. Whatever is not
// ASCII counts as a letter.
bool IsVariableName(absl::string_view name) {
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter =
        absl::ascii_isalpha(c) || static_cast<unsigned char>(c) >= 0x80;
    const bool later = absl::ascii_isdigit(c) || c == '_';
    if (!letter && !(later && i > 0)) return false;
  }
  return !name.empty();
}

void CheckVariableName(absl::string_view name, const std::string& location,
                       Diagnostics& diagnostics) {
  if (name == "states") {
    diagnostics.Error(kReservedVariableName,
                      "Cannot assign to reserved variable '$states'.",
                      location);
  } else if (!IsVariableName(name)) {
    diagnostics.Error(
        kInvalidVariableName,
        absl::StrCat("Invalid variable name '", name,
                     "': the variable name contains invalid characters."),
        location);
  } else if (CharactersOf(name) > kMaxVariableNameLength) {
    diagnostics.Error(kInvalidVariableName,
                      absl::StrCat("Invalid variable name '", name,
                                   "': the variable name exceeds the ",
                                   kMaxVariableNameLength, "-character limit."),
                      location);
  }
}

}  // namespace

ExpressionContext DefinitionParser::Plain() const {
  return {options_.compiler, false, false};
}

ExpressionContext DefinitionParser::WithResult(StateType type) const {
  const bool has_result = type == StateType::kTask ||
                          type == StateType::kParallel ||
                          type == StateType::kMap;
  return {options_.compiler, has_result, false};
}

ExpressionContext DefinitionParser::WithErrorOutput() const {
  return {options_.compiler, false, true};
}

QueryLanguage DefinitionParser::ParseLanguage(const FieldReader& fields) const {
  const Data* const value = fields.Find("QueryLanguage");
  if (value == nullptr) return machine_language_;
  // AWS takes whatever is not exactly JSONPath for JSONata.
  return value->is_string() && value->string() == "JSONPath"
             ? QueryLanguage::kJsonPath
             : QueryLanguage::kJsonata;
}

void DefinitionParser::SetLanguage(const Data& state) {
  const Data* const value = state.Find("QueryLanguage");
  if (value != nullptr && value->is_string() && value->string() == "JSONata") {
    machine_language_ = QueryLanguage::kJsonata;
  }
}

StateMachine DefinitionParser::ParseWhole(const Data& source) {
  const FieldReader fields(source, "", diagnostics_);
  if (!fields.IsObject()) return {};
  machine_language_ = ParseLanguage(fields);
  return ParseMachine(source, "", MachineKind::kWhole, 0);
}

StateMachine DefinitionParser::ParseMachine(const Data& source,
                                            const std::string& location,
                                            MachineKind kind, int depth) {
  StateMachine machine;
  machine.query_language = machine_language_;
  const FieldReader fields(source, location, diagnostics_);
  if (!fields.IsObject()) return machine;
  if (depth > kMaxMachineDepth) {
    fields.Mistake("State machines are nested too deep");
    return machine;
  }
  switch (kind) {
    case MachineKind::kWhole:
      fields.AllowOnly(kWholeFields);
      break;
    case MachineKind::kBranch:
      fields.AllowOnly(kBranchFields);
      break;
    case MachineKind::kProcessor:
      fields.AllowOnly(kProcessorFields);
      break;
  }
  fields.Require({"StartAt", "States"});
  machine.comment = fields.Text("Comment");
  machine.start_at = fields.Text("StartAt");
  if (kind == MachineKind::kWhole) {
    machine.version = fields.TextOf("Version", {"1.0"});
    fields.TextOf("QueryLanguage", {"JSONPath", "JSONata"});
    machine.timeout_seconds = fields.Integer("TimeoutSeconds", kAnySeconds);
  }
  const Data* const states = fields.Find("States");
  if (states == nullptr) return machine;
  const FieldReader states_reader(*states, fields.At("States"), diagnostics_);
  if (!states_reader.IsObject()) return machine;
  if (states->size() == 0) states_reader.Mistake("Value cannot be empty");
  for (const Data::Member& member : states->members()) {
    std::unique_ptr<State> state = ParseState(
        member.value, member.name(), states_reader.At(member.name()), depth);
    machine.by_name.emplace(state->name, state.get());
    machine.states.push_back(std::move(state));
  }
  return machine;
}

std::unique_ptr<State> DefinitionParser::ParseState(const Data& source,
                                                    absl::string_view name,
                                                    const std::string& location,
                                                    int depth) {
  auto state = std::make_unique<State>();
  state->name = std::string(name);
  const FieldReader fields(source, location, diagnostics_);
  if (!fields.IsObject()) return state;
  if (CharactersOf(name) > kMaxStateNameLength) {
    diagnostics_.Error(kInvalidStateName,
                       absl::StrCat("State name '", name, "' exceeds the ",
                                    kMaxStateNameLength,
                                    "-character limit allowed by the service"),
                       location);
  }
  if (!state_names_.insert(state->name).second) {
    diagnostics_.Error(kDuplicateStateName,
                       absl::StrCat("Duplicate State name: ", name), location);
  }
  fields.Require({"Type"});
  const std::optional<StateType> type = TypeNamed(fields.Text("Type"));
  if (!type) {
    const Data* const given = fields.Find("Type");
    if (given != nullptr && given->is_string()) {
      fields.MistakeAt("Type",
                       "The field 'Type' should have one of these values: "
                       "[Task, Wait, Pass, Succeed, Fail, Choice, Parallel, "
                       "Map]");
    }
    return state;
  }
  state->type = *type;
  Reading reading{fields, *state, depth};
  ParseCommon(reading);
  ParseDataFlow(reading);
  ParseTransition(reading);
  switch (*type) {
    case StateType::kTask:
      ParseTask(reading);
      break;
    case StateType::kPass:
      ParsePass(reading);
      break;
    case StateType::kChoice:
      ParseChoice(reading);
      break;
    case StateType::kWait:
      ParseWait(reading);
      break;
    case StateType::kSucceed:
      break;
    case StateType::kFail:
      ParseFail(reading);
      break;
    case StateType::kParallel:
      ParseParallel(reading);
      break;
    case StateType::kMap:
      ParseMap(reading);
      break;
  }
  ParseRetry(reading);
  ParseCatch(reading);
  return state;
}

void DefinitionParser::ParseCommon(Reading& reading) {
  const FieldReader& fields = reading.fields;
  State& state = reading.state;
  const absl::Span<const absl::string_view> allowed = FieldsOf(state.type);
  fields.AllowOnly(allowed);
  state.comment = fields.Text("Comment");
  state.query_language = ParseLanguage(fields);
  if (state.query_language == QueryLanguage::kJsonPath &&
      machine_language_ == QueryLanguage::kJsonata) {
    fields.Mistake(
        "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole "
        "state machine");
  } else {
    CheckLanguage(fields, state.query_language, allowed);
  }
  fields.TextOf("QueryLanguage", {"JSONPath", "JSONata"});
}

void DefinitionParser::ParseDataFlow(Reading& reading) {
  const FieldReader& fields = reading.fields;
  State& state = reading.state;
  const QueryLanguage language = state.query_language;
  if (language == QueryLanguage::kJsonPath) {
    state.input_path = ParsePath<Path>(fields, "InputPath");
    state.output_path = ParsePath<Path>(fields, "OutputPath");
    state.result_path = ParsePath<ReferencePath>(fields, "ResultPath");
    state.result_selector =
        ParseTemplate(fields, language, "ResultSelector", Plain());
    // That of a Map is for its items.
    if (state.type != StateType::kMap) {
      state.arguments = ParseTemplate(fields, language, "Parameters", Plain());
    }
  } else {
    state.arguments = ParseTemplate(fields, language, "Arguments", Plain());
    state.output =
        ParseTemplate(fields, language, "Output", WithResult(state.type));
  }
  state.assign = ParseAssign(fields, language, WithResult(state.type));
}

void DefinitionParser::ParseTransition(Reading& reading) {
  const StateType type = reading.state.type;
  if (type == StateType::kChoice || type == StateType::kSucceed ||
      type == StateType::kFail) {
    return;
  }
  const FieldReader& fields = reading.fields;
  fields.RequireOne({"Next", "End"}, FieldReader::One::kExactly);
  reading.state.next = fields.Text("Next");
  reading.state.end = fields.Flag("End");
  const Data* const end = fields.Find("End");
  if (end != nullptr && end->is_boolean() && !end->boolean() &&
      !fields.Has("Next")) {
    fields.MistakeAt("End", "Value should be one of the following: [true]");
  }
}

std::vector<std::string> DefinitionParser::ParseErrorEquals(
    const FieldReader& fields, bool last) const {
  const std::vector<std::string> names = fields.Texts("ErrorEquals");
  const Data* const value = fields.Find("ErrorEquals");
  if (value != nullptr && value->is_array() && value->size() == 0) {
    fields.MistakeAt("ErrorEquals", "Value cannot be empty");
  }
  for (const std::string& name : names) {
    if (name == kErrorAll && (names.size() > 1 || !last)) {
      fields.MistakeAt("ErrorEquals",
                       "States.ALL must appear alone and at end of list");
      break;
    }
  }
  return names;
}

void DefinitionParser::ParseRetry(Reading& reading) {
  const absl::Span<const Data> entries = reading.fields.Array("Retry");
  for (size_t i = 0; i < entries.size(); ++i) {
    const FieldReader fields(entries[i],
                             reading.fields.At(absl::StrCat("Retry[", i, "]")),
                             diagnostics_);
    if (!fields.IsObject()) continue;
    fields.AllowOnly(kRetrierFields);
    fields.Require({"ErrorEquals"});
    Retrier retrier;
    retrier.error_equals = ParseErrorEquals(fields, i + 1 == entries.size());
    retrier.interval_seconds = fields.Integer("IntervalSeconds", kAnySeconds)
                                   .value_or(kDefaultIntervalSeconds);
    retrier.max_attempts = fields.Integer("MaxAttempts", {0, kMaxMaxAttempts})
                               .value_or(kDefaultMaxAttempts);
    retrier.max_delay_seconds =
        fields.Integer("MaxDelaySeconds", {1, kMaxMaxDelaySeconds});
    if (const Data* const rate = fields.Find("BackoffRate")) {
      if (!rate->is_number()) {
        fields.MistakeAt("BackoffRate", "Expected value of type [NUMBER]");
      } else if (rate->number() < 1) {
        fields.MistakeAt("BackoffRate", "Minimum value is 1.0");
      } else {
        retrier.backoff_rate = rate->number();
      }
    }
    if (fields.TextOf("JitterStrategy", {"NONE", "FULL"}) == "FULL") {
      retrier.jitter = Retrier::Jitter::kFull;
    }
    reading.state.retry.push_back(std::move(retrier));
  }
}

void DefinitionParser::ParseCatch(Reading& reading) {
  const absl::Span<const Data> entries = reading.fields.Array("Catch");
  const QueryLanguage language = reading.state.query_language;
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string name = absl::StrCat("Catch[", i, "]");
    const FieldReader fields(entries[i], reading.fields.At(name), diagnostics_);
    if (!fields.IsObject()) continue;
    fields.AllowOnly(kCatcherFields);
    CheckLanguage(fields, language, kCatcherFields);
    fields.Require({"ErrorEquals", "Next"});
    Catcher catcher;
    catcher.error_equals = ParseErrorEquals(fields, i + 1 == entries.size());
    catcher.next = fields.Text("Next");
    const std::string prefix = absl::StrCat(name, "/");
    if (language == QueryLanguage::kJsonPath) {
      catcher.result_path = ParsePath<ReferencePath>(fields, "ResultPath");
    } else {
      catcher.output =
          ParseTemplate(fields, language, "Output", WithErrorOutput(), prefix);
    }
    catcher.assign = ParseAssign(fields, language, WithErrorOutput(), prefix);
    reading.state.catchers.push_back(std::move(catcher));
  }
}

std::optional<Template> DefinitionParser::ParseTemplate(
    const FieldReader& fields, QueryLanguage language, absl::string_view name,
    const ExpressionContext& context, absl::string_view prefix) {
  const Data* const source = fields.Find(name);
  if (source == nullptr) return std::nullopt;
  if (language == QueryLanguage::kJsonPath) {
    return Template::JsonPath(*source, name, fields.At(name), diagnostics_);
  }
  return Template::Jsonata(*source, absl::StrCat(prefix, name), fields.At(name),
                           context, diagnostics_);
}

std::optional<Template> DefinitionParser::ParseAssign(
    const FieldReader& fields, QueryLanguage language,
    const ExpressionContext& context, absl::string_view prefix) {
  const Data* const source = fields.Find("Assign");
  if (source == nullptr) return std::nullopt;
  if (!source->is_object()) {
    fields.MistakeAt("Assign", "Expected value of type [OBJECT]");
    return std::nullopt;
  }
  for (const Data::Member& member : source->members()) {
    absl::string_view name = member.name();
    if (language == QueryLanguage::kJsonPath) absl::ConsumeSuffix(&name, ".$");
    CheckVariableName(name,
                      absl::StrCat(fields.At("Assign"), "/", member.name()),
                      diagnostics_);
  }
  return ParseTemplate(fields, language, "Assign", context, prefix);
}

template <typename PathType>
PathField<PathType> DefinitionParser::ParsePath(const FieldReader& fields,
                                                absl::string_view name) {
  PathField<PathType> field;
  const Data* const source = fields.Find(name);
  if (source == nullptr) return field;
  if (source->is_null()) {
    field.kind = PathField<PathType>::Kind::kNull;
    return field;
  }
  const std::string text = fields.Text(name);
  if (!source->is_string()) return field;
  absl::StatusOr<PathType> path = PathType::Parse(text);
  if (path.ok()) {
    field.kind = PathField<PathType>::Kind::kPath;
    field.path = *std::move(path);
  } else if (!Path::Parse(text).ok()) {
    fields.MistakeAt(name, "Value must be a valid JSONPath.");
  } else {
    fields.MistakeAt(name, "Value is not a Reference Path");
  }
  return field;
}

std::optional<Template> DefinitionParser::ParseForms(const FieldReader& fields,
                                                     QueryLanguage language,
                                                     const FieldForm& form) {
  const std::string path_name = absl::StrCat(form.name, "Path");
  const Data* const path = fields.Find(path_name);
  if (path != nullptr && language == QueryLanguage::kJsonPath) {
    const std::string text = fields.Text(path_name);
    if (!path->is_string()) return std::nullopt;
    return Template::Query(text, path_name, fields.At(path_name), diagnostics_);
  }
  const Data* const value = fields.Find(form.name);
  if (value == nullptr) return std::nullopt;
  const bool expression = language == QueryLanguage::kJsonata &&
                          value->is_string() &&
                          absl::StartsWith(value->string(), "{%");
  if (expression) {
    return Template::Jsonata(*value, form.name, fields.At(form.name), Plain(),
                             diagnostics_);
  }
  CheckConstant(fields, form, *value);
  return Template::Constant(*value, form.name);
}

void DefinitionParser::CheckConstant(const FieldReader& fields,
                                     const FieldForm& form, const Data& value) {
  switch (form.type) {
    case FieldType::kInteger:
      fields.Integer(form.name, form.range);
      return;
    case FieldType::kPercentage:
      if (!value.is_number()) {
        fields.MistakeAt(form.name, "Expected value of type [NUMBER]");
      } else if (value.number() < 0) {
        fields.MistakeAt(form.name, "Minimum value is 0.0");
      } else if (value.number() > 100) {
        fields.MistakeAt(form.name, "Maximum value is 100.0");
      }
      return;
    case FieldType::kText:
      fields.Text(form.name);
      return;
    case FieldType::kTimestamp:
      break;
  }
  const std::string text = fields.Text(form.name);
  if (value.is_string() && !ParseTimestamp(text)) {
    fields.MistakeAt(form.name, "String does not match RFC3339 timestamp");
  }
}

}  // namespace byoshin::local::stepfunctions::internal
