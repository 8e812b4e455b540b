#include "local/cloud/cloud.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/time/clock.h"
#include "core/time/simulated_clock.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/echo_service.h"
#include "local/gateway/testing/signed_request.h"
#include "local/store/store.h"

namespace byoshin::local::cloud {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1794816000);

class EchoModule final : public Module {
 public:
  EchoModule(std::string name, std::vector<std::string>& events)
      : service_(name), name_(std::move(name)), events_(events) {}
  ~EchoModule() override { events_.push_back(name_ + " ended"); }

  std::vector<Service*> services() override { return {&service_}; }
  void Begin() override {
    events_.push_back(name_ + " began");
    began_ = true;
  }
  void Drain(absl::Duration) override { events_.push_back(name_ + " drained"); }
  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (request.path != "/" + name_) return false;
    respond({.body = absl::StrCat(name_, began_ ? "" : " before it began")});
    return true;
  }
  bool TakesEarly(const http::ServerRequest& request) override {
    return request.path == "/dynamodb" && name_ == "dynamodb";
  }

 private:
  std::atomic<bool> began_ = false;
  local::testing::EchoService service_;
  const std::string name_;
  std::vector<std::string>& events_;
};

// Counts the requests to the queues.
class WatchModule final : public Module {
 public:
  explicit WatchModule(int& requests) : requests_(requests) {}

  std::unique_ptr<Service> Watch(Service& service) override {
    if (service.name() != "sqs") return nullptr;
    return std::make_unique<Counter>(service, requests_);
  }

 private:
  class Counter final : public ForwardingService {
   public:
    Counter(Service& service, int& requests)
        : ForwardingService(service), requests_(requests) {}
    void Handle(Call call, AnswerFunction answer) override {
      ++requests_;
      ForwardingService::Handle(std::move(call), std::move(answer));
    }

   private:
    int& requests_;
  };

  int& requests_;
};

class CloudTest : public ::testing::Test {
 protected:
  // An echo that also notes, in its store, how often it was opened.
  ModuleSpec Echo(std::string name) {
    return {.name = name,
            .stores = {{.name = name}},
            .open = [this, name](Host& host) {
              return Open(name, host.store(name));
            }};
  }

  absl::StatusOr<std::unique_ptr<Cloud>> Start(CloudOptions options) {
    options.gateway.port = 0;
    options.gateway.signing_clock = &clock_;
    return Cloud::Start(options, {Echo("sqs"), Echo("dynamodb")}, clock_);
  }

  int Ask(const Cloud& cloud, const aws::Credentials& credentials) {
    http::testing::SocketClient client(cloud.port());
    client.Send(local::testing::SignedRequest(
        {.host = "localhost",
         .service = "sqs",
         .headers = {{"Content-Type", "application/x-amz-json-1.0"},
                     {"X-Amz-Target", "AmazonSQS.ListQueues"}},
         .body = "{}",
         .time = kNow,
         .credentials = credentials}));
    return client.ReadResponse().status;
  }

  // Of each test its own.
  std::string Directory() {
    return absl::StrCat(
        ::testing::TempDir(), "/cloud_test/",
        ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }

  time::SimulatedClock clock_{kNow};
  std::vector<std::string> opened_;
  std::vector<std::string> events_;

 private:
  absl::StatusOr<std::unique_ptr<Module>> Open(const std::string& name,
                                               Store& store) {
    const auto before = store.Get("opened");
    if (!before.ok()) return before.status();
    const std::string now = absl::StrCat(before->value_or(""), "I");
    opened_.push_back(absl::StrCat(name, " ", now));
    absl::Status status = store.Put("opened", now);
    if (status.ok()) status = store.Commit();
    if (!status.ok()) return status;
    return std::make_unique<EchoModule>(name, events_);
  }
};

TEST_F(CloudTest, ServesWhatItIsGivenToWhoeverIsTest) {
  const auto cloud = Start({});
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  EXPECT_TRUE(absl::StartsWith((*cloud)->url(), "http://127.0.0.1:"));
  EXPECT_EQ(Ask(**cloud, {"test", aws::Secret("test")}), 200);
  EXPECT_EQ(Ask(**cloud, {"me", aws::Secret("mine")}), 400);
  (*cloud)->credentials().Add(
      {.access_key_id = "me", .secret_access_key = aws::Secret("mine")});
  EXPECT_EQ(Ask(**cloud, {"me", aws::Secret("mine")}), 200);
}

TEST_F(CloudTest, ServesOnlyWhomItIsToldTo) {
  const auto cloud =
      Start({.credentials = {{.access_key_id = "me",
                              .secret_access_key = aws::Secret("mine")}}});
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  EXPECT_EQ(Ask(**cloud, {"me", aws::Secret("mine")}), 200);
  EXPECT_EQ(Ask(**cloud, {"test", aws::Secret("test")}), 400);
}

TEST_F(CloudTest, BeginsItsModulesInOrderAndEndsThemInReverse) {
  {
    const auto cloud = Start({});
    ASSERT_TRUE(cloud.ok()) << cloud.status();
    EXPECT_EQ((*cloud)->services(),
              (std::vector<std::string>{"sqs", "dynamodb"}));
    (*cloud)->Begin();
  }
  EXPECT_EQ(events_, (std::vector<std::string>{
                         "sqs began", "dynamodb began", "dynamodb drained",
                         "sqs drained", "dynamodb ended", "sqs ended"}));
}

TEST_F(CloudTest, LetsModulesWatchRequestsFromOutsideAndOfOtherModules) {
  int requests = 0;
  Host* host = nullptr;
  const auto cloud = Cloud::Start(
      {.gateway = {.port = 0, .signing_clock = &clock_}},
      {Echo("sqs"),
       {.name = "watch",
        .open = [&](Host& opened) -> absl::StatusOr<std::unique_ptr<Module>> {
          host = &opened;
          return std::make_unique<WatchModule>(requests);
        }}},
      clock_);
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  EXPECT_EQ(Ask(**cloud, {"test", aws::Secret("test")}), 200);
  EXPECT_EQ(requests, 1);
  int answers = 0;
  host->FindService("sqs")->Handle({}, [&](Answer) { ++answers; });
  EXPECT_EQ(answers, 1);
  EXPECT_EQ(requests, 2);
}

TEST_F(CloudTest, LetsModulesAnswerWhatNobodyHasSigned) {
  const auto cloud = Start({});
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  http::testing::SocketClient client((*cloud)->port());
  client.Send("GET /dynamodb HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "dynamodb before it began");
}

TEST_F(CloudTest, HoldsEarlyRequestsThatModulesDoNotTakeUntilItBegins) {
  const auto cloud = Start({.early_requests = EarlyRequestsAre::kHeld});
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  http::testing::SocketClient held((*cloud)->port());
  held.Send("GET /sqs HTTP/1.1\r\nHost: localhost\r\n\r\n");
  http::testing::SocketClient needed((*cloud)->port());
  needed.Send("GET /dynamodb HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(needed.ReadResponse().body, "dynamodb before it began");
  (*cloud)->Begin();
  EXPECT_EQ(held.ReadResponse().body, "sqs");
}

TEST_F(CloudTest, KeepsWhatItsServicesStore) {
  const std::string directory = absl::StrCat(Directory(), "/made/for/us");
  for (int i = 0; i < 2; ++i) {
    const auto cloud = Start({.data_directory = directory});
    ASSERT_TRUE(cloud.ok()) << cloud.status();
  }
  EXPECT_EQ(opened_, (std::vector<std::string>{"sqs I", "dynamodb I", "sqs II",
                                               "dynamodb II"}));
}

TEST_F(CloudTest, KeepsNothingInMemory) {
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(Start({}).ok());
  EXPECT_EQ(opened_, (std::vector<std::string>{"sqs I", "dynamodb I", "sqs I",
                                               "dynamodb I"}));
}

TEST_F(CloudTest, IsAloneOnItsData) {
  const auto first = Start({.data_directory = Directory()});
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = Start({.data_directory = Directory()});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(absl::StrContains(second.status().message(),
                                absl::StrCat(Directory(), "/sqs.db")))
      << second.status();
}

TEST_F(CloudTest, SaysWhereItCannotKeepData) {
  const std::string file = absl::StrCat(::testing::TempDir(), "/a_file");
  std::ofstream(file) << "not a directory";
  const auto cloud = Start({.data_directory = absl::StrCat(file, "/data")});
  EXPECT_EQ(cloud.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(
      cloud.status().message(),
      absl::StrCat("cannot make the folder ", file, "/data: Not a directory"));
}

TEST_F(CloudTest, SaysThatItsPortIsTaken) {
  const auto first = Start({});
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second =
      Cloud::Start({.gateway = {.port = (*first)->port()}}, {}, clock_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace byoshin::local::cloud
