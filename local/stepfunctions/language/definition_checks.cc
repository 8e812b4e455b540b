// What can only be checked once all states are known.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/definition_parser.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

constexpr char kDuplicateVariableName[] = "DUPLICATE_VARIABLE_NAME";

struct Transition {
  std::string target;
  // Where it stands.
  std::string location;
};

std::vector<Transition> TransitionsOf(const State& state,
                                      const std::string& location) {
  std::vector<Transition> transitions;
  const auto add = [&](const std::string& target, absl::string_view field) {
    if (target.empty()) return;
    transitions.push_back({target, absl::StrCat(location, "/", field)});
  };
  add(state.next, "Next");
  for (size_t i = 0; i < state.choices.size(); ++i) {
    add(state.choices[i].next, absl::StrCat("Choices[", i, "]/Next"));
  }
  add(state.default_state, "Default");
  for (size_t i = 0; i < state.catchers.size(); ++i) {
    add(state.catchers[i].next, absl::StrCat("Catch[", i, "]/Next"));
  }
  return transitions;
}

bool IsTerminal(const State& state) {
  return state.end || state.type == StateType::kSucceed ||
         state.type == StateType::kFail;
}

void MissingTarget(const Transition& transition, Diagnostics& diagnostics) {
  // AWS says 'Next' wherever the target stands.
  diagnostics.Error(kMissingTransitionTarget,
                    absl::StrCat("Missing 'Next' target: ", transition.target),
                    transition.location);
}

void CheckReachable(const StateMachine& machine, const std::string& location,
                    Diagnostics& diagnostics) {
  absl::flat_hash_set<const State*> reached;
  std::vector<const State*> pending = {machine.Find(machine.start_at)};
  while (!pending.empty()) {
    const State* const state = pending.back();
    pending.pop_back();
    if (state == nullptr || !reached.insert(state).second) continue;
    for (const Transition& transition : TransitionsOf(*state, "")) {
      pending.push_back(machine.Find(transition.target));
    }
  }
  for (const auto& state : machine.states) {
    if (reached.contains(state.get())) continue;
    diagnostics.Error(
        kMissingTransitionTarget,
        absl::StrCat("State \"", state->name, "\" is not reachable."),
        absl::StrCat(location, "/States/", state->name));
  }
}

// Each name that an Assign of `state` sets, and where.
template <typename Visit>
void ForEachAssigned(const Data& state, const std::string& location,
                     Visit visit) {
  const auto names = [&](const Data& holder, const std::string& at) {
    const Data* const assign = holder.Find("Assign");
    if (assign == nullptr) return;
    for (const Data::Member& member : assign->members()) {
      absl::string_view name = member.name();
      absl::ConsumeSuffix(&name, ".$");
      visit(std::string(name), absl::StrCat(at, "/Assign/", member.name()));
    }
  };
  names(state, location);
  for (const absl::string_view field : {"Choices", "Catch"}) {
    const Data* const entries = state.Find(field);
    if (entries == nullptr) continue;
    for (size_t i = 0; i < entries->elements().size(); ++i) {
      names(entries->elements()[i],
            absl::StrCat(location, "/", field, "[", i, "]"));
    }
  }
}

void CheckVariablesOf(const Data& machine, const std::string& location,
                      const absl::flat_hash_set<std::string>& outer,
                      Diagnostics& diagnostics) {
  const Data* const states = machine.Find("States");
  if (states == nullptr) return;
  absl::flat_hash_set<std::string> visible = outer;
  const auto at = [&](const Data::Member& member) {
    return absl::StrCat(location, "/States/", member.name());
  };
  for (const Data::Member& member : states->members()) {
    ForEachAssigned(
        member.value, at(member),
        [&](const std::string& name, const std::string& where) {
          visible.insert(name);
          if (!outer.contains(name)) return;
          diagnostics.Error(
              kDuplicateVariableName,
              absl::StrCat("The variable name '", name,
                           "' was already defined in a parent scope."),
              where);
        });
  }
  for (const Data::Member& member : states->members()) {
    for (const absl::string_view field : {"ItemProcessor", "Iterator"}) {
      const Data* const inner = member.value.Find(field);
      if (inner == nullptr) continue;
      CheckVariablesOf(*inner, absl::StrCat(at(member), "/", field), visible,
                       diagnostics);
    }
    const Data* const branches = member.value.Find("Branches");
    if (branches == nullptr) continue;
    for (size_t i = 0; i < branches->elements().size(); ++i) {
      CheckVariablesOf(branches->elements()[i],
                       absl::StrCat(at(member), "/Branches[", i, "]"), visible,
                       diagnostics);
    }
  }
}

}  // namespace

void CheckTransitions(const StateMachine& machine, const std::string& location,
                      Diagnostics& diagnostics) {
  if (machine.Find(machine.start_at) == nullptr) {
    MissingTarget({machine.start_at, absl::StrCat(location, "/StartAt")},
                  diagnostics);
  }
  for (const auto& state : machine.states) {
    const std::string at = absl::StrCat(location, "/States/", state->name);
    for (const Transition& transition : TransitionsOf(*state, at)) {
      if (machine.Find(transition.target) == nullptr) {
        MissingTarget(transition, diagnostics);
      }
    }
    for (size_t i = 0; i < state->branches.size(); ++i) {
      CheckTransitions(state->branches[i],
                       absl::StrCat(at, "/Branches[", i, "]"), diagnostics);
    }
    if (state->map != nullptr) {
      CheckTransitions(
          state->map->processor,
          absl::StrCat(at, state->map->legacy ? "/Iterator" : "/ItemProcessor"),
          diagnostics);
    }
  }
  // Only the whole needs an end. Without one, AWS does not look further.
  const bool whole = location.empty();
  if (whole &&
      std::none_of(machine.states.begin(), machine.states.end(),
                   [](const auto& state) { return IsTerminal(*state); })) {
    diagnostics.Error(kMissingEndState, "Workflow has no terminal state", "");
    return;
  }
  CheckReachable(machine, location, diagnostics);
}

void ResolveTransitions(StateMachine& machine) {
  for (const auto& state : machine.states) {
    state->next_state = machine.Find(state->next);
    for (StateMachine& branch : state->branches) ResolveTransitions(branch);
    if (state->map != nullptr) ResolveTransitions(state->map->processor);
  }
}

void CheckVariables(const Data& machine, Diagnostics& diagnostics) {
  CheckVariablesOf(machine, "", {}, diagnostics);
}

}  // namespace byoshin::local::stepfunctions::internal
