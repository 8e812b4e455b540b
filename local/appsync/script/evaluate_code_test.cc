#include "local/appsync/script/evaluate_code.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/appsync/runtime.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/script/checker.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/script/testing.h"

namespace byoshin::local::appsync::script {
namespace {

using ::testing::HasSubstr;

Json::Value RequestFor(absl::string_view code, absl::string_view context) {
  Json::Value request;
  request["runtime"]["name"] = ::byoshin::appsync::kRuntimeName;
  request["runtime"]["runtimeVersion"] = ::byoshin::appsync::kRuntimeVersion;
  request["code"] = std::string(code);
  request["context"] = std::string(context);
  request["function"] = kRequestHandler;
  return request;
}

std::string Answered(const Json::Value& request) {
  Runtime runtime(FixedOptions());
  const absl::StatusOr<std::string> answer =
      EvaluateCode(runtime, json::WriteValue(request));
  return answer.ok() ? *answer : answer.status().ToString();
}

TEST(EvaluateCode, AnswersWithTheResult) {
  EXPECT_EQ(Answered(RequestFor(
                ModuleOf("  console.log('hi'); ctx.stash.a = 1; "
                         "util.appendError('e', 'T'); return ctx.args;"),
                R"({"arguments":{"id":"1"}})")),
            R"({"evaluationResult":"{\"id\":\"1\"}",)"
            R"("logs":["INFO - code.js:3:3: \"hi\""],)"
            R"("stash":"{\"a\":1}","outErrors":"[{\"message\":\"e\",)"
            R"(\"errorType\":\"T\",\"data\":null,\"errorInfo\":null}]"})");
}

TEST(EvaluateCode, EvaluatesTheResponseHandler) {
  Json::Value request = RequestFor(ModuleOf("return 1;"), R"({"result":[2]})");
  request["function"] = kResponseHandler;
  EXPECT_THAT(Answered(request), HasSubstr(R"("evaluationResult":"[2]")"));
}

TEST(EvaluateCode, EvaluatesTheRequestHandlerIfNoneIsNamed) {
  Json::Value request = RequestFor(ModuleOf("return 1;"), "{}");
  request.removeMember("function");
  EXPECT_THAT(Answered(request), HasSubstr(R"("evaluationResult":"1")"));
}

TEST(EvaluateCode, AnswersWithTheErrorOfTheCode) {
  EXPECT_EQ(Answered(RequestFor(ModuleOf("util.error('no', 'T');"), "{}")),
            R"({"error":{"message":"no","codeErrors":[]},"logs":[],)"
            R"("stash":"{}","outErrors":"[]"})");
}

TEST(EvaluateCode, AnswersWithCodeErrors) {
  EXPECT_EQ(Answered(RequestFor("while (1) {}", "{}")),
            R"({"error":{"message":"The code contains one or more errors.",)"
            R"("codeErrors":[{"errorType":"LINT_ERROR",)"
            R"("value":"While statements are not supported.",)"
            R"("location":{"line":1,"column":1,"span":12}}]},"logs":[]})");
}

TEST(EvaluateCode, RefusesInvalidRequests) {
  const auto with = [](const char* name, Json::Value value) {
    Json::Value request = RequestFor(ModuleOf("return 1;"), "{}");
    request[name] = std::move(value);
    return Answered(request);
  };
  EXPECT_THAT(with("code", Json::Value()), HasSubstr("code is required"));
  EXPECT_THAT(with("code", ""), HasSubstr("code is required"));
  EXPECT_THAT(with("code", std::string(kMaxCodeCharacters + 1, ' ')),
              HasSubstr("code exceeds the limit of 32768"));
  EXPECT_THAT(with("context", Json::Value(Json::objectValue)),
              HasSubstr("context is required"));
  EXPECT_THAT(with("context", std::string(kMaxContextCharacters + 1, ' ')),
              HasSubstr("context exceeds the limit of 28000"));
  EXPECT_THAT(with("context", "[1]"), HasSubstr("context must be"));
  EXPECT_THAT(with("context", "{"), HasSubstr("context must be"));
  EXPECT_THAT(with("function", "other"), HasSubstr("function must be"));
  EXPECT_THAT(with("runtime", Json::Value()), HasSubstr("runtime must be"));
  Runtime runtime;
  EXPECT_EQ(EvaluateCode(runtime, "[]").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(EvaluateCode(runtime, "{").status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace byoshin::local::appsync::script
