// A service that no other code refers to is added to a cloud: one operation,
// one resource type, one permission, and an unsigned page. No file of
// local/cloud, local/gateway or local/iam changes for it.
#include <gtest/gtest.h>
#include <json/json.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/time/simulated_clock.h"
#include "local/cloud/cloud.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/module.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/schema.h"
#include "local/gateway/json_api.h"
#include "local/gateway/permission.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/signed_request.h"
#include "local/iam/authority.h"
#include "local/iam/module.h"

namespace byoshin::local::cloud {
namespace {

// Clocks that chime: each has a name and so many strokes.
class Chimes {
 public:
  void Put(const std::string& name, int strokes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    strokes_[name] = strokes;
  }
  void Remove(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    strokes_.erase(name);
  }
  int StrokesOf(const std::string& name) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = strokes_.find(name);
    return found == strokes_.end() ? 0 : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> strokes_;
};

constexpr ServiceTraits kTraits = {.name = "chimes",
                                   .target_prefix = "Chimes_20261117"};

class ChimesService final : public Service {
 public:
  explicit ChimesService(const Chimes& chimes) : chimes_(chimes) {}

  const ServiceTraits& traits() const override { return kTraits; }
  std::vector<NeededPermission> PermissionsFor(
      const Call& call) const override {
    return {PermissionByName(call, kTraits, {{"Name", "clock/"}})};
  }
  void Handle(Call call, AnswerFunction answer) override {
    JsonFields fields(call, "ValidationException");
    const std::string name = fields.Required("Name");
    if (!fields.status().ok()) return answer(Json11Answer(fields.status()));
    Json::Value result(Json::objectValue);
    result["Strokes"] = chimes_.StrokesOf(name);
    answer(Json11Answer(result));
  }

 private:
  const Chimes& chimes_;
};

class ClockProvider final : public cloudformation::ResourceProvider {
 public:
  explicit ClockProvider(Chimes& chimes) : chimes_(chimes) {}

  absl::string_view type() const override { return "Test::Chimes::Clock"; }
  const cloudformation::ResourceSchema& schema() const override {
    return schema_;
  }
  absl::StatusOr<cloudformation::ResourceState> Create(
      const cloudformation::ResourceRequest& request) override {
    const std::string name = request.logical_id;
    chimes_.Put(name, request.properties["Strokes"].asInt());
    return cloudformation::ResourceState{.physical_id = name};
  }
  absl::StatusOr<cloudformation::ResourceState> Update(
      const cloudformation::ResourceRequest& request,
      const Json::Value&) override {
    return Create(request);
  }
  absl::Status Delete(const cloudformation::ResourceRequest& request) override {
    chimes_.Remove(request.physical_id);
    return absl::OkStatus();
  }

 private:
  const cloudformation::ResourceSchema schema_{.acted_on = {"Strokes"}};
  Chimes& chimes_;
};

class ChimesModule final : public Module {
 public:
  std::vector<Service*> services() override { return {&service_}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    registry.Add(std::make_unique<ClockProvider>(chimes_));
  }
  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (request.path != "/chimes") return false;
    respond({.body = "ding dong"});
    return true;
  }

 private:
  Chimes chimes_;
  ChimesService service_{chimes_};
};

ModuleSpec NewChimes() {
  return {.name = "chimes",
          .open = [](Host&) -> absl::StatusOr<std::unique_ptr<Module>> {
            return std::make_unique<ChimesModule>();
          }};
}

constexpr char kTemplate[] = R"({"Resources":{
  "Tower":{"Type":"Test::Chimes::Clock","Properties":{"Strokes":12}},
  "Ringer":{"Type":"AWS::IAM::Role","Properties":{"RoleName":"ringer",
    "AssumeRolePolicyDocument":{"Version":"2012-10-17","Statement":[{
      "Effect":"Allow","Principal":{"Service":"lambda.amazonaws.com"},
      "Action":"sts:AssumeRole"}]},
    "Policies":[{"PolicyName":"P","PolicyDocument":{
      "Version":"2012-10-17","Statement":[{
        "Effect":"Allow","Action":"chimes:GetStrokes",
        "Resource":"arn:aws:chimes:us-east-1:000000000000:clock/Tower"}]}}]}}}})";

class AddedServiceTest : public ::testing::Test {
 protected:
  AddedServiceTest() {
    absl::StatusOr<std::unique_ptr<Cloud>> cloud = Cloud::Start(
        {.gateway = {.port = 0},
         .on_note = [this](const std::string& note) { notes_ += note; }},
        {iam::IamModule(), NewChimes(), cloudformation::CloudFormationModule()},
        clock_);
    EXPECT_TRUE(cloud.ok()) << cloud.status();
    cloud_ = *std::move(cloud);
    const absl::Status deployed =
        cloud_->Get<cloudformation::Deployer>()
            .Deploy({.stack_name = "s", .template_text = kTemplate})
            .status();
    EXPECT_TRUE(deployed.ok()) << deployed;
  }

  http::Response Ask(const aws::Credentials& credentials,
                     absl::string_view clock) {
    http::testing::SocketClient client(cloud_->port());
    client.Send(local::testing::SignedRequest(
        {.host = "localhost",
         .service = "chimes",
         .region = "us-east-1",
         .headers = {{"Content-Type", "application/x-amz-json-1.1"},
                     {"X-Amz-Target", "Chimes_20261117.GetStrokes"}},
         .body = absl::StrCat(R"({"Name":")", clock, R"("})"),
         .time = absl::Now(),
         .credentials = credentials}));
    return client.ReadResponse();
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'794'816'000)};
  std::string notes_;
  std::unique_ptr<Cloud> cloud_;
};

TEST_F(AddedServiceTest, AnswersWhatAStackHasMade) {
  const aws::Credentials account{"test", aws::Secret("test")};
  EXPECT_EQ(Ask(account, "Tower").body, R"({"Strokes":12})");
  EXPECT_EQ(Ask(account, "Other").body, R"({"Strokes":0})");
  http::testing::SocketClient client(cloud_->port());
  client.Send("GET /chimes HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "ding dong");
}

TEST_F(AddedServiceTest, IsHeldToThePermissionsOfARole) {
  const absl::StatusOr<aws::Credentials> ringer =
      cloud_->Get<iam::Authority>().CredentialsForFunction(
          "arn:aws:iam::000000000000:role/ringer");
  ASSERT_TRUE(ringer.ok()) << ringer.status();
  EXPECT_EQ(Ask(*ringer, "Tower").status, 200);
  EXPECT_EQ(notes_, "");
  EXPECT_EQ(Ask(*ringer, "Other").status, 403);
  EXPECT_TRUE(absl::StrContains(notes_, "chimes:GetStrokes")) << notes_;
}

}  // namespace
}  // namespace byoshin::local::cloud
