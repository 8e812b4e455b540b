// Custom resources, deployed from templates, with a function in the hands of
// the test.

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/customresources/answer.h"
#include "local/customresources/provider.h"
#include "local/customresources/responses.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::customresources {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kFunctionArn[] =
    "arn:aws:lambda:us-east-1:000000000000:function:f";
constexpr char kEndpoint[] = "http://cloud";

class StatusRecorder final : public http::Responder::Exchange {
 public:
  void Send(http::ServerResponse response) override {
    status_ = response.status;
  }
  bool connected() const override { return true; }
  int status() const { return status_; }

 private:
  int status_ = 0;
};

// The status of the answer; 0 if the request was not taken.
int StatusOfPut(Responses& responses, const http::ServerRequest& request) {
  const auto recorder = std::make_shared<StatusRecorder>();
  return responses.Take(request, http::Responder(recorder)) ? recorder->status()
                                                            : 0;
}

class CustomResourcesTest : public ::testing::Test {
 protected:
  // The answer to an event, as an object to be merged into the usual one; a
  // failure of the function; or nothing.
  struct Behaviour {
    std::string answer = "{}";
    absl::Status failure{};
    bool silent = false;
  };

  CustomResourcesTest() {
    registry_.Add(CustomResourceProvider(
        {.clock = clock_,
         .responses = responses_,
         .invoke =
             [this](const std::string& function, std::string event,
                    const std::function<void(absl::Status)>& done) {
               EXPECT_EQ(function, kFunctionArn);
               Run(json::ParseValue(event).value(), done);
             },
         .endpoint = [] { return kEndpoint; }}));
    deployer_ = *cloudformation::Deployer::Open(*store_, clock_, registry_, {});
  }

  void Run(const Json::Value& event,
           const std::function<void(absl::Status)>& done) {
    events_.push_back(event);
    const Behaviour behaviour = behave_(event);
    if (!behaviour.failure.ok() || behaviour.silent) {
      return done(behaviour.failure);
    }
    Json::Value answer = json::ParseValue(behaviour.answer).value();
    const Json::Value usual = UsualAnswer(event);
    for (const std::string& name : usual.getMemberNames()) {
      if (!answer.isMember(name)) answer[name] = usual[name];
    }
    EXPECT_EQ(Put(event, json::WriteValue(answer)), 200);
    done(absl::OkStatus());
  }
  static Json::Value UsualAnswer(const Json::Value& event) {
    Json::Value answer(Json::objectValue);
    for (const char* name : {"StackId", "RequestId", "LogicalResourceId"}) {
      answer[name] = event[name];
    }
    answer["Status"] = "SUCCESS";
    answer["PhysicalResourceId"] =
        event.get("PhysicalResourceId", "id-1").asString();
    return answer;
  }
  // The status of the PUT to the event's URL.
  int Put(const Json::Value& event, const std::string& body) {
    std::string path = event["ResponseURL"].asString();
    EXPECT_THAT(path, StartsWith(kEndpoint));
    path = path.substr(std::string(kEndpoint).size());
    return StatusOfPut(
        responses_,
        {.method = "PUT", .target = path, .path = path, .body = body});
  }

  // `more` are properties besides the ServiceToken, and a brace; `resources`
  // are other resources, `rest` other sections.
  absl::Status Deploy(const std::string& more,
                      const std::string& resources = "",
                      const std::string& rest = "") {
    events_.clear();
    return deployer_
        ->Deploy({.stack_name = "s",
                  .template_text = absl::StrCat(
                      R"({"Resources":{"R":{"Type":"Custom::Migration",)",
                      R"("Properties":{"ServiceToken":")", kFunctionArn, "\"",
                      more, "}", resources, "}", rest, "}")})
        .status();
  }
  std::vector<std::string> Requests() const {
    std::vector<std::string> requests;
    for (const Json::Value& event : events_) {
      requests.push_back(
          absl::StrCat(event["RequestType"].asString(), " ",
                       event.get("PhysicalResourceId", "-").asString()));
    }
    return requests;
  }
  std::string PhysicalId() {
    return deployer_->Find("s")->resources.at("R").state.physical_id;
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1000)};
  Responses responses_{clock_};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  cloudformation::ProviderRegistry registry_;
  std::unique_ptr<cloudformation::Deployer> deployer_;
  std::function<Behaviour(const Json::Value& event)> behave_ =
      [](const Json::Value&) { return Behaviour{}; };
  std::vector<Json::Value> events_;
};

// A second custom resource, which needs the first.
constexpr char kFailing[] =
    R"(,"X":{"Type":"AWS::CloudFormation::CustomResource","DependsOn":"R",)"
    R"("Properties":{"ServiceToken":)"
    R"("arn:aws:lambda:us-east-1:000000000000:function:f","Fail":"yes"}})";

TEST_F(CustomResourcesTest, AreCreatedByTheirFunction) {
  ASSERT_EQ(Deploy(R"(,"Version":3,"Deep":{"On":[true,"x"]}})"),
            absl::OkStatus());
  ASSERT_THAT(events_, SizeIs(1));
  const Json::Value& event = events_[0];
  EXPECT_EQ(event["RequestType"], "Create");
  EXPECT_EQ(event["ServiceToken"], kFunctionArn);
  EXPECT_EQ(event["LogicalResourceId"], "R");
  EXPECT_EQ(event["ResourceType"], "Custom::Migration");
  EXPECT_EQ(event["StackId"], deployer_->Find("s")->id);
  EXPECT_FALSE(event.isMember("PhysicalResourceId"));
  EXPECT_FALSE(event.isMember("OldResourceProperties"));
  EXPECT_EQ(json::WriteValue(event["ResourceProperties"]),
            absl::StrCat(R"({"Deep":{"On":["true","x"]},"ServiceToken":")",
                         kFunctionArn, R"(","Version":"3"})"));
  EXPECT_EQ(PhysicalId(), "id-1");
}

TEST_F(CustomResourcesTest, GiveTheirDataAsAttributes) {
  behave_ = [](const Json::Value&) {
    return Behaviour{
        .answer =
            R"({"Data":{"Text":"t","Number":5,"a.b":true},"NoEcho":true})"};
  };
  ASSERT_EQ(Deploy("}", "",
                   R"(,"Outputs":{"O":{"Value":{"Fn::Sub":)"
                   R"("${R.Text} ${R.Number} ${R.a.b} ${R}"}}})"),
            absl::OkStatus());
  EXPECT_EQ(deployer_->Find("s")->outputs.at("O").value, "t 5 true id-1");
}

TEST_F(CustomResourcesTest, FailTheDeploymentThatNeedsOtherData) {
  const absl::Status status = Deploy(
      "}", "", R"(,"Outputs":{"O":{"Value":{"Fn::GetAtt":["R","None"]}}})");
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Vendor response doesn't contain None attribute"));
}

TEST_F(CustomResourcesTest, AreUpdatedWhenTheirPropertiesChange) {
  ASSERT_EQ(Deploy(R"(,"Version":1})"), absl::OkStatus());
  ASSERT_EQ(Deploy(R"(,"Version":1})"), absl::OkStatus());
  EXPECT_THAT(events_, IsEmpty());
  ASSERT_EQ(Deploy(R"(,"Version":2})"), absl::OkStatus());
  EXPECT_THAT(Requests(), ElementsAre("Update id-1"));
  EXPECT_EQ(events_[0]["ResourceProperties"]["Version"], "2");
  EXPECT_EQ(events_[0]["OldResourceProperties"]["Version"], "1");
}

TEST_F(CustomResourcesTest, AreDeletedWithTheirOldIdOnceTheyAreReplaced) {
  ASSERT_EQ(Deploy(R"(,"Version":1})"), absl::OkStatus());
  behave_ = [](const Json::Value& event) {
    return Behaviour{.answer = event["RequestType"] == "Update"
                                   ? R"({"PhysicalResourceId":"id-2"})"
                                   : "{}"};
  };
  ASSERT_EQ(Deploy(R"(,"Version":2})"), absl::OkStatus());
  EXPECT_THAT(Requests(), ElementsAre("Update id-1", "Delete id-1"));
  EXPECT_EQ(events_[1]["ResourceProperties"]["Version"], "1");
  EXPECT_EQ(PhysicalId(), "id-2");
}

TEST_F(CustomResourcesTest, ReturnToTheirOldIdInARollback) {
  ASSERT_EQ(Deploy(R"(,"Version":1})"), absl::OkStatus());
  behave_ = [](const Json::Value& event) {
    const Json::Value& properties = event["ResourceProperties"];
    if (properties.isMember("Fail")) {
      return Behaviour{.answer = R"({"Status":"FAILED","Reason":"no"})"};
    }
    if (event["RequestType"] != "Update") return Behaviour{};
    return Behaviour{.answer = absl::StrCat(R"({"PhysicalResourceId":"id-)",
                                            properties["Version"].asString(),
                                            R"("})")};
  };
  EXPECT_EQ(Deploy(R"(,"Version":2})", kFailing).code(),
            absl::StatusCode::kAborted);
  EXPECT_THAT(Requests(), ElementsAre("Update id-1", "Create -", "Delete id-1",
                                      "Update id-2", "Delete id-2"));
  EXPECT_EQ(PhysicalId(), "id-1");
  EXPECT_THAT(deployer_->Find("s")->obsolete, IsEmpty());
}

TEST_F(CustomResourcesTest, FailTheDeploymentWithTheReason) {
  behave_ = [](const Json::Value&) {
    return Behaviour{.answer = R"({"Status":"FAILED","Reason":"bad SQL",)"
                               R"("PhysicalResourceId":"half"})"};
  };
  const absl::Status status = Deploy("}");
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr(absl::StrCat(
          "Received response status [FAILED] from custom resource. Message "
          "returned: bad SQL (RequestId: ",
          events_[0]["RequestId"].asString(), ")")));
  // What may be there is deleted.
  EXPECT_THAT(Requests(), ElementsAre("Create -", "Delete half"));
}

TEST_F(CustomResourcesTest, FailWhenTheirFunctionFails) {
  behave_ = [](const Json::Value&) {
    return Behaviour{.failure = absl::AbortedError("crashed")};
  };
  EXPECT_THAT(std::string(Deploy("}").message()),
              HasSubstr(absl::StrCat("the function ", kFunctionArn,
                                     " failed: crashed")));
}

TEST_F(CustomResourcesTest, FailWhenThereIsNoAnswerInTime) {
  behave_ = [](const Json::Value&) { return Behaviour{.silent = true}; };
  absl::Status status;
  std::thread deployment(
      [&] { status = Deploy(R"(,"ServiceTimeout":"30"})"); });
  clock_.AwaitWaiters(1);
  clock_.AdvanceBy(absl::Seconds(30));
  deployment.join();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("CloudFormation did not receive a response from your "
                        "Custom Resource"));
}

TEST_F(CustomResourcesTest, AreDeletedWithTheTemplateThatHadThem) {
  ASSERT_EQ(Deploy("}", absl::StrCat(R"(,"Y":{"Type":"Custom::Other",)",
                                     R"("Properties":{"ServiceToken":")",
                                     kFunctionArn, R"("}})")),
            absl::OkStatus());
  ASSERT_EQ(Deploy("}"), absl::OkStatus());
  EXPECT_THAT(Requests(), ElementsAre("Delete id-1"));
  EXPECT_EQ(events_[0]["ResourceType"], "Custom::Other");
}

TEST_F(CustomResourcesTest, RefuseWhatIsNotAFunction) {
  const absl::Status status =
      deployer_
          ->Deploy({.stack_name = "s",
                    .template_text =
                        R"({"Resources":{"R":{"Type":"Custom::A","Properties":)"
                        R"({"ServiceToken":"arn:aws:sns:us-east-1:1:t"}}}})"})
          .status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("ServiceToken must be the ARN of a Lambda function"));
}

TEST_F(CustomResourcesTest, NeedAServiceToken) {
  const absl::Status status =
      deployer_
          ->Deploy(
              {.stack_name = "s",
               .template_text = R"({"Resources":{"R":{"Type":"Custom::A"}}})"})
          .status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("ServiceToken"));
}

TEST_F(CustomResourcesTest, KeepTheirFunction) {
  ASSERT_EQ(Deploy("}"), absl::OkStatus());
  const absl::Status status =
      deployer_
          ->Deploy({.stack_name = "s",
                    .template_text =
                        R"({"Resources":{"R":{"Type":"Custom::Migration",)"
                        R"("Properties":{"ServiceToken":)"
                        R"("arn:aws:lambda:us-east-1:1:function:g"}}}})"})
          .status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Modifying service token is not allowed."));
}

TEST(Responses, TakeOneAnswerForAUrl) {
  time::SimulatedClock clock{absl::FromUnixSeconds(0)};
  Responses responses(clock);
  const std::string path = responses.Open();
  EXPECT_NE(path, responses.Open());
  const auto put = [&](const std::string& method, const std::string& to,
                       const std::string& body) {
    return StatusOfPut(responses, {.method = method, .path = to, .body = body});
  };
  EXPECT_EQ(put("PUT", "/other", "x"), 0);
  EXPECT_EQ(put("GET", path, "x"), 405);
  EXPECT_EQ(put("PUT", path + "0", "x"), 403);
  EXPECT_EQ(put("PUT", path, "answer"), 200);
  EXPECT_EQ(put("PUT", path, "another"), 403);
  responses.Fail(path, absl::AbortedError("too late"));
  const absl::StatusOr<std::string> answer =
      responses.Await(path, absl::InfiniteFuture());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(*answer, "answer");
  EXPECT_EQ(put("PUT", path, "another"), 403);
  EXPECT_EQ(responses.Await(path, absl::InfiniteFuture()).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(Responses, AreNotAwaitedWhenTheCloudStops) {
  time::SimulatedClock clock{absl::FromUnixSeconds(0)};
  Responses responses(clock);
  const std::string before = responses.Open();
  responses.Close();
  const std::string after = responses.Open();
  for (const std::string& path : {before, after}) {
    EXPECT_EQ(responses.Await(path, absl::InfiniteFuture()).status().code(),
              absl::StatusCode::kUnavailable);
  }
}

TEST(ParseAnswer, RefusesWhatIsNotAnAnswer) {
  const RequestIds ids{.stack_id = "s", .request_id = "r", .logical_id = "l"};
  const std::string begin =
      R"({"StackId":"s","RequestId":"r","LogicalResourceId":"l")";
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"),
        absl::StrCat(begin, "}"), absl::StrCat(begin, R"(,"Status":"OK"})"),
        absl::StrCat(begin, R"(,"Status":"SUCCESS"})"),
        absl::StrCat(begin, R"(,"Status":"SUCCESS","PhysicalResourceId":")",
                     std::string(1025, 'x'), R"("})"),
        absl::StrCat(
            begin,
            R"(,"Status":"SUCCESS","PhysicalResourceId":"p","Data":[]})"),
        absl::StrCat(
            begin,
            R"(,"Status":"SUCCESS","PhysicalResourceId":"p","Data":{"a":")",
            std::string(4096, 'x'), R"("}})"),
        std::string(R"({"StackId":"s","RequestId":"x","LogicalResourceId":"l",)"
                    R"("Status":"SUCCESS","PhysicalResourceId":"p"})")}) {
    EXPECT_EQ(ParseAnswer(text, ids).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
  EXPECT_TRUE(
      ParseAnswer(
          absl::StrCat(begin,
                       R"(,"Status":"SUCCESS","PhysicalResourceId":"p"})"),
          ids)
          .ok());
}

}  // namespace
}  // namespace byoshin::local::customresources
