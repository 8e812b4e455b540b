// The parts of the parser of definitions. Only for definition*.cc.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DEFINITION_PARSER_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DEFINITION_PARSER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/field_reader.h"

namespace byoshin::local::stepfunctions::internal {

inline constexpr IntegerRange kAnySeconds = {0, 99'999'999};
inline constexpr IntegerRange kTimeoutRange = {1, 99'999'999};

// The fields that a state of this type can have.
absl::Span<const absl::string_view> FieldsOf(StateType type);
std::optional<StateType> TypeNamed(absl::string_view name);

// Says which of the fields that are there and in `allowed` are for the other
// query language.
void CheckLanguage(const FieldReader& fields, QueryLanguage language,
                   absl::Span<const absl::string_view> allowed);

class DefinitionParser {
 public:
  DefinitionParser(const ParseOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  StateMachine ParseWhole(const Data& source);
  std::unique_ptr<State> ParseState(const Data& source, absl::string_view name,
                                    const std::string& location, int depth);
  // Of a state that stands alone.
  void SetLanguage(const Data& state);

 private:
  // A state that is being read.
  struct Reading {
    const FieldReader& fields;
    State& state;
    int depth;
  };

  enum class MachineKind { kWhole, kBranch, kProcessor };
  StateMachine ParseMachine(const Data& source, const std::string& location,
                            MachineKind kind, int depth);
  QueryLanguage ParseLanguage(const FieldReader& fields) const;

  // Fields that several types have.
  void ParseCommon(Reading& reading);
  void ParseDataFlow(Reading& reading);
  void ParseTransition(Reading& reading);
  void ParseRetry(Reading& reading);
  void ParseCatch(Reading& reading);
  std::vector<std::string> ParseErrorEquals(const FieldReader& fields,
                                            bool last) const;

  // Fields of one type.
  void ParsePass(Reading& reading);
  void ParseTask(Reading& reading);
  void ParseChoice(Reading& reading);
  ChoiceRule ParseRule(Reading& reading, size_t index);
  void ParseWait(Reading& reading);
  void ParseFail(Reading& reading);
  void ParseParallel(Reading& reading);
  void ParseMap(Reading& reading);
  void ParseProcessor(Reading& reading, MapFields& map);
  void ParseProcessorConfig(const FieldReader& config, MapFields& map);
  void ParseLabel(Reading& reading, MapFields& map);
  std::optional<ItemReader> ParseItemReader(Reading& reading);
  void ParseReaderConfig(const FieldReader& config, QueryLanguage language,
                         ItemReader& reader);
  std::optional<ItemBatcher> ParseItemBatcher(Reading& reading);
  std::optional<ResultWriter> ParseResultWriter(Reading& reading);
  void CheckResource(Reading& reading);

  // A field in one of its forms: `name`, a constant or an {% expression %}, or
  // `name`Path in JSONPath.
  enum class FieldType { kInteger, kPercentage, kText, kTimestamp };
  struct FieldForm {
    absl::string_view name;
    FieldType type;
    IntegerRange range = kAnySeconds;
  };
  std::optional<Template> ParseForms(const FieldReader& fields,
                                     QueryLanguage language,
                                     const FieldForm& form);
  void CheckConstant(const FieldReader& fields, const FieldForm& form,
                     const Data& value);

  // A template of the state's language. `prefix` is for errors, such as
  // Catch[0]/.
  std::optional<Template> ParseTemplate(const FieldReader& fields,
                                        QueryLanguage language,
                                        absl::string_view name,
                                        const ExpressionContext& context,
                                        absl::string_view prefix = "");
  std::optional<Template> ParseAssign(const FieldReader& fields,
                                      QueryLanguage language,
                                      const ExpressionContext& context,
                                      absl::string_view prefix = "");
  template <typename PathType>
  PathField<PathType> ParsePath(const FieldReader& fields,
                                absl::string_view name);
  ExpressionContext Plain() const;
  ExpressionContext WithResult(StateType type) const;
  ExpressionContext WithErrorOutput() const;

  const ParseOptions& options_;
  Diagnostics& diagnostics_;
  QueryLanguage machine_language_ = QueryLanguage::kJsonPath;
  absl::flat_hash_set<std::string> state_names_;
  absl::flat_hash_set<std::string> labels_;
};

// Resolves transitions, and finds targets that are missing, states that can't
// be reached, and a whole that has no end.
void CheckTransitions(const StateMachine& machine, const std::string& location,
                      Diagnostics& diagnostics);
void ResolveTransitions(StateMachine& machine);

// Finds variables of inner machines that an outer one has.
void CheckVariables(const Data& machine, Diagnostics& diagnostics);

}  // namespace byoshin::local::stepfunctions::internal

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DEFINITION_PARSER_H_
