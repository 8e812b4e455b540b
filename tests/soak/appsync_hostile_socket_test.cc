// Hostile clients of AppSync's real-time endpoint: each gets a clear error or
// is disconnected, the cloud's memory is bounded, and good clients are served
// beside them and afterwards.
//
//   ./bazelw test //tests/soak:appsync_hostile_socket_test
//   ./bazelw run //tests/soak:appsync_hostile_socket_test -- --sockets=10000
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/host/open_files.h"
#include "core/http/testing/web_socket_client.h"
#include "core/http/web_socket.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/soak/hostile_api.h"
#include "tests/soak/hostile_client.h"

ABSL_FLAG(int, sockets, 1500, "Sockets that are open at the same time.");

namespace byoshin::tests {
namespace {

using http::testing::ClientFrame;
using http::testing::WebSocketClient;

// Of the cloud's process, besides its sockets; and of a socket.
constexpr double kMaxMib = 500;
constexpr double kMaxKibPerSocket = 64;

constexpr absl::string_view kInit = R"({"type":"connection_init"})";
// The first byte of a frame of a message that goes on, and of those after it.
constexpr std::uint8_t kFirstFragment = 0x01;
constexpr std::uint8_t kNextFragment = 0x00;

class AppsyncHostileSocket : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    host::AllowManyOpenFiles();
    absl::StatusOr<std::unique_ptr<HostileApi>> api = HostileApi::Start();
    ASSERT_TRUE(api.ok()) << api.status();
    api_ = api->release();
  }
  static void TearDownTestSuite() {
    delete api_;
    api_ = nullptr;
  }

  void SetUp() override { ASSERT_NE(api_, nullptr); }
  void TearDown() override {
    const absl::Status served = api_->ServeGoodClient();
    EXPECT_TRUE(served.ok()) << served;
    const absl::Status closed = api_->AwaitClosedSockets();
    EXPECT_TRUE(closed.ok()) << closed;
    std::cout << absl::StrFormat("the cloud: %.0f MiB, at most %.0f\n",
                                 api_->ResidentMib(), api_->PeakMib());
    EXPECT_LT(api_->PeakMib(),
              kMaxMib + kMaxKibPerSocket * absl::GetFlag(FLAGS_sockets) / 1024);
  }

  static WebSocketClient Open() {
    return WebSocketClient(static_cast<std::uint16_t>(api_->target().port),
                           bench::UpgradeRequest(api_->target()));
  }
  // Past the acknowledgment and the first keep-alive.
  static WebSocketClient OpenReady() {
    WebSocketClient client = Open();
    client.SendText(kInit);
    EXPECT_TRUE(absl::StrContains(client.ReadText(), "connection_ack"));
    EXPECT_EQ(client.ReadText(), R"({"type":"ka"})");
    return client;
  }

  // A client that is subscribed to a group, and reads nothing from then on.
  static absl::StatusOr<bench::Connection> OpenSubscription(
      absl::string_view group) {
    absl::StatusOr<bench::Connection> client =
        bench::Connection::Open(api_->target().port);
    if (!client.ok()) return client.status();
    absl::Status status = client->Send(absl::StrCat(
        bench::UpgradeRequest(api_->target()),
        ClientFrame(http::testing::kTextFrame, kInit),
        ClientFrame(http::testing::kTextFrame, StartReports("1", group))));
    while (status.ok() && !absl::StrContains(client->received(), "start_ack")) {
      status = client->Receive();
    }
    if (!status.ok()) return status;
    return client;
  }

  static std::string Start(absl::string_view id, std::string query) {
    return bench::StartMessage(api_->target(), id, {.query = std::move(query)});
  }
  static bench::GroupOperations Group(absl::string_view id) {
    return bench::PlainGroup(std::string(id), {"report"});
  }
  static std::string StartReports(absl::string_view id,
                                  absl::string_view group) {
    return bench::StartMessage(api_->target(), id, Group(group).subscribe);
  }

  static void ExpectText(WebSocketClient& client, absl::string_view part) {
    const std::string text = client.ReadText();
    EXPECT_TRUE(absl::StrContains(text, part)) << text.substr(0, 1000);
  }

  static absl::Status Report(absl::string_view group,
                             const std::string& value) {
    absl::StatusOr<bench::Connection> connection =
        bench::Connection::Open(api_->target().port);
    if (!connection.ok()) return connection.status();
    const absl::StatusOr<bench::Reply> reply = connection->Exchange(
        bench::PostRequest(api_->target(), Group(group).report(0, 0, value)));
    if (!reply.ok()) return reply.status();
    if (reply->status == 200) return absl::OkStatus();
    return absl::InternalError(reply->body);
  }

  static HostileApi* api_;
};

HostileApi* AppsyncHostileSocket::api_ = nullptr;

TEST_F(AppsyncHostileSocket, MessagesThatMakeNoSenseGetAnError) {
  WebSocketClient client = Open();
  const std::string start = StartReports("1", "g");
  client.SendText(start);
  ExpectText(client, "send connection_init and wait for connection_ack first");
  client.SendText(kInit);
  ExpectText(client, "connection_ack");
  ExpectText(client, "ka");
  for (const absl::string_view text :
       {"", "null", "[]", "{", "{\"type\":", "\x01", "{\"id\":1}"}) {
    client.SendText(text);
    ExpectText(client, "UnsupportedOperation");
  }
  const std::string deep(200'000, '[');
  client.SendText(deep);
  ExpectText(client, "the message is not a JSON object");
  client.SendText(Start(std::string(200, 'i'), "subscription { a }"));
  ExpectText(client, "id must be a text of 1 to 128 bytes");
  client.SendText(Start("deep", std::string(100'000, '{')));
  ExpectText(client, "Unable to parse GraphQL query.");
  client.SendText(Start("query", "{ echo }"));
  ExpectText(client, "only subscriptions are supported");
  client.SendText(R"({"type":"stop","id":"none"})");
  ExpectText(client, "Unknown operation id none");
  // It is still of use.
  client.SendText(start);
  ExpectText(client, "start_ack");
}

TEST_F(AppsyncHostileSocket, InvalidUtf8EndsTheConnection) {
  for (const absl::string_view bytes :
       {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    WebSocketClient client = OpenReady();
    client.SendText(absl::StrCat(R"({"type":")", bytes, "\"}"));
    EXPECT_EQ(client.ReadClose().code, http::kCloseInvalidText);
  }
}

TEST_F(AppsyncHostileSocket, MessagesWithoutEndAreRefused) {
  {
    WebSocketClient client = OpenReady();
    client.SendText(std::string(std::size_t{300} << 10, ' '));
    EXPECT_EQ(client.ReadClose().code, http::kCloseMessageTooBig);
  }
  WebSocketClient client = OpenReady();
  const std::string piece(std::size_t{16} << 10, ' ');
  client.SendFrame(kFirstFragment, piece);
  for (int i = 0; i < 20; ++i) client.SendFrame(kNextFragment, piece);
  EXPECT_EQ(client.ReadClose().code, http::kCloseMessageTooBig);
}

TEST_F(AppsyncHostileSocket, FramesOfNothingCostNothing) {
  std::vector<CarelessSocket> sockets;
  std::string nothing = ClientFrame(kFirstFragment, "");
  for (int i = 0; i < 50'000; ++i) {
    nothing += ClientFrame(kNextFragment, "");
  }
  std::string pings;
  for (int i = 0; i < 50'000; ++i) {
    pings += ClientFrame(http::testing::kPingFrame, std::string(100, 'p'));
  }
  for (const std::string& frames : {nothing, pings}) {
    CarelessSocket& socket = sockets.emplace_back(api_->target().port);
    socket.Send(bench::UpgradeRequest(api_->target()));
    socket.Send(frames);
  }
  const absl::Status served = api_->ServeGoodClient();
  EXPECT_TRUE(served.ok()) << served;
}

TEST_F(AppsyncHostileSocket, FramesThatAreCutAnywhereEnd) {
  const std::string start = StartReports("1", "cut");
  const std::string bytes =
      absl::StrCat(bench::UpgradeRequest(api_->target()),
                   ClientFrame(http::testing::kTextFrame, kInit),
                   ClientFrame(http::testing::kTextFrame, start),
                   ClientFrame(http::testing::kCloseFrame, ""));
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    CarelessSocket socket(api_->target().port);
    if (cut % 2 == 0) socket.ResetOnClose();
    socket.Send(absl::string_view(bytes).substr(0, cut));
  }
  // The same in two pieces is understood.
  const std::string frames =
      absl::StrCat(ClientFrame(http::testing::kTextFrame, kInit),
                   ClientFrame(http::testing::kTextFrame, start));
  for (std::size_t cut = 1; cut < frames.size(); ++cut) {
    WebSocketClient client = Open();
    client.SendBytes(absl::string_view(frames).substr(0, cut));
    client.SendBytes(absl::string_view(frames).substr(cut));
    ExpectText(client, "connection_ack");
    ExpectText(client, "ka");
    ExpectText(client, "start_ack");
    client.Leave();
  }
}

TEST_F(AppsyncHostileSocket, SubscriptionsOfAConnectionAreLimited) {
  WebSocketClient client = OpenReady();
  const std::string query =
      "subscription { onReport(groupId: \"g\") { nodeId } }";
  for (int i = 0; i < 100; ++i) {
    client.SendText(Start(absl::StrCat("s", i), query));
    ExpectText(client, "start_ack");
  }
  client.SendText(Start("more", query));
  ExpectText(client, "MaxSubscriptionsReachedError");
}

TEST_F(AppsyncHostileSocket, LargeSubscriptionsAreLimited) {
  WebSocketClient client = OpenReady();
  int accepted = 0;
  for (; accepted < 100; ++accepted) {
    std::string query = absl::StrCat("subscription { onReport(groupId: \"g",
                                     accepted, "\") { nodeId ");
    for (int i = 0; i < 14'000; ++i) query += "nodeId ";
    client.SendText(
        Start(absl::StrCat("s", accepted), absl::StrCat(query, "} }")));
    const std::string answer = client.ReadText();
    if (absl::StrContains(answer, "start_ack")) continue;
    EXPECT_TRUE(absl::StrContains(
        answer, "The subscriptions of the connection take more than"))
        << answer;
    break;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 10);
  // There is room again once some have ended.
  client.SendText(R"({"type":"stop","id":"s0"})");
  ExpectText(client, "complete");
  client.SendText(StartReports("1", "g"));
  ExpectText(client, "start_ack");
}

TEST_F(AppsyncHostileSocket, SubscribersThatDontReadAreDisconnected) {
  std::vector<bench::Connection> slow;
  for (int i = 0; i < 5; ++i) {
    absl::StatusOr<bench::Connection> client = OpenSubscription("slow");
    ASSERT_TRUE(client.ok()) << client.status();
    slow.push_back(*std::move(client));
  }
  const absl::StatusOr<std::unique_ptr<bench::Subscribers>> good =
      bench::Subscribers::Open(api_->target(),
                               {.subscription = Group("slow").subscribe});
  ASSERT_TRUE(good.ok()) << good.status();
  // Four megabytes beyond what the system holds for a socket.
  constexpr int kReports = 100;
  const std::string value(200'000, 'v');
  int received = 0;
  for (int i = 0; i < kReports; ++i) {
    const absl::Status reported = Report("slow", value);
    ASSERT_TRUE(reported.ok()) << reported;
    const absl::Time deadline = absl::Now() + kGuard;
    while (received <= i && absl::Now() < deadline) {
      const absl::Status status =
          (*good)->Receive(kGuard, [&](int, absl::string_view) { ++received; });
      ASSERT_TRUE(status.ok()) << status;
    }
  }
  EXPECT_EQ(received, kReports);
  for (bench::Connection& client : slow) {
    // Until the cloud has closed it or, if that took too long, disconnected it.
    std::string& bytes = client.received();
    while (!absl::StrContains(bytes, "the client reads too slowly") &&
           client.Receive().ok()) {
    }
    EXPECT_LT(bytes.size(), kReports * value.size());
  }
}

TEST_F(AppsyncHostileSocket, ManySocketsTakeLittleAndAreServed) {
  const int count = absl::GetFlag(FLAGS_sockets);
  const double before = api_->ResidentMib();
  {
    // Some never introduce themselves, most subscribe.
    std::vector<CarelessSocket> silent;
    for (int i = 0; i < count / 10; ++i) {
      silent.emplace_back(api_->target().port);
      silent.back().Send(bench::UpgradeRequest(api_->target()));
    }
    const int subscribers = count - count / 10;
    const absl::StatusOr<std::unique_ptr<bench::Subscribers>> open =
        bench::Subscribers::Open(
            api_->target(),
            {.count = subscribers, .subscription = Group("many").subscribe});
    ASSERT_TRUE(open.ok()) << open.status();
    const absl::Status reported = Report("many", "v");
    ASSERT_TRUE(reported.ok()) << reported;
    int received = 0;
    const absl::Time deadline = absl::Now() + kGuard;
    while (received < subscribers && absl::Now() < deadline) {
      const absl::Status status =
          (*open)->Receive(kGuard, [&](int, absl::string_view) { ++received; });
      ASSERT_TRUE(status.ok()) << status;
    }
    EXPECT_EQ(received, subscribers);
    const double kib = (api_->ResidentMib() - before) * 1024 / count;
    std::cout << absl::StrFormat("%d sockets, %.1f KiB each\n", count, kib);
    EXPECT_LT(kib, kMaxKibPerSocket);
    const absl::Status served = api_->ServeGoodClient();
    EXPECT_TRUE(served.ok()) << served;
  }
}

}  // namespace
}  // namespace byoshin::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
