#include "local/stepfunctions/language/definition.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

ParsedDefinition Parse(absl::string_view text, bool express = false) {
  static EchoCompiler& compiler = *new EchoCompiler;
  return ParseDefinition(text, {&compiler, express});
}

// "" if it is accepted, otherwise the code, message and location of each error.
std::string Mistakes(absl::string_view text, bool express = false) {
  std::string mistakes;
  for (const Diagnostic& error : Parse(text, express).errors()) {
    absl::StrAppend(&mistakes, mistakes.empty() ? "" : "\n", error.code, ": ",
                    error.message, " at ", error.location);
  }
  return mistakes;
}

// A machine of one state S with `fields`.
std::string OneState(absl::string_view fields, absl::string_view top = "") {
  return absl::StrCat("{", top, R"("StartAt":"S","States":{"S":{)", fields,
                      "}}}");
}

// The mistakes of a state, without the code if it is the usual one.
std::string OfState(absl::string_view fields, absl::string_view top = "") {
  return absl::StrReplaceAll(Mistakes(OneState(fields, top)),
                             {{"SCHEMA_VALIDATION_FAILED: ", ""}});
}

constexpr absl::string_view kJsonata = R"("QueryLanguage":"JSONata",)";
constexpr absl::string_view kPass =
    R"("StartAt":"P","States":{"P":{"Type":"Pass","End":true}})";

TEST(Definition, KeepsWhatIsWritten) {
  const ParsedDefinition parsed = Parse(R"({
    "Comment": "c", "Version": "1.0", "TimeoutSeconds": 60, "StartAt": "T",
    "States": {
      "T": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
            "InputPath": null, "ResultPath": "$.r", "TimeoutSeconds": 5,
            "Retry": [{"ErrorEquals": ["A"], "MaxAttempts": 0,
                       "JitterStrategy": "FULL", "MaxDelaySeconds": 9}],
            "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "F",
                       "ResultPath": null}],
            "Next": "F"},
      "F": {"Type": "Fail", "Error": "E", "CausePath": "$.c"}
    }})");
  ASSERT_NE(parsed.machine, nullptr);
  EXPECT_EQ(parsed.machine->comment, "c");
  EXPECT_EQ(parsed.machine->timeout_seconds, 60);
  const State* const task = parsed.machine->Find("T");
  ASSERT_NE(task, nullptr);
  EXPECT_EQ(task->type, StateType::kTask);
  EXPECT_EQ(task->next_state, parsed.machine->Find("F"));
  EXPECT_EQ(task->input_path.kind, PathField<Path>::Kind::kNull);
  EXPECT_EQ(task->output_path.kind, PathField<Path>::Kind::kAbsent);
  EXPECT_EQ(task->result_path.path->text(), "$.r");
  ASSERT_EQ(task->retry.size(), 1);
  EXPECT_EQ(task->retry[0].max_attempts, 0);
  EXPECT_EQ(task->retry[0].jitter, Retrier::Jitter::kFull);
  EXPECT_EQ(task->retry[0].max_delay_seconds, 9);
  ASSERT_EQ(task->catchers.size(), 1);
  EXPECT_EQ(task->catchers[0].result_path.kind,
            PathField<ReferencePath>::Kind::kNull);
  EXPECT_EQ(parsed.machine->Find("F")->cause->field(), "CausePath");
  EXPECT_EQ(parsed.machine->Find("X"), nullptr);
}

TEST(Definition, KeepsBranchesAndProcessors) {
  const ParsedDefinition parsed = Parse(absl::StrCat(R"({
    "StartAt": "A",
    "States": {
      "A": {"Type": "Parallel", "Next": "M", "Branches": [{)",
                                                     kPass, R"(}]},
      "M": {"Type": "Map", "End": true, "Label": "l",
            "ItemsPath": "$.xs", "ItemSelector": {"x.$": "$$.Map.Item.Value"},
            "MaxConcurrencyPath": "$.n", "ToleratedFailurePercentage": 12.5,
            "ItemReader": {"Resource": "arn:aws:states:::s3:getObject",
                           "ReaderConfig": {"InputType": "CSV",
                                            "CSVHeaderLocation": "FIRST_ROW",
                                            "MaxItems": 7},
                           "Parameters": {"Bucket": "b"}},
            "ItemBatcher": {"MaxItemsPerBatch": 3, "BatchInput": {"k": 1}},
            "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject",
                             "Parameters": {"Bucket": "b"}},
            "ItemProcessor": {
              "ProcessorConfig": {"Mode": "DISTRIBUTED",
                                  "ExecutionType": "EXPRESS"},
              "StartAt": "Q", "States": {"Q": {"Type": "Succeed"}}}}
    }})"));
  ASSERT_NE(parsed.machine, nullptr);
  const State* const parallel = parsed.machine->Find("A");
  ASSERT_EQ(parallel->branches.size(), 1);
  EXPECT_EQ(parallel->branches[0].start_at, "P");
  const MapFields& map = *parsed.machine->Find("M")->map;
  EXPECT_EQ(map.mode, MapFields::Mode::kDistributed);
  EXPECT_EQ(map.execution_type, "EXPRESS");
  EXPECT_EQ(map.label, "l");
  EXPECT_EQ(map.items->query_text(), "$.xs");
  EXPECT_EQ(map.max_concurrency->field(), "MaxConcurrencyPath");
  EXPECT_TRUE(map.item_selector.has_value());
  EXPECT_EQ(map.item_reader->input_type, "CSV");
  EXPECT_TRUE(map.item_reader->max_items->constant());
  EXPECT_TRUE(map.item_batcher->batch_input.has_value());
  EXPECT_EQ(map.result_writer->resource, "arn:aws:states:::s3:putObject");
  EXPECT_EQ(FindAnywhere(*parsed.machine, "Q")->type, StateType::kSucceed);
  EXPECT_EQ(FindAnywhere(*parsed.machine, "P")->type, StateType::kPass);
  EXPECT_EQ(FindAnywhere(*parsed.machine, "none"), nullptr);
}

TEST(Definition, RefusesWhatIsNotJson) {
  EXPECT_EQ(Mistakes("{"),
            "INVALID_JSON_DESCRIPTION: line 1, column 2: expected a member's "
            "name at ");
  EXPECT_EQ(Mistakes("[]"),
            "SCHEMA_VALIDATION_FAILED: Expected value of type [OBJECT] at /");
  EXPECT_EQ(Mistakes(std::string(kMaxDefinitionSize + 1, ' ')),
            "INVALID_JSON_DESCRIPTION: The definition is longer than 1048576 "
            "bytes at ");
}

TEST(Definition, NeedsItsFields) {
  EXPECT_EQ(Mistakes(R"({"StartAt":"A"})"),
            "SCHEMA_VALIDATION_FAILED: These fields are required: [States] at "
            "/");
  EXPECT_EQ(OfState(""), "These fields are required: [Type] at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Task","End":true)"),
            "These fields are required: [Resource] at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Pass")"),
            "This object should have only one of the following fields: [Next, "
            "End] at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Choice")"),
            "These fields are required: [Choices] at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Parallel","End":true,"Branches":[])"),
            "Value cannot be empty at /States/S/Branches");
  EXPECT_EQ(OfState(R"("Type":"Map","End":true)"),
            "This object should have only one of the following fields: "
            "[ItemProcessor, Iterator] at /States/S");
}

TEST(Definition, RefusesFieldsThatATypeDoesNotHave) {
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"Catch":[])"),
            "Field 'Catch' is not supported at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Wait","Seconds":1,"End":true,"Retry":[])"),
            "Field 'Retry' is not supported at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Succeed","TimeoutSeconds":1)"),
            "Field 'TimeoutSeconds' is not supported at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true)", R"("Coment":"c",)"),
            "Field 'Coment' is not supported at /");
  for (const absl::string_view unknown : {"Sleep", ""}) {
    EXPECT_EQ(OfState(absl::StrCat(R"("Type":")", unknown, R"(")")),
              "The field 'Type' should have one of these values: [Task, Wait, "
              "Pass, Succeed, Fail, Choice, Parallel, Map] at /States/S/Type");
  }
}

TEST(Definition, RefusesFieldsOfTheOtherQueryLanguage) {
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"Output":1)"),
            "The QueryLanguage is set to 'JSONPath', but field 'Output' is "
            "only supported for the 'JSONata' QueryLanguage at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"InputPath":"$")", kJsonata),
            "The QueryLanguage is set to 'JSONata', but field 'InputPath' is "
            "only supported for the 'JSONPath' QueryLanguage at /States/S");
  EXPECT_EQ(
      OfState(R"("Type":"Pass","End":true,"QueryLanguage":"JSONPath",
                 "Output":1)",
              kJsonata),
      "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole "
      "state machine at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"QueryLanguage":"jsonata",
                       "Output":1)"),
            "Value should be one of the following: [JSONPath, JSONata] at "
            "/States/S/QueryLanguage");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"QueryLanguage":"JSONata",
                       "Output":"{% $states.input %}")"),
            "");
}

TEST(Definition, DoesNotHandALanguageDownToInnerStates) {
  EXPECT_EQ(OfState(R"("Type":"Parallel","End":true,"QueryLanguage":"JSONata",
                       "Branches":[{"StartAt":"P","States":{"P":
                         {"Type":"Pass","Output":1,"End":true}}}])"),
            "The QueryLanguage is set to 'JSONPath', but field 'Output' is "
            "only supported for the 'JSONata' QueryLanguage at "
            "/States/S/Branches[0]/States/P");
  EXPECT_EQ(
      OfState(absl::StrCat(
          R"("Type":"Map","End":true,"Iterator":{"QueryLanguage":"JSONata",)",
          kPass, "}")),
      "Field 'QueryLanguage' is not supported at /States/S/Iterator");
}

TEST(Definition, FindsMissingTargets) {
  EXPECT_EQ(Mistakes(R"({"StartAt":"A","States":{
                         "A":{"Type":"Pass","Next":"NOPE"}}})"),
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: NOPE at "
            "/States/A/Next\n"
            "MISSING_END_STATE: Workflow has no terminal state at ");
  EXPECT_EQ(Mistakes(R"({"StartAt":"C","States":{
      "C":{"Type":"Choice","Default":"D1","Choices":[
           {"Variable":"$.x","IsNull":true,"Next":"D2"},
           {"Variable":"$.x","IsNull":true,"Next":"T"}]},
      "T":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
           "Catch":[{"ErrorEquals":["A"],"Next":"D3"}],"End":true}}})"),
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: D2 at "
            "/States/C/Choices[0]/Next\n"
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: D1 at "
            "/States/C/Default\n"
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: D3 at "
            "/States/T/Catch[0]/Next");
  EXPECT_EQ(Mistakes(R"({"StartAt":"X","States":{
                         "A":{"Type":"Pass","End":true}}})"),
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: X at /StartAt\n"
            "MISSING_TRANSITION_TARGET: State \"A\" is not reachable. at "
            "/States/A");
}

TEST(Definition, NeedsATerminalStateAtTheTop) {
  const std::string loop =
      R"("StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},
                                 "B":{"Type":"Pass","Next":"A"}})";
  EXPECT_EQ(Mistakes(absl::StrCat("{", loop, "}")),
            "MISSING_END_STATE: Workflow has no terminal state at ");
  EXPECT_EQ(
      InvalidDefinitionMessage(Parse(absl::StrCat("{", loop, "}")).errors()),
      "Invalid State Machine Definition: 'MISSING_END_STATE: Workflow "
      "has no terminal state at null'");
  EXPECT_EQ(OfState(absl::StrCat(R"("Type":"Map","End":true,"ItemProcessor":{)",
                                 loop, "}")),
            "");
}

TEST(Definition, FindsStatesThatCannotBeReached) {
  EXPECT_EQ(Mistakes(R"({"StartAt":"A","States":{
      "A":{"Type":"Pass","End":true},"a/b":{"Type":"Pass","End":true}}})"),
            "MISSING_TRANSITION_TARGET: State \"a/b\" is not reachable. at "
            "/States/a/b");
  EXPECT_EQ(Mistakes(R"({"StartAt":"P","States":{"P":{"Type":"Parallel",
      "End":true,"Branches":[{"StartAt":"W","States":{
        "W":{"Type":"Succeed"},"G":{"Type":"Succeed"}}}]}}})"),
            "MISSING_TRANSITION_TARGET: State \"G\" is not reachable. at "
            "/States/P/Branches[0]/States/G");
}

TEST(Definition, ChecksNumbers) {
  const std::string task =
      R"("Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true)";
  EXPECT_EQ(OfState(absl::StrCat(task, R"(,"TimeoutSeconds":0)")),
            "Minimum value is 1 at /States/S/TimeoutSeconds");
  EXPECT_EQ(OfState(absl::StrCat(task, R"(,"TimeoutSeconds":100000000)")),
            "Maximum value is 99999999 at /States/S/TimeoutSeconds");
  EXPECT_EQ(OfState(absl::StrCat(task, R"(,"HeartbeatSeconds":"5")")),
            "Expected value of type Integer at /States/S/HeartbeatSeconds");
  EXPECT_EQ(OfState(absl::StrCat(
                task, R"(,"HeartbeatSeconds":5,"TimeoutSeconds":5)")),
            "HeartbeatSeconds must be less than TimeoutSeconds. at "
            "/States/S/HeartbeatSeconds");
  EXPECT_EQ(OfState(absl::StrCat(
                task, R"(,"HeartbeatSeconds":4,"TimeoutSeconds":5)")),
            "");
  EXPECT_EQ(OfState(absl::StrCat(
                task, R"(,"TimeoutSeconds":1,"TimeoutSecondsPath":"$.t")")),
            "There should only be one of the following fields: "
            "[TimeoutSeconds, TimeoutSecondsPath] at /States/S");
  EXPECT_EQ(OfState(absl::StrCat(
                task, R"(,"Retry":[{"ErrorEquals":["A"],"BackoffRate":0.5}])")),
            "Minimum value is 1.0 at /States/S/Retry[0]/BackoffRate");
  EXPECT_EQ(OfState(absl::StrCat(
                R"("Type":"Map","End":true,"MaxConcurrency":-1,"Iterator":{)",
                kPass, "}")),
            "Minimum value is 0 at /States/S/MaxConcurrency");
  EXPECT_EQ(OfState(absl::StrCat(
                R"("Type":"Map","End":true,"ToleratedFailurePercentage":101,)",
                R"("Iterator":{)", kPass, "}")),
            "Maximum value is 100.0 at /States/S/ToleratedFailurePercentage");
}

TEST(Definition, ChecksRetryAndCatch) {
  const std::string task =
      R"("Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","End":true,)";
  EXPECT_EQ(OfState(absl::StrCat(task, R"("Retry":[{}])")),
            "These fields are required: [ErrorEquals] at /States/S/Retry[0]");
  EXPECT_EQ(OfState(absl::StrCat(task, R"("Retry":[{"ErrorEquals":[]}])")),
            "Value cannot be empty at /States/S/Retry[0]/ErrorEquals");
  EXPECT_EQ(
      OfState(absl::StrCat(task, R"("Retry":[{"ErrorEquals":["States.ALL"]},
                                  {"ErrorEquals":["A"]}])")),
      "States.ALL must appear alone and at end of list at "
      "/States/S/Retry[0]/ErrorEquals");
  EXPECT_EQ(
      OfState(absl::StrCat(task, R"("Catch":[{"ErrorEquals":["A","States.ALL"],
                                   "Next":"S"}])")),
      "States.ALL must appear alone and at end of list at "
      "/States/S/Catch[0]/ErrorEquals");
  EXPECT_EQ(OfState(absl::StrCat(task, R"("Retry":[{"ErrorEquals":["A"],
                                   "JitterStrategy":"SOME"}])")),
            "Value should be one of the following: [NONE, FULL] at "
            "/States/S/Retry[0]/JitterStrategy");
}

TEST(Definition, ChecksWaitsAndPaths) {
  EXPECT_EQ(OfState(R"("Type":"Wait","End":true,"Seconds":1,
                       "Timestamp":"2024-01-01T00:00:00Z")"),
            "There should only be one of the following fields: [SecondsPath, "
            "Seconds, TimestampPath, Timestamp] at /States/S");
  EXPECT_EQ(OfState(R"("Type":"Wait","End":true,
                       "Timestamp":"2016-12-05T21:29:29")"),
            "String does not match RFC3339 timestamp at /States/S/Timestamp");
  EXPECT_EQ(
      OfState(R"("Type":"Wait","End":true,"Seconds":"{% $n %}")", kJsonata),
      "");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"InputPath":"a")"),
            "Value must be a valid JSONPath. at /States/S/InputPath");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"ResultPath":"$.a[*]")"),
            "Value is not a Reference Path at /States/S/ResultPath");
}

TEST(Definition, ChecksTasks) {
  EXPECT_EQ(OfState(R"("Type":"Task","Resource":"f","End":true)"),
            "Value is not a valid resource ARN at /States/S/Resource");
  EXPECT_EQ(OfState(R"("Type":"Task","End":true,"Credentials":{"A":"b"},
                       "Resource":"arn:aws:states:::sqs:sendMessage")"),
            "The field 'RoleArn' is required but was missing at "
            "/States/S/Credentials");
  const std::string callback = OneState(
      R"("Type":"Task","End":true,
         "Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken")");
  EXPECT_EQ(Mistakes(callback), "");
  EXPECT_EQ(Mistakes(callback, /*express=*/true),
            "SCHEMA_VALIDATION_FAILED: Express state machine does not support "
            "'.waitForTaskToken' service integration at /States/S/Resource");
}

TEST(Definition, KnowsTheActionsAndPatternsOfOptimizedIntegrations) {
  const auto mistake = [](absl::string_view resource) {
    return OfState(absl::StrCat(R"("Type":"Task","End":true,"Resource":")",
                                resource, R"(")"));
  };
  for (const absl::string_view unknown :
       {"arn:aws:states:::dynamodb:query",
        "arn:aws:states:::s3:getObject",
        "arn:aws:states:::lambda:invok",
        "arn:aws:states:::lambda",
        "arn:aws:states:::",
        "arn:aws:states:::sqs:",
        "arn:aws:states:::sqs:receiveMessage.waitForTaskToken",
        "arn:aws:states:::lambda:invoke.sync",
        "arn:aws:states:::lambda:invoke:2",
        "arn:aws:states:::dynamodb:getItem.sync",
        "arn:aws:states:::dynamodb:getItem.waitForTaskToken",
        "arn:aws:states:::sqs:sendMessage.sync",
        "arn:aws:states:::sqs:sendMessage.foo",
        "arn:aws:states:::sqs:sendMessage.",
        "arn:aws:states:::events:putEvents.sync",
        "arn:aws:states:::states:startExecution.sync:3",
        "arn:aws:states:::states:startExecution.sync.waitForTaskToken",
        "arn:aws:states:::glue:startJobRun.sync:2",
        "arn:aws:states:::glue:startJobRun.waitForTaskToken",
        "arn:aws:states:::athena:getQueryResults.sync"}) {
    EXPECT_EQ(
        mistake(unknown),
        absl::StrCat("The resource provided ", unknown,
                     " is not recognized. The value is not a valid resource "
                     "ARN, or the resource is not available in this region. at "
                     "/States/S/Resource"));
  }
  for (const absl::string_view known :
       {"arn:aws:states:::dynamodb:getItem",
        "arn:aws:states:::aws-sdk:dynamodb:query",
        "arn:aws:states:::states:startExecution.sync",
        "arn:aws:states:::states:startExecution.sync:2",
        "arn:aws:states:::states:startExecution.waitForTaskToken",
        "arn:aws:states:::apigateway:invoke.waitForTaskToken",
        "arn:aws:states:::events:putEvents.waitForTaskToken",
        "arn:aws:states:::lambda:invoke.waitForTaskToken",
        "arn:aws:states:::sns:publish.waitForTaskToken",
        "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "arn:aws:states:::glue:startJobRun.sync",
        "arn:aws:states:::emr-serverless:cancelJobRun.sync",
        "arn:aws-cn:states:::ecs:runTask.waitForTaskToken",
        "arn:aws-cn:states:::ecs:runTask.sync",
        "arn:aws:states:us-east-1:000000000000:activity:work",
        "arn:aws:lambda:us-east-1:000000000000:function:f"}) {
    EXPECT_EQ(mistake(known), "") << known;
  }
}

TEST(Definition, KeepsWhatEarlierVersionsAccepted) {
  const std::string definition =
      OneState(R"("Type":"Task","End":true,"TimeoutSeconds":5,
                  "HeartbeatSeconds":5,
                  "Resource":"arn:aws:states:::dynamodb:query")");
  EXPECT_EQ(ParseDefinition(definition, {}).errors().size(), 2);
  EXPECT_EQ(ParseDefinition(definition, {.stored = true}).errors().size(), 0);
}

TEST(Definition, ChecksNames) {
  const std::string long_name(81, 'n');
  EXPECT_EQ(
      Mistakes(absl::StrCat(R"({"StartAt":")", long_name, R"(","States":{")",
                            long_name, R"(":{"Type":"Succeed"}}})"))
          .substr(0, 18),
      "INVALID_STATE_NAME");
  EXPECT_EQ(OfState(R"("Type":"Parallel","End":true,"Branches":[{"StartAt":"S",
                       "States":{"S":{"Type":"Succeed"}}}])"),
            "DUPLICATE_STATE_NAME: Duplicate State name: S at "
            "/States/S/Branches[0]/States/S");
  const auto label = [](absl::string_view text) {
    return OfState(absl::StrCat(
        R"("Type":"Map","End":true,"Label":")", text,
        R"(","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED",)",
        R"("ExecutionType":"STANDARD"},)", kPass, "}"));
  };
  EXPECT_EQ(label("ok-1"), "");
  for (const absl::string_view bad : {"", "a b", "a?", "a*", "a<", "a{"}) {
    EXPECT_EQ(label(bad).substr(0, 18), "INVALID_LABEL_NAME") << bad;
  }
  EXPECT_EQ(label(std::string(41, 'l')).substr(0, 18), "INVALID_LABEL_NAME");
}

TEST(Definition, ChecksVariables) {
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"Assign":{"states":1})"),
            "RESERVED_VARIABLE_NAME: Cannot assign to reserved variable "
            "'$states'. at /States/S/Assign/states");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"Assign":{"a-b":1})"),
            "INVALID_VARIABLE_NAME: Invalid variable name 'a-b': the variable "
            "name contains invalid characters. at /States/S/Assign/a-b");
  EXPECT_EQ(OfState(R"("Type":"Pass","End":true,"Assign":{"a.$":"$.a"})"), "");
  EXPECT_EQ(OfState(R"("Type":"Parallel","End":true,"Assign":{"v":1},
                       "Branches":[{"StartAt":"P","States":{"P":{"Type":"Pass",
                         "Assign":{"v.$":"$"},"End":true}}}])"),
            "DUPLICATE_VARIABLE_NAME: The variable name 'v' was already "
            "defined in a parent scope. at "
            "/States/S/Branches[0]/States/P/Assign/v.$");
}

TEST(Definition, ChecksDistributedMaps) {
  const auto map = [](absl::string_view config, absl::string_view more = "") {
    return OfState(absl::StrCat(R"("Type":"Map","End":true,)", more,
                                R"("ItemProcessor":{"ProcessorConfig":)",
                                config, ",", kPass, "}"));
  };
  EXPECT_EQ(map(R"({"Mode":"DISTRIBUTED"})"),
            "These fields are required: [ExecutionType] at "
            "/States/S/ItemProcessor/ProcessorConfig");
  EXPECT_EQ(map(R"({"Mode":"INLINE","ExecutionType":"STANDARD"})"),
            "Field 'ExecutionType' is not supported at "
            "/States/S/ItemProcessor/ProcessorConfig");
  EXPECT_EQ(
      map(R"({"Mode":"INLINE"})", R"("ItemBatcher":{"MaxItemsPerBatch":1},)"),
      "Field 'ItemBatcher' is not supported at /States/S");
  EXPECT_EQ(map(R"({"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"})",
                R"("ItemReader":{"Resource":"arn:aws:states:::s3:getObject",
                   "ReaderConfig":{"InputType":"CSV"}},)"),
            "The field 'CSVHeaderLocation' is required at "
            "/States/S/ItemReader/ReaderConfig");
}

TEST(Definition, ReportsExpressionsThatAreRefused) {
  EXPECT_EQ(
      OfState(R"("Type":"Pass","End":true,"Output":{"v":"{% invalid %}"})",
              kJsonata),
      "INVALID_JSONATA_EXPRESSION: Unexpected end of expression at "
      "/States/S/Output/v");
  EXPECT_EQ(OfState(R"("Type":"Task","End":true,
                       "Resource":"arn:aws:states:::sqs:sendMessage",
                       "Output":"{% $states.errorOutput %}")",
                    kJsonata),
            "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.errorOutput' does "
            "not exist. at /States/S/Output");
  EXPECT_EQ(OfState(R"("Type":"Choice","Choices":[{"Next":"S"}])", kJsonata),
            "These fields are required: [Condition] at /States/S/Choices[0]");
}

TEST(Definition, BoundsTheNestingOfMachines) {
  std::string machine = absl::StrCat("{", kPass, "}");
  for (int i = 0; i <= kMaxMachineDepth; ++i) {
    machine = absl::StrCat(R"({"StartAt":"M)", i, R"(","States":{"M)", i,
                           R"(":{"Type":"Map","End":true,"Iterator":)", machine,
                           "}}}");
  }
  EXPECT_NE(Mistakes(machine).find("State machines are nested too deep"),
            std::string::npos);
}

TEST(SingleState, NeedsNoTargets) {
  EchoCompiler compiler;
  const ParsedDefinition parsed = ParseSingleState(
      R"({"Type":"Pass","QueryLanguage":"JSONata","Next":"Elsewhere"})", "S",
      {&compiler, false});
  ASSERT_NE(parsed.machine, nullptr);
  const State* const state = parsed.machine->Find("S");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->next, "Elsewhere");
  EXPECT_EQ(state->next_state, nullptr);
  EXPECT_EQ(state->query_language, QueryLanguage::kJsonata);
  EXPECT_EQ(ParseSingleState("{}", "S", {}).machine, nullptr);
  EXPECT_EQ(
      InvalidDefinitionMessage(
          ParseSingleState(R"({"Type":"Parallel","Branches":[],"End":true})",
                           "S", {})
              .errors()),
      "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: Value "
      "cannot be empty at /States/S/Branches'");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
