// CloudFormation's API, asked about stacks of fake resources.

#include "local/cloudformation/service.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/testing/fake_provider.h"
#include "local/gateway/service.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr char kTemplate[] = R"({
  "Description": "Two things & more",
  "Parameters": {"Size": {"Type": "Number", "Default": 3},
                 "Key": {"Type": "String", "NoEcho": true}},
  "Resources": {
    "One": {"Type": "Test::Thing", "Properties": {"Size": {"Ref": "Size"}}},
    "Two": {"Type": "Test::Thing"}},
  "Outputs": {"OneArn": {"Value": {"Fn::GetAtt": ["One", "Arn"]},
                         "Description": "of the first",
                         "Export": {"Name": "one-arn"}}}})";

std::size_t Count(absl::string_view text, absl::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != absl::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// What stands in the first element of this name.
std::string In(absl::string_view xml, absl::string_view name) {
  const std::string open = absl::StrCat("<", name, ">");
  const std::size_t begin = xml.find(open);
  if (begin == absl::string_view::npos) return "";
  const std::size_t end = xml.find(absl::StrCat("</", name, ">"), begin);
  return std::string(
      xml.substr(begin + open.size(), end - begin - open.size()));
}

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() : clock_(absl::FromUnixSeconds(1000)) {
    registry_.Add(std::make_unique<testing::FakeProvider>(
        "Test::Thing",
        ResourceSchema{.acted_on = {"Size"}, .attributes = {"Arn"}}, world_));
    store_ = *OpenSqliteStore({});
    Open();
  }

  void Open() {
    service_.reset();
    deployer_ = *Deployer::Open(*store_, clock_, registry_, {});
    service_ = std::make_unique<CloudFormationService>(*deployer_);
  }

  void Deploy(const std::string& size = "3") {
    absl::StatusOr<DeployResult> result =
        deployer_->Deploy({.stack_name = "demo",
                           .template_text = kTemplate,
                           .parameters = {{"Key", "secret"}, {"Size", size}}});
    ASSERT_TRUE(result.ok()) << result.status();
  }

  Answer Ask(const std::string& operation, const std::string& parameters = "",
             const std::string& region = "us-east-1") {
    Answer result;
    service_->Handle(
        {.operation = operation,
         .protocol = WireProtocol::kQuery,
         .body = absl::StrCat("Action=", operation, "&", parameters),
         .request_id = "id",
         .region = region},
        [&](Answer answer) { result = std::move(answer); });
    return result;
  }

  void ExpectRefused(const Answer& answer, absl::string_view code,
                     absl::string_view message) {
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_EQ(In(answer.body, "Code"), code);
    EXPECT_TRUE(absl::StrContains(In(answer.body, "Message"), message))
        << answer.body;
  }

  testing::FakeWorld world_;
  ProviderRegistry registry_;
  time::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Deployer> deployer_;
  std::unique_ptr<CloudFormationService> service_;
};

TEST_F(ServiceTest, DescribesAStack) {
  Deploy();
  const std::string body = Ask("DescribeStacks", "StackName=demo").body;
  EXPECT_EQ(In(body, "StackName"), "demo");
  EXPECT_EQ(In(body, "Description"), "Two things &amp; more");
  EXPECT_EQ(In(body, "StackStatus"), "CREATE_COMPLETE");
  EXPECT_EQ(In(body, "CreationTime"), "1970-01-01T00:16:40.000Z");
  EXPECT_EQ(In(body, "OutputKey"), "OneArn");
  EXPECT_TRUE(absl::EndsWith(In(body, "OutputValue"), ".Arn")) << body;
  EXPECT_EQ(In(In(body, "Outputs"), "Description"), "of the first");
  EXPECT_FALSE(absl::StrContains(body, "secret"));
  EXPECT_TRUE(absl::StrContains(
      body,
      "<ParameterKey>Size</ParameterKey><ParameterValue>3</ParameterValue>"));
  EXPECT_FALSE(absl::StrContains(body, "LastUpdatedTime"));
  // By its id, too.
  EXPECT_EQ(In(Ask("DescribeStacks",
                   "StackName=" + http::PercentEncode(In(body, "StackId")))
                   .body,
               "StackName"),
            "demo");
}

TEST_F(ServiceTest, TellsWhenAStackWasUpdated) {
  Deploy();
  clock_.AdvanceBy(absl::Seconds(60));
  Deploy("4");
  const std::string body = Ask("DescribeStacks").body;
  EXPECT_EQ(In(body, "StackStatus"), "UPDATE_COMPLETE");
  EXPECT_EQ(In(body, "LastUpdatedTime"), "1970-01-01T00:17:40.000Z");
}

TEST_F(ServiceTest, ListsStacksByStatusAndRegion) {
  Deploy();
  EXPECT_EQ(Count(Ask("ListStacks").body, "<StackName>"), 1u);
  EXPECT_EQ(Count(Ask("ListStacks",
                      "StackStatusFilter.member.1=CREATE_COMPLETE"
                      "&StackStatusFilter.member.2=X")
                      .body,
                  "<StackName>"),
            1u);
  EXPECT_EQ(
      Count(Ask("ListStacks", "StackStatusFilter.member.1=CREATE_FAILED").body,
            "<StackName>"),
      0u);
  EXPECT_EQ(Count(Ask("ListStacks", "", "eu-west-1").body, "<StackName>"), 0u);
  ExpectRefused(Ask("DescribeStacks", "StackName=demo", "eu-west-1"),
                "ValidationError", "Stack with id demo does not exist");
}

TEST_F(ServiceTest, DescribesResources) {
  Deploy();
  const std::string all = Ask("DescribeStackResources", "StackName=demo").body;
  EXPECT_EQ(Count(all, "<LogicalResourceId>"), 2u);
  EXPECT_EQ(In(all, "ResourceType"), "Test::Thing");
  EXPECT_EQ(In(all, "ResourceStatus"), "CREATE_COMPLETE");
  const std::string one =
      Ask("DescribeStackResource", "StackName=demo&LogicalResourceId=Two").body;
  EXPECT_EQ(In(one, "LogicalResourceId"), "Two");
  const std::string physical_id = In(one, "PhysicalResourceId");
  EXPECT_NE(physical_id, "");
  EXPECT_EQ(Count(Ask("DescribeStackResources",
                      "PhysicalResourceId=" + http::PercentEncode(physical_id))
                      .body,
                  "<LogicalResourceId>"),
            2u);
  EXPECT_EQ(Count(Ask("ListStackResources", "StackName=demo").body,
                  "<LogicalResourceId>"),
            2u);
  ExpectRefused(
      Ask("DescribeStackResource", "StackName=demo&LogicalResourceId=Three"),
      "ValidationError", "Resource Three does not exist for stack demo");
  ExpectRefused(Ask("DescribeStackResources", "PhysicalResourceId=none"),
                "ValidationError", "Stack for none does not exist");
  ExpectRefused(Ask("DescribeStackResources"), "ValidationError",
                "Exactly one of");
}

TEST_F(ServiceTest, GivesEventsNewestFirstAndInPagesAlsoAfterARestart) {
  Deploy();
  for (int size = 4; size < 40; ++size) Deploy(absl::StrCat(size));
  Open();
  std::string token;
  std::size_t events = 0;
  std::size_t pages = 0;
  do {
    const std::string body =
        Ask("DescribeStackEvents",
            absl::StrCat("StackName=demo",
                         token.empty() ? "" : "&NextToken=", token))
            .body;
    if (pages == 0) {
      EXPECT_EQ(In(body, "ResourceStatus"), "UPDATE_COMPLETE");
      EXPECT_EQ(In(body, "ResourceType"), "AWS::CloudFormation::Stack");
    }
    events += Count(body, "<EventId>");
    token = In(body, "NextToken");
    ++pages;
  } while (!token.empty() && pages < 100);
  EXPECT_EQ(events, deployer_->Find("demo")->events.size());
  EXPECT_GT(pages, 1u);
  ExpectRefused(Ask("DescribeStackEvents", "StackName=demo&NextToken=%21"),
                "ValidationError", "NextToken");
}

TEST_F(ServiceTest, GivesTheTemplateAndTheExports) {
  Deploy();
  EXPECT_TRUE(absl::StrContains(Ask("GetTemplate", "StackName=demo").body,
                                "Two things &amp; more"));
  EXPECT_EQ(In(Ask("ListExports").body, "Name"), "one-arn");
}

TEST_F(ServiceTest, ValidatesTemplates) {
  const std::string body =
      Ask("ValidateTemplate", "TemplateBody=" + http::PercentEncode(kTemplate))
          .body;
  EXPECT_EQ(In(body, "Description"), "Two things &amp; more");
  EXPECT_EQ(Count(body, "<ParameterKey>"), 2u);
  EXPECT_EQ(In(body, "NoEcho"), "true");
  EXPECT_EQ(In(body, "DefaultValue"), "3");
  EXPECT_FALSE(absl::StrContains(body, "Capabilities"));
  ExpectRefused(Ask("ValidateTemplate", "TemplateBody=Resources:"),
                "ValidationError", "Template format error: ");
  ExpectRefused(Ask("ValidateTemplate", "TemplateURL=http://x"),
                "ValidationError", "TemplateBody");
}

TEST_F(ServiceTest, RefusesWhatItDoesNotOffer) {
  ExpectRefused(Ask("DescribeStacks", "StackName=none"), "ValidationError",
                "Stack with id none does not exist");
  ExpectRefused(Ask("GetTemplate"), "ValidationError", "stackName");
  ExpectRefused(Ask("CreateStack", "StackName=x"), "InvalidAction",
                "byoshin up --template=FILE");
  ExpectRefused(Ask("DetectStackDrift"), "InvalidAction", "DetectStackDrift");
  EXPECT_EQ(In(Ask("DescribeStacks", "StackName=%zz").body, "Code"),
            "MalformedQueryString");
}

TEST_F(ServiceTest, NeedsThePermissionOnTheStack) {
  Call call{.operation = "DescribeStacks",
            .protocol = WireProtocol::kQuery,
            .body = "Action=DescribeStacks&StackName=s",
            .region = "us-east-1",
            .caller = {.account_id = "000000000000"}};
  EXPECT_EQ(service_->PermissionsFor(call),
            (std::vector<NeededPermission>{
                {"cloudformation:DescribeStacks",
                 "arn:aws:cloudformation:us-east-1:000000000000:stack/s/*"}}));
}

}  // namespace
}  // namespace byoshin::local::cloudformation
