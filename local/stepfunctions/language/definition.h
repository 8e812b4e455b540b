// A state machine of the Amazon States Language, parsed and checked: paths,
// templates, expressions and rules are compiled.
//
//   ParsedDefinition parsed = ParseDefinition(text, {.compiler = &jsonata});
//   if (!parsed.machine) Refuse(InvalidDefinitionMessage(parsed.errors()));
//   const State* first = parsed.machine->Find(parsed.machine->start_at);
//
// https://states-language.net
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DEFINITION_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/choice.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/retry.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions {

inline constexpr size_t kMaxDefinitionSize = size_t{1024} * 1024;
inline constexpr size_t kMaxStateNameLength = 80;
inline constexpr size_t kMaxLabelLength = 40;
inline constexpr size_t kMaxVariableNameLength = 80;
// Parallel and Map states can be nested this deep.
inline constexpr int kMaxMachineDepth = 100;

enum class QueryLanguage { kJsonPath, kJsonata };

enum class StateType {
  kTask,
  kPass,
  kChoice,
  kWait,
  kSucceed,
  kFail,
  kParallel,
  kMap,
};

// "Task", "Pass", …
absl::string_view NameOf(StateType type);
// "JSONPath" or "JSONata"
absl::string_view NameOf(QueryLanguage language);

struct State;

// The whole, a branch of a Parallel state, or the processor of a Map state.
struct StateMachine {
  QueryLanguage query_language = QueryLanguage::kJsonPath;
  std::string comment;
  std::string version;
  std::optional<int64_t> timeout_seconds;
  std::string start_at;
  // In the order of the definition.
  std::vector<std::unique_ptr<State>> states;

  // Null if there is none.
  const State* Find(absl::string_view name) const;

  // By name; filled by the parser.
  absl::flat_hash_map<std::string, const State*> by_name;
};

// ItemReader and ResultWriter of a distributed Map.
struct ItemReader {
  // arn:aws:states:::s3:getObject or arn:aws:states:::s3:listObjectsV2
  std::string resource;
  // Parameters or Arguments.
  std::optional<Template> arguments;
  // ReaderConfig
  std::string input_type;           // CSV, JSON, JSONL, MANIFEST, PARQUET
  std::string csv_header_location;  // FIRST_ROW, GIVEN
  std::string csv_delimiter;        // COMMA, PIPE, SEMICOLON, SPACE, TAB
  std::vector<std::string> csv_headers;
  std::string manifest_type;   // ATHENA_DATA, S3_INVENTORY
  std::string transformation;  // NONE, LOAD_AND_FLATTEN
  std::string items_pointer;
  std::optional<Template> max_items;
};

struct ResultWriter {
  // Empty if only the output is formatted.
  std::string resource;
  std::optional<Template> arguments;
  std::string transformation;  // NONE, COMPACT, FLATTEN
  std::string output_type;     // JSON, JSONL
};

struct ItemBatcher {
  std::optional<Template> max_items_per_batch;
  std::optional<Template> max_input_bytes_per_batch;
  std::optional<Template> batch_input;
};

// What only Map states have. Each Template is for both forms of a field, such
// as MaxConcurrency and MaxConcurrencyPath.
struct MapFields {
  enum class Mode { kInline, kDistributed };
  Mode mode = Mode::kInline;
  // For kDistributed: STANDARD or EXPRESS.
  std::string execution_type;
  // ItemProcessor or Iterator. Whether it was Iterator: `legacy`.
  StateMachine processor;
  bool legacy = false;
  // ItemsPath or Items. Absent: the whole input.
  std::optional<Template> items;
  // ItemSelector, or Parameters with Iterator.
  std::optional<Template> item_selector;
  std::optional<Template> max_concurrency;
  std::optional<Template> tolerated_failure_count;
  std::optional<Template> tolerated_failure_percentage;
  std::optional<ItemReader> item_reader;
  std::optional<ItemBatcher> item_batcher;
  std::optional<ResultWriter> result_writer;
  std::string label;
};

struct State {
  std::string name;
  StateType type = StateType::kPass;
  QueryLanguage query_language = QueryLanguage::kJsonPath;
  std::string comment;
  // Empty for the last one of its machine (End, Succeed, Fail), and for Choice.
  std::string next;
  // Null if `next` is empty, or if it was parsed as a single state.
  const State* next_state = nullptr;
  bool end = false;

  // JSONPath.
  PathField<Path> input_path;
  PathField<Path> output_path;
  PathField<ReferencePath> result_path;
  std::optional<Template> result_selector;
  // Parameters (JSONPath) or Arguments (JSONata).
  std::optional<Template> arguments;
  // JSONata.
  std::optional<Template> output;
  // Each member is a variable.
  std::optional<Template> assign;

  std::vector<Retrier> retry;
  std::vector<Catcher> catchers;

  // Pass, JSONPath.
  std::optional<Data> result;

  // Task.
  std::string resource;
  std::optional<Template> timeout_seconds;
  std::optional<Template> heartbeat_seconds;
  // Credentials: an object with RoleArn.
  std::optional<Template> credentials;

  // Choice.
  std::vector<ChoiceRule> choices;
  std::string default_state;

  // Wait: one of them.
  std::optional<Template> wait_seconds;
  std::optional<Template> wait_timestamp;

  // Fail.
  std::optional<Template> error;
  std::optional<Template> cause;

  // Parallel.
  std::vector<StateMachine> branches;

  // Map.
  std::unique_ptr<MapFields> map;
};

struct ParseOptions {
  // Null: JSONata is refused.
  ExpressionCompiler* compiler = nullptr;
  // EXPRESS state machines can't wait for callbacks, nor run distributed maps.
  bool express = false;
  // Skips the checks that earlier versions did not make: a definition that was
  // accepted once, and its executions, stay.
  bool stored = false;
};

struct ParsedDefinition {
  // Null if there is an error.
  std::shared_ptr<const StateMachine> machine;
  std::vector<Diagnostic> diagnostics;

  // Those of severity ERROR.
  std::vector<Diagnostic> errors() const;
};

ParsedDefinition ParseDefinition(absl::string_view text,
                                 const ParseOptions& options);

// For TestState: the text of one state. The result has this state only; the
// states that it leads to need not exist.
ParsedDefinition ParseSingleState(absl::string_view text,
                                  absl::string_view name,
                                  const ParseOptions& options);

// The state of this name, also in branches and processors; null if none.
const State* FindAnywhere(const StateMachine& machine, absl::string_view name);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DEFINITION_H_
