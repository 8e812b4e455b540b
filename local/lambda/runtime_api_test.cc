#include "local/lambda/runtime_api.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "core/http/testing/socket_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/lambda/connection_owner.h"
#include "local/process/child.h"

namespace byoshin::local::lambda {
namespace {

TEST(RuntimeApi, GivesNoInvocationToAWebPage) {
  int asked = 0;
  absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start(
      {.on_next = [&asked] { ++asked; }, .on_result = [](auto) {}});
  ASSERT_TRUE(api.ok()) << api.status();
  (*api)->Serve(getpgrp());
  const std::string address = (*api)->address();
  int port = 0;
  ASSERT_TRUE(absl::SimpleAtoi(address.substr(address.find(':') + 1), &port));
  const auto status_of = [&](absl::string_view host, absl::string_view header) {
    http::testing::SocketClient client(static_cast<std::uint16_t>(port));
    client.Send(absl::StrCat("GET /2018-06-01/runtime/invocation/next ",
                             "HTTP/1.1\r\nHost: ", host, "\r\n", header,
                             "\r\n"));
    return client.ReadResponse().status;
  };
  EXPECT_EQ(status_of(address, "Sec-Fetch-Site: cross-site\r\n"), 403);
  EXPECT_EQ(status_of(address, "Origin: https://evil.example\r\n"), 403);
  EXPECT_EQ(status_of("rebound.example", ""), 403);
  EXPECT_EQ(asked, 0);
}

// Who sends a request and resets the connection must not be served.
TEST(MayBelongTo, IsFalseIfTheClientIsGone) {
  absl::StatusOr<std::unique_ptr<RuntimeApi>> api =
      RuntimeApi::Start({.on_next = [] {}, .on_result = [](auto) {}});
  ASSERT_TRUE(api.ok()) << api.status();
  const std::string address = (*api)->address();
  int port = 0;
  ASSERT_TRUE(absl::SimpleAtoi(address.substr(address.find(':') + 1), &port));
  // From where nobody has connected.
  EXPECT_FALSE(MayBelongTo(getpgrp(), 1, static_cast<std::uint16_t>(port)));
}

// A process, which leads a group, whose own child asks for an invocation.
class Asker {
 public:
  explicit Asker(absl::string_view address) {
    const std::vector<std::string> parts = absl::StrSplit(address, ':');
    auto child = process::Child::Start(
        {.argv = {"/bin/bash", "-c",
                  absl::StrCat(
                      "(exec 3<>/dev/tcp/", parts[0], "/", parts[1],
                      "; printf 'GET /2018-06-01/runtime/invocation/next "
                      "HTTP/1.1\\r\\nHost: ",
                      address,
                      "\\r\\n\\r\\n' >&3; read -r line <&3; "
                      "echo \"$line\"); exit 0")},
         .on_output =
             [this](process::Child::Stream, absl::string_view bytes) {
               absl::StrAppend(&output_, bytes);
             },
         .on_exit =
             [this](const process::ExitStatus&) { ended_.set_value(); }});
    EXPECT_TRUE(child.ok()) << child.status();
    child_ = *std::move(child);
  }

  pid_t pid() const { return child_->pid(); }
  // Waits for the first line of the answer.
  std::string Answer() {
    ended_.get_future().wait();
    return output_;
  }

 private:
  std::string output_;
  std::promise<void> ended_;
  std::unique_ptr<process::Child> child_;
};

TEST(RuntimeApi, ServesOneProcessAndNoOther) {
  std::promise<void> asked;
  absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start(
      {.on_next = [&asked] { asked.set_value(); }, .on_result = [](auto) {}});
  ASSERT_TRUE(api.ok()) << api.status();
  Asker function((*api)->address());
  Asker stranger((*api)->address());
  (*api)->Serve(function.pid());
  EXPECT_THAT(stranger.Answer(), ::testing::StartsWith("HTTP/1.1 403"));
  // A second call would throw.
  asked.get_future().wait();
  Asker late((*api)->address());
  EXPECT_THAT(late.Answer(), ::testing::StartsWith("HTTP/1.1 403"));
  EXPECT_TRUE((*api)->Deliver({.request_id = "id", .deadline = absl::Now()}));
  EXPECT_THAT(function.Answer(), ::testing::StartsWith("HTTP/1.1 200"));
}

}  // namespace
}  // namespace byoshin::local::lambda
