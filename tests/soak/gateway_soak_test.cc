// Thousands of clients of the gateway at a time, most of which do nothing, too
// little or mischief; those that behave get right answers, all of them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/http/testing/socket_client.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/testing/echo_service.h"
#include "local/gateway/testing/signed_request.h"
#include "tests/soak/hostile_client.h"

namespace byoshin::local {
namespace {

using http::testing::SocketClient;
using testing::EchoService;
using testing::SignedRequest;

constexpr int kIdle = 1200;
constexpr int kSlowHeader = 300;
constexpr int kSlowBody = 300;
constexpr int kPolling = 200;
constexpr int kWellBehavedThreads = 3;
constexpr int kWellBehavedPerThread = 80;
constexpr int kRequestsEach = 5;
constexpr int kHostileThreads = 2;
constexpr int kHostilePerThread = 200;
constexpr int kNeverEnding = 600;

// Bytes at a time, for who is slow.
constexpr std::size_t kDrip = 16;

// Both ends of each connection are in this process.
constexpr rlim_t kDescriptors = 6000;

const absl::Time kNow = absl::FromUnixSeconds(1794816000);

// For clients that take their time.
constexpr ClientTimeouts kPatient = {.between_requests = absl::Hours(1),
                                     .to_send_header = absl::Hours(1),
                                     .to_send_body = absl::Hours(1),
                                     .to_take_answer = absl::Hours(1)};

class GatewaySoakTest : public ::testing::Test {
 protected:
  GatewaySoakTest() {
    rlimit limit;
    EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_GE(limit.rlim_max, kDescriptors)
        << "this test needs more file descriptors: ulimit -Hn";
    limit.rlim_cur = limit.rlim_max;
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    credentials_.Add(
        {.access_key_id = "test", .secret_access_key = aws::Secret("test")});
  }

  void Start(const ClientTimeouts& timeouts) {
    absl::StatusOr<std::unique_ptr<Gateway>> gateway = Gateway::Start(
        {.port = 0, .timeouts = timeouts}, {&sqs_}, credentials_, clock_);
    ASSERT_TRUE(gateway.ok()) << gateway.status();
    gateway_ = *std::move(gateway);
    host_ = absl::StrCat("127.0.0.1:", gateway_->port());
  }

  std::string Request(absl::string_view operation, absl::string_view body) {
    return SignedRequest(
        {.host = host_,
         .service = "sqs",
         .headers = {{"Content-Type", "application/x-amz-json-1.0"},
                     {"X-Amz-Target", absl::StrCat("AmazonSQS.", operation)}},
         .body = std::string(body),
         .time = kNow});
  }

  void ExpectAnswer(SocketClient& client, absl::string_view operation,
                    absl::string_view body) {
    const http::Response response = client.ReadResponse();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, absl::StrCat("sqs ", operation, " eu-central-1 ",
                                          "http://", host_) +
                                 absl::StrCat(" / ", body));
  }

  std::vector<SocketClient> Connect(int count) {
    std::vector<SocketClient> clients;
    for (int i = 0; i < count; ++i) clients.emplace_back(gateway_->port());
    return clients;
  }

  // Each of the thread's clients asks in turn, so that all stay connected.
  void Behave(int thread) {
    std::vector<SocketClient> clients = Connect(kWellBehavedPerThread);
    for (int round = 0; round < kRequestsEach; ++round) {
      for (std::size_t i = 0; i < clients.size(); ++i) {
        clients[i].Send(
            Request("SendMessage", absl::StrCat(thread, ".", i, ".", round)));
      }
      for (std::size_t i = 0; i < clients.size(); ++i) {
        ExpectAnswer(clients[i], "SendMessage",
                     absl::StrCat(thread, ".", i, ".", round));
      }
    }
  }

  time::SimulatedClock clock_{kNow};
  CredentialSet credentials_;
  EchoService sqs_{"sqs"};
  std::unique_ptr<Gateway> gateway_;
  std::string host_;
};

TEST_F(GatewaySoakTest, ServesWhoBehavesBesideWhoDoesNot) {
  Start(kPatient);
  std::vector<SocketClient> idle = Connect(kIdle);
  std::vector<SocketClient> slow_header = Connect(kSlowHeader);
  std::vector<SocketClient> slow_body = Connect(kSlowBody);
  std::vector<SocketClient> polling = Connect(kPolling);
  const std::string request = Request("SendMessage", "0123456789");
  const std::size_t half_header = request.size() / 2;
  const std::size_t half_body = request.size() - 5;
  for (SocketClient& client : slow_header) {
    client.Send(absl::string_view(request).substr(0, half_header));
  }
  for (SocketClient& client : slow_body) {
    client.Send(absl::string_view(request).substr(0, half_body));
  }
  for (SocketClient& client : polling) client.Send(Request("Poll", "p"));
  sqs_.AwaitHeld(kPolling);

  std::vector<std::thread> threads;
  for (int i = 0; i < kWellBehavedThreads; ++i) {
    threads.emplace_back([this, i] { Behave(i); });
  }
  for (int i = 0; i < kHostileThreads; ++i) {
    threads.emplace_back([this, &request] {
      for (int kind = 0; kind < kHostilePerThread; ++kind) {
        tests::MisbehaveOnce(gateway_->port(), kind, request);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(gateway_->connections(),
            kIdle + kSlowHeader + kSlowBody + kPolling);

  // Nobody was forgotten meanwhile.
  for (SocketClient& client : slow_header) {
    for (absl::string_view rest =
             absl::string_view(request).substr(half_header);
         !rest.empty(); rest.remove_prefix(std::min(kDrip, rest.size()))) {
      client.Send(rest.substr(0, kDrip));
    }
    ExpectAnswer(client, "SendMessage", "0123456789");
  }
  for (SocketClient& client : slow_body) {
    client.Send(absl::string_view(request).substr(half_body));
    ExpectAnswer(client, "SendMessage", "0123456789");
  }
  for (SocketClient& client : idle) {
    client.Send(request);
    ExpectAnswer(client, "SendMessage", "0123456789");
  }
  // Half of those that wait leave; the others are answered.
  for (int i = 0; i < kPolling; i += 2) polling[i].Close();
  sqs_.AnswerHeld();
  for (int i = 1; i < kPolling; i += 2) ExpectAnswer(polling[i], "Poll", "p");
  gateway_->Stop();
}

TEST_F(GatewaySoakTest, CutsOffWhoNeverComesToAnEnd) {
  Start({.between_requests = absl::Milliseconds(20),
         .to_send_header = absl::Milliseconds(20),
         .to_send_body = absl::Milliseconds(20)});
  std::vector<tests::CarelessSocket> clients;
  for (int i = 0; i < kNeverEnding; ++i) {
    clients.emplace_back(gateway_->port());
    if (i % 3 == 1) {
      clients.back().Send("POST / HTTP/1.1\r\nHost: x\r\nX-Half: ");
    } else if (i % 3 == 2) {
      clients.back().Send(
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345");
    }
  }
  for (tests::CarelessSocket& client : clients) client.AwaitEnd();
}

}  // namespace
}  // namespace byoshin::local
