#include "local/stepfunctions/language/definition.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition_parser.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions {

absl::string_view NameOf(StateType type) {
  switch (type) {
    case StateType::kTask:
      return "Task";
    case StateType::kPass:
      return "Pass";
    case StateType::kChoice:
      return "Choice";
    case StateType::kWait:
      return "Wait";
    case StateType::kSucceed:
      return "Succeed";
    case StateType::kFail:
      return "Fail";
    case StateType::kParallel:
      return "Parallel";
    case StateType::kMap:
      break;
  }
  return "Map";
}

absl::string_view NameOf(QueryLanguage language) {
  return language == QueryLanguage::kJsonPath ? "JSONPath" : "JSONata";
}

const State* StateMachine::Find(absl::string_view name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::vector<Diagnostic> ParsedDefinition::errors() const {
  std::vector<Diagnostic> errors;
  std::copy_if(diagnostics.begin(), diagnostics.end(),
               std::back_inserter(errors), [](const Diagnostic& diagnostic) {
                 return diagnostic.severity == Diagnostic::Severity::kError;
               });
  return errors;
}

namespace {

ParsedDefinition Refused(const Diagnostics& diagnostics) {
  return {nullptr, diagnostics.list()};
}

// Null, and a diagnostic, if `text` is not JSON.
absl::StatusOr<Data> ParseText(absl::string_view text,
                               Diagnostics& diagnostics) {
  if (text.size() > kMaxDefinitionSize) {
    diagnostics.Error(kInvalidJson,
                      absl::StrCat("The definition is longer than ",
                                   kMaxDefinitionSize, " bytes"),
                      "");
    return absl::InvalidArgumentError("too long");
  }
  absl::StatusOr<Data> source = Data::Parse(text);
  if (!source.ok()) {
    diagnostics.Error(kInvalidJson, source.status().message(), "");
  }
  return source;
}

}  // namespace

ParsedDefinition ParseDefinition(absl::string_view text,
                                 const ParseOptions& options) {
  Diagnostics diagnostics;
  const absl::StatusOr<Data> source = ParseText(text, diagnostics);
  if (!source.ok()) return Refused(diagnostics);
  auto machine = std::make_shared<StateMachine>(
      internal::DefinitionParser(options, diagnostics).ParseWhole(*source));
  if (diagnostics.has_error()) return Refused(diagnostics);
  internal::CheckVariables(*source, diagnostics);
  internal::CheckTransitions(*machine, "", diagnostics);
  if (diagnostics.has_error()) return Refused(diagnostics);
  internal::ResolveTransitions(*machine);
  return {std::move(machine), diagnostics.list()};
}

ParsedDefinition ParseSingleState(absl::string_view text,
                                  absl::string_view name,
                                  const ParseOptions& options) {
  Diagnostics diagnostics;
  const absl::StatusOr<Data> source = ParseText(text, diagnostics);
  if (!source.ok()) return Refused(diagnostics);
  internal::DefinitionParser parser(options, diagnostics);
  parser.SetLanguage(*source);
  std::unique_ptr<State> state =
      parser.ParseState(*source, name, absl::StrCat("/States/", name), 0);
  if (diagnostics.has_error()) return Refused(diagnostics);
  auto machine = std::make_shared<StateMachine>();
  machine->query_language = state->query_language;
  machine->start_at = std::string(name);
  machine->by_name.emplace(state->name, state.get());
  machine->states.push_back(std::move(state));
  internal::ResolveTransitions(*machine);
  return {std::move(machine), diagnostics.list()};
}

const State* FindAnywhere(const StateMachine& machine, absl::string_view name) {
  if (const State* const state = machine.Find(name)) return state;
  for (const auto& state : machine.states) {
    for (const StateMachine& branch : state->branches) {
      if (const State* const found = FindAnywhere(branch, name)) return found;
    }
    if (state->map == nullptr) continue;
    if (const State* const found = FindAnywhere(state->map->processor, name)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace byoshin::local::stepfunctions
