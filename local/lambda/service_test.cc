// Lambda over the wire, and its resources in templates.

#include "local/lambda/service.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/code_store.h"
#include "local/lambda/permissions.h"
#include "local/lambda/testing/lambda_fixture.h"

namespace byoshin::local::lambda {
namespace {

class WireTest : public LambdaFixture {
 protected:
  Answer Send(Call call) {
    call.protocol = WireProtocol::kRestJson;
    call.region = kTestRegion;
    LambdaService service(*lambda_);
    return async::Await<Answer>(
        [&](auto done) { service.Handle(std::move(call), done); });
  }
  Answer Get(std::string path, std::string query = "") {
    return Send(
        {.path = std::move(path), .method = "GET", .query = std::move(query)});
  }
  Answer InvokeOverWire(const std::string& function, std::string payload,
                        std::vector<http::Header> headers = {}) {
    return Send({.body = std::move(payload),
                 .path = absl::StrCat("/2015-03-31/functions/", function,
                                      "/invocations"),
                 .headers = std::move(headers),
                 .request_id = "8476a536-e9f4-41e8-9739-2dfe598c3fcd"});
  }
  static std::string HeaderOf(const Answer& answer, absl::string_view name) {
    for (const http::Header& header : answer.headers) {
      if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
    }
    return "";
  }
  static Json::Value Body(const Answer& answer) {
    return json::ParseValue(answer.body).value_or(Json::Value());
  }
};

TEST_F(WireTest, InvokesByNameAndByArn) {
  const std::string arn = Put(TestFunction());
  for (const std::string& name :
       {std::string("subject"), arn, absl::StrCat(arn, ":$LATEST"),
        std::string("arn%3Aaws%3Alambda%3Aeu-west-1%3A000000000000%3Afunction"
                    "%3Asubject"),
        std::string("000000000000:function:subject")}) {
    const Answer answer = InvokeOverWire(name, "\"hello\"");
    EXPECT_EQ(answer.status, 200) << name << " " << answer.body;
    EXPECT_EQ(answer.body, "\"hello\"");
    EXPECT_EQ(HeaderOf(answer, "X-Amz-Executed-Version"), "$LATEST");
    EXPECT_EQ(HeaderOf(answer, "X-Amz-Function-Error"), "");
    EXPECT_EQ(HeaderOf(answer, "X-Amz-Log-Result"), "");
  }
  // The id of the request is that of the invocation.
  EXPECT_TRUE(Logged("subject",
                     "START RequestId: 8476a536-e9f4-41e8-9739-2dfe598c3fcd"));
}

TEST_F(WireTest, TellsOfTheFunctionsError) {
  Put(TestFunction());
  const Answer answer = InvokeOverWire("subject", "\"fail\"");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(HeaderOf(answer, "X-Amz-Function-Error"), "Unhandled");
}

TEST_F(WireTest, GivesTheEndOfTheLogToWhoAsks) {
  Put(TestFunction());
  const Answer answer =
      InvokeOverWire("subject", "\"log:said\"", {{"x-amz-log-type", "Tail"}});
  std::string tail;
  ASSERT_TRUE(
      absl::Base64Unescape(HeaderOf(answer, "X-Amz-Log-Result"), &tail));
  EXPECT_TRUE(absl::StrContains(tail, "said\n"));
  EXPECT_TRUE(absl::StrContains(tail, "REPORT RequestId: 8476a536"));
}

TEST_F(WireTest, InvokesAsynchronouslyAndDry) {
  const std::string arn = Put(TestFunction());
  EXPECT_EQ(
      InvokeOverWire("subject", "{}", {{"X-Amz-Invocation-Type", "DryRun"}})
          .status,
      204);
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 0);
  EXPECT_EQ(
      InvokeOverWire("subject", "{}", {{"X-Amz-Invocation-Type", "Event"}})
          .status,
      202);
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
}

TEST_F(WireTest, KeepsNothingOfACallerThatDoesNotWait) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 0;  // the event stays in the queue
  Put(config);
  const auto caller = std::make_shared<int>();
  const Answer answer =
      Send({.body = "{}",
            .path = "/2015-03-31/functions/subject/invocations",
            .headers = {{"X-Amz-Invocation-Type", "Event"}},
            .let_time_pass = [caller] {}});
  EXPECT_EQ(answer.status, 202) << answer.body;
  EXPECT_EQ(caller.use_count(), 1) << "the event would let its time pass";
}

TEST_F(WireTest, RefusesAsLambdaDoes) {
  Put(TestFunction());
  Answer answer = InvokeOverWire("nobody", "{}");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(HeaderOf(answer, "x-amzn-ErrorType"), "ResourceNotFoundException");
  EXPECT_EQ(Body(answer)["Message"],
            "Function not found: "
            "arn:aws:lambda:eu-west-1:000000000000:function:nobody");
  answer = InvokeOverWire("subject", "not json");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(HeaderOf(answer, "x-amzn-ErrorType"),
            "InvalidRequestContentException");
  answer = InvokeOverWire("subject",
                          absl::StrCat("\"", std::string(7 << 20, 'x'), "\""));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(InvokeOverWire("subject", "{}", {{"X-Amz-Invocation-Type", "Odd"}})
                .status,
            400);
  EXPECT_EQ(Get("/2015-03-31/functions/subject", "Qualifier=7").status, 404);
  EXPECT_EQ(Get("/2015-03-31/unknown").status, 404);
}

TEST_F(WireTest, ShowsWhatIsDeployed) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 5;
  config.variables = {{"A", "b"}};
  const std::string arn = Put(config);
  ASSERT_TRUE(lambda_
                  ->PutMapping({.uuid = "u",
                                .queue_arn = kTestQueue,
                                .function_arn = arn,
                                .batch_size = 1,
                                .max_concurrency = 10})
                  .ok());
  const Json::Value function = Body(Get("/2015-03-31/functions/subject"));
  EXPECT_EQ(function["Configuration"]["FunctionArn"], arn);
  EXPECT_EQ(function["Configuration"]["Environment"]["Variables"]["A"], "b");
  EXPECT_EQ(function["Configuration"]["LastModified"],
            "2025-12-02T10:23:00.000+0000");
  EXPECT_EQ(function["Configuration"]["CodeSha256"].asString().size(), 44);
  EXPECT_EQ(function["Concurrency"]["ReservedConcurrentExecutions"], 5);
  EXPECT_EQ(Body(Get("/2015-03-31/functions/subject/configuration"))["Timeout"],
            3);
  EXPECT_EQ(Body(Get("/2015-03-31/functions/"))["Functions"].size(), 1);
  const Json::Value mappings =
      Body(Get("/2015-03-31/event-source-mappings/", "FunctionName=subject"));
  ASSERT_EQ(mappings["EventSourceMappings"].size(), 1);
  EXPECT_EQ(mappings["EventSourceMappings"][0]["EventSourceArn"], kTestQueue);
  EXPECT_EQ(Body(Get("/2015-03-31/event-source-mappings/",
                     "FunctionName=other"))["EventSourceMappings"]
                .size(),
            0);
}

TEST_F(WireTest, ShowsAMappingByItsUuid) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(
      lambda_
          ->PutMapping(
              {.uuid = "u", .queue_arn = kTestQueue, .function_arn = arn})
          .ok());
  EXPECT_EQ(Body(Get("/2015-03-31/event-source-mappings/u"))["FunctionArn"],
            arn);
  const Answer answer = Get("/2015-03-31/event-source-mappings/v");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(HeaderOf(answer, "x-amzn-ErrorType"), "ResourceNotFoundException");
}

TEST_F(WireTest, ShowsWhoMayInvokeAFunction) {
  const std::string arn = Put(TestFunction());
  const std::string path = "/2015-03-31/functions/subject/policy";
  EXPECT_EQ(Get(path).status, 404);
  lambda_->PutPermission(arn, {.id = "p",
                               .principal = "events.amazonaws.com",
                               .source_arn = "arn:rule"});
  const Json::Value policy =
      *json::ParseValue(Body(Get(path))["Policy"].asString());
  ASSERT_EQ(policy["Statement"].size(), 1);
  const Json::Value& statement = policy["Statement"][0];
  EXPECT_EQ(statement["Sid"], "p");
  EXPECT_EQ(statement["Principal"]["Service"], "events.amazonaws.com");
  EXPECT_EQ(statement["Resource"], arn);
  EXPECT_EQ(statement["Condition"]["ArnLike"]["AWS:SourceArn"], "arn:rule");
  EXPECT_EQ(Get("/2015-03-31/functions/nobody/policy").status, 404);
}

TEST_F(WireTest, ShowsHowAsynchronousInvocationsAreTriedAgain) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 7;
  const std::string arn = Put(config);
  const std::string path = "/2019-09-25/functions/subject/event-invoke-config";
  EXPECT_EQ(Get(path).status, 404);
  ASSERT_TRUE(lambda_
                  ->PutEventInvokeConfig(arn, {.max_retries = 1,
                                               .max_age = absl::Minutes(5),
                                               .on_failure = kTestQueue})
                  .ok());
  const Json::Value shown = Body(Get(path));
  EXPECT_EQ(shown["FunctionArn"], arn + ":$LATEST");
  EXPECT_EQ(shown["MaximumRetryAttempts"], 1);
  EXPECT_EQ(shown["MaximumEventAgeInSeconds"], 300);
  EXPECT_EQ(shown["DestinationConfig"]["OnFailure"]["Destination"], kTestQueue);
  EXPECT_EQ(Body(Get("/2019-09-30/functions/subject/concurrency"))
                ["ReservedConcurrentExecutions"],
            7);
}

class ProvidersTest : public LambdaFixture, protected ZipSource {
 protected:
  absl::StatusOr<Zip> Fetch(const CodeLocation& location) override {
    if (location.bucket == "code" && location.key == "subject.zip") {
      return Zip(TestZip());
    }
    return absl::NotFoundError(
        absl::StrCat("no ", location.key, " in ", location.bucket));
  }

  absl::StatusOr<cloudformation::ResourceState> Create(
      absl::string_view type, const std::string& properties) {
    const Json::Value value = *json::ParseValue(properties);
    for (auto& provider : LambdaProviders(*lambda_, *this)) {
      if (provider->type() != type) continue;
      return provider->Create({.stack = stack_,
                               .logical_id = "Thing",
                               .physical_id = "",
                               .name_suffix = "ABCDEFGHIJKL",
                               .properties = value});
    }
    return absl::NotFoundError(type);
  }

  cloudformation::StackContext stack_{.stack_name = "stack",
                                      .region = kTestRegion};
};

TEST_F(ProvidersTest, MakeWhatTheTemplateSays) {
  const absl::StatusOr<cloudformation::ResourceState> function =
      Create("AWS::Lambda::Function", R"({
        "Code": {"S3Bucket": "code", "S3Key": "subject.zip"},
        "Role": "arn:aws:iam::000000000000:role/r", "Runtime": "provided.al2023",
        "Handler": "bootstrap", "MemorySize": "256", "Timeout": 30,
        "ReservedConcurrentExecutions": "4",
        "Environment": {"Variables": {"LAG": 0}},
        "LoggingConfig": {"LogGroup": "/logs/thing", "LogFormat": "JSON"}})");
  ASSERT_TRUE(function.ok()) << function.status();
  const std::string name = function->physical_id;
  EXPECT_EQ(name, "stack-Thing-ABCDEFGHIJKL");
  const std::string arn = function->attributes.at("Arn");
  const FunctionConfig config = *lambda_->GetFunction(arn);
  EXPECT_EQ(config.memory_mb, 256);
  EXPECT_EQ(config.timeout, absl::Seconds(30));
  EXPECT_EQ(config.reserved_concurrency, 4);
  EXPECT_EQ(config.variables.at("LAG"), "0");
  EXPECT_EQ(config.logging.format, LoggingConfig::Format::kJson);
  EXPECT_EQ(Invoke(arn, "hello")->payload, "\"hello\"");
  EXPECT_EQ(lambda_->logs().Tail("/logs/thing", 10).size(), 2);

  ASSERT_TRUE(Create("AWS::Lambda::EventSourceMapping",
                     absl::StrCat(R"({"FunctionName": ")", name,
                                  R"(", "EventSourceArn": ")", kTestQueue,
                                  R"(", "BatchSize": 1, "FunctionResponseTypes":
                                  ["ReportBatchItemFailures"],
                                  "ScalingConfig": {"MaximumConcurrency": 10}})"))
                  .ok());
  ASSERT_EQ(lambda_->ListMappings().size(), 1);
  EXPECT_EQ(lambda_->ListMappings()[0].max_concurrency, 10);
  EXPECT_TRUE(Create("AWS::Lambda::EventInvokeConfig",
                     absl::StrCat(R"({"FunctionName": ")", name,
                                  R"(", "Qualifier": "$LATEST",
                                  "MaximumRetryAttempts": 1})"))
                  .ok());
  ASSERT_TRUE(Create("AWS::Lambda::Permission",
                     absl::StrCat(R"({"FunctionName": ")", name,
                                  R"(", "Action": "lambda:InvokeFunction",
                                  "Principal": "events.amazonaws.com"})"))
                  .ok());
}

TEST_F(ProvidersTest, SayWhatIsWrong) {
  const auto message = [&](absl::string_view type, const std::string& text) {
    return std::string(Create(type, text).status().message());
  };
  const std::string code =
      R"("Role":"r","Code":{"S3Bucket":"code","S3Key":"subject.zip"})";
  const char* const function = "AWS::Lambda::Function";
  EXPECT_TRUE(absl::StrContains(
      message(function, absl::StrCat("{", code, R"(,"Runtime":"nodejs20.x"})")),
      "Runtime must be one of"));
  EXPECT_TRUE(absl::StrContains(
      message(function, absl::StrCat("{", code, R"(,"Runtime":"provided",
                                     "Timeout":901})")),
      "Timeout must be from 1 to 900"));
  EXPECT_TRUE(
      absl::StrContains(message(function, R"({"Role":"r","Runtime":"provided",
                            "Code":{"S3Bucket":"code","S3Key":"other.zip"}})"),
                        "no other.zip in code"));
  EXPECT_TRUE(absl::StrContains(
      message("AWS::Lambda::EventSourceMapping",
              R"({"FunctionName":"f","EventSourceArn":"arn:aws:kinesis:x"})"),
      "SQS queue"));
  EXPECT_TRUE(absl::StrContains(
      message("AWS::Lambda::EventInvokeConfig",
              absl::StrCat(R"({"FunctionName":"f","Qualifier":"$LATEST",)",
                           R"("DestinationConfig":{"OnFailure":)",
                           R"({"Destination":")", kTestQueue, R"(.fifo"}}})")),
      "Lambda sends to standard queues only"));
  EXPECT_TRUE(absl::StrContains(
      message("AWS::Lambda::Permission",
              R"({"FunctionName":"f","Action":"lambda:InvokeFunction",
                  "Principal":"x"})"),
      "Function not found"));
}

TEST(LambdaPermission, NamesTheFunction) {
  Call call{.path = "/2015-03-31/functions/f/invocations",
            .region = "us-east-1",
            .caller = {.account_id = "000000000000"}};
  EXPECT_EQ(
      PermissionFor(call),
      (NeededPermission{"lambda:InvokeFunction",
                        "arn:aws:lambda:us-east-1:000000000000:function:f"}));
  for (const char* name :
       {"arn%3Aaws%3Alambda%3Aus-east-1%3A000000000000%3Afunction%3Af",
        "arn:aws:lambda:us-east-1:000000000000:function:f", "function:f",
        "000000000000:function:f"}) {
    call.path = absl::StrCat("/2015-03-31/functions/", name, "/invocations");
    EXPECT_EQ(PermissionFor(call).resource,
              "arn:aws:lambda:us-east-1:000000000000:function:f")
        << name;
  }
  call.path = "/2015-03-31/functions";
  EXPECT_EQ(PermissionFor(call),
            (NeededPermission{"lambda:ListFunctions", "*"}));
}

TEST_F(ProvidersTest, RefuseNamesAsLambdaDoes) {
  const auto status = [&](absl::string_view more) {
    return Create("AWS::Lambda::Function",
                  absl::StrCat(R"({"Role":"r","Runtime":"provided",)",
                               R"("Code":{"S3Bucket":"code",)",
                               R"("S3Key":"subject.zip"},)", more, "}"))
        .status();
  };
  for (const char* name : {"../../x", "a b", "x.y", "f/g", "\\u001b[2J"}) {
    const absl::Status refused =
        status(absl::StrCat(R"("FunctionName":")", name, "\""));
    EXPECT_EQ(ErrorAnswerOf(refused).code, "ValidationException") << name;
    EXPECT_TRUE(absl::StrContains(
        refused.message(),
        "at 'functionName' failed to satisfy constraint: Member must satisfy "
        "regular expression pattern: "))
        << refused;
  }
  EXPECT_TRUE(absl::StrContains(
      status(absl::StrCat(R"("FunctionName":")", std::string(65, 'x'), "\""))
          .message(),
      "Member must have length less than or equal to 64"));
  EXPECT_TRUE(
      status(absl::StrCat(R"("FunctionName":")", std::string(64, 'x'), "\""))
          .ok());

  const absl::Status reserved =
      status(R"("Environment":{"Variables":{"AWS_REGION":"x","_HANDLER":"y",)"
             R"("MINE":"z","AWS_ACCESS_KEY_ID":"k"}})");
  EXPECT_EQ(ErrorAnswerOf(reserved).code, "InvalidParameterValueException");
  EXPECT_TRUE(absl::EndsWith(reserved.message(),
                             "Reserved keys used in this request: "
                             "AWS_ACCESS_KEY_ID, AWS_REGION, _HANDLER"))
      << reserved;
  EXPECT_TRUE(absl::StrContains(
      status(R"("Environment":{"Variables":{"A-B":"x"}})").message(),
      "Map keys must satisfy constraint"));
  EXPECT_TRUE(absl::StrContains(
      status(absl::StrCat(R"("Environment":{"Variables":{"LONG":")",
                          std::string(4093, 'x'), R"("}})"))
          .message(),
      "exceeded the 4KB limit"));
  // A function may have its own ideas about these.
  EXPECT_TRUE(status(R"("Environment":{"Variables":{"TZ":":UTC","PATH":"/x",
                        "AWS_ENDPOINT_URL":"http://x"}})")
                  .ok());
}

}  // namespace
}  // namespace byoshin::local::lambda
