// What each type of state has by itself, except Map.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/choice.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/definition_parser.h"
#include "local/stepfunctions/language/evaluation.h"
#include "local/stepfunctions/language/field_reader.h"
#include "local/stepfunctions/language/integrations.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

constexpr absl::string_view kJsonataRuleFields[] = {
    "Condition", "Next", "Assign", "Output", "Comment"};
constexpr absl::string_view kRuleLanguageFields[] = {
    "Condition", "Output", "Variable", "And", "Or", "Not"};

// Where both are constant. Others are compared when the task starts.
void CheckHeartbeat(const FieldReader& fields) {
  const Data* const heartbeat = fields.Find("HeartbeatSeconds");
  const Data* const timeout = fields.Find("TimeoutSeconds");
  if (heartbeat == nullptr || !heartbeat->is_integer() || timeout == nullptr ||
      !timeout->is_integer() || heartbeat->integer() < timeout->integer()) {
    return;
  }
  fields.MistakeAt("HeartbeatSeconds", kHeartbeatTooLong);
}

// arn:aws:states:REGION:ACCOUNT:activity:NAME
bool IsActivity(absl::string_view resource) {
  const std::vector<absl::string_view> parts = absl::StrSplit(resource, ':');
  return parts.size() >= 7 && parts[2] == "states" && parts[5] == "activity";
}

}  // namespace

void DefinitionParser::ParsePass(Reading& reading) {
  if (reading.state.query_language != QueryLanguage::kJsonPath) return;
  const Data* const result = reading.fields.Find("Result");
  if (result != nullptr) reading.state.result = *result;
}

void DefinitionParser::ParseTask(Reading& reading) {
  const FieldReader& fields = reading.fields;
  State& state = reading.state;
  fields.Require({"Resource"});
  state.resource = fields.Text("Resource");
  CheckResource(reading);
  const FieldForm timeout{"TimeoutSeconds", FieldType::kInteger, kTimeoutRange};
  const FieldForm heartbeat{"HeartbeatSeconds", FieldType::kInteger,
                            kTimeoutRange};
  fields.RequireOne({"TimeoutSeconds", "TimeoutSecondsPath"},
                    FieldReader::One::kAtMost);
  fields.RequireOne({"HeartbeatSeconds", "HeartbeatSecondsPath"},
                    FieldReader::One::kAtMost);
  state.timeout_seconds = ParseForms(fields, state.query_language, timeout);
  state.heartbeat_seconds = ParseForms(fields, state.query_language, heartbeat);
  if (!options_.stored) CheckHeartbeat(fields);
  const Data* const credentials = fields.Find("Credentials");
  if (credentials == nullptr) return;
  const FieldReader of_credentials(*credentials, fields.At("Credentials"),
                                   diagnostics_);
  if (!of_credentials.IsObject()) return;
  if (!of_credentials.Has("RoleArn") && !of_credentials.Has("RoleArn.$")) {
    of_credentials.Mistake("The field 'RoleArn' is required but was missing");
  }
  if (IsActivity(state.resource)) {
    of_credentials.Mistake(
        "The field 'Credentials' is not supported for activities");
  }
  state.credentials =
      ParseTemplate(fields, state.query_language, "Credentials", Plain());
}

void DefinitionParser::CheckResource(Reading& reading) {
  const FieldReader& fields = reading.fields;
  const std::string& resource = reading.state.resource;
  if (!fields.Has("Resource")) return;
  if (!absl::StartsWith(resource, "arn:")) {
    fields.MistakeAt("Resource", "Value is not a valid resource ARN");
    return;
  }
  if (!options_.stored && !IsKnownResource(resource)) {
    fields.MistakeAt(
        "Resource",
        absl::StrCat("The resource provided ", resource,
                     " is not recognized. The value is not a valid resource "
                     "ARN, or the resource is not available in this region."));
    return;
  }
  if (!options_.express) return;
  constexpr absl::string_view kUnsupported =
      "Express state machine does not support '";
  if (IsActivity(resource)) {
    fields.MistakeAt("Resource",
                     "Express state machine does not support Activity ARN");
  } else if (absl::EndsWith(resource, ".waitForTaskToken")) {
    fields.MistakeAt(
        "Resource",
        absl::StrCat(kUnsupported, ".waitForTaskToken' service integration"));
  } else if (absl::EndsWith(resource, ".sync") ||
             absl::EndsWith(resource, ".sync:2")) {
    fields.MistakeAt("Resource",
                     absl::StrCat(kUnsupported, ".sync' service integration"));
  }
}

void DefinitionParser::ParseChoice(Reading& reading) {
  const FieldReader& fields = reading.fields;
  fields.Require({"Choices"});
  reading.state.default_state = fields.Text("Default");
  const absl::Span<const Data> rules = fields.Array("Choices");
  const Data* const choices = fields.Find("Choices");
  if (choices != nullptr && choices->is_array() && rules.empty()) {
    fields.MistakeAt("Choices", "Value cannot be empty");
  }
  for (size_t i = 0; i < rules.size(); ++i) {
    reading.state.choices.push_back(ParseRule(reading, i));
  }
}

ChoiceRule DefinitionParser::ParseRule(Reading& reading, size_t index) {
  const QueryLanguage language = reading.state.query_language;
  const Data& source = reading.fields.Find("Choices")->elements()[index];
  const std::string name = absl::StrCat("Choices[", index, "]");
  const FieldReader fields(source, reading.fields.At(name), diagnostics_);
  ChoiceRule rule;
  if (!fields.IsObject()) return rule;
  CheckLanguage(fields, language, kRuleLanguageFields);
  fields.Require({"Next"});
  rule.next = fields.Text("Next");
  const std::string prefix = absl::StrCat(name, "/");
  rule.assign = ParseAssign(fields, language, Plain(), prefix);
  if (language == QueryLanguage::kJsonPath) {
    rule.condition = Condition::Parse(source, fields.location(), diagnostics_);
    return rule;
  }
  fields.AllowOnly(kJsonataRuleFields);
  fields.Require({"Condition"});
  rule.expression =
      ParseTemplate(fields, language, "Condition", Plain(), prefix);
  rule.output = ParseTemplate(fields, language, "Output", Plain(), prefix);
  return rule;
}

void DefinitionParser::ParseWait(Reading& reading) {
  const FieldReader& fields = reading.fields;
  State& state = reading.state;
  fields.RequireOne({"SecondsPath", "Seconds", "TimestampPath", "Timestamp"},
                    FieldReader::One::kExactly);
  state.wait_seconds = ParseForms(fields, state.query_language,
                                  {"Seconds", FieldType::kInteger});
  state.wait_timestamp = ParseForms(fields, state.query_language,
                                    {"Timestamp", FieldType::kTimestamp});
}

void DefinitionParser::ParseFail(Reading& reading) {
  const FieldReader& fields = reading.fields;
  State& state = reading.state;
  fields.RequireOne({"Error", "ErrorPath"}, FieldReader::One::kAtMost);
  fields.RequireOne({"Cause", "CausePath"}, FieldReader::One::kAtMost);
  state.error =
      ParseForms(fields, state.query_language, {"Error", FieldType::kText});
  state.cause =
      ParseForms(fields, state.query_language, {"Cause", FieldType::kText});
}

void DefinitionParser::ParseParallel(Reading& reading) {
  const FieldReader& fields = reading.fields;
  fields.Require({"Branches"});
  const absl::Span<const Data> branches = fields.Array("Branches");
  const Data* const source = fields.Find("Branches");
  if (source != nullptr && source->is_array() && branches.empty()) {
    fields.MistakeAt("Branches", "Value cannot be empty");
  }
  for (size_t i = 0; i < branches.size(); ++i) {
    reading.state.branches.push_back(
        ParseMachine(branches[i], fields.At(absl::StrCat("Branches[", i, "]")),
                     MachineKind::kBranch, reading.depth + 1));
  }
}

}  // namespace byoshin::local::stepfunctions::internal
