#include "local/lambda/runtime_api.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/testing/socket_client.h"
#include "gtest/gtest.h"

namespace byoshin::local::lambda {
namespace {

TEST(RuntimeApi, GivesNoInvocationToAWebPage) {
  int asked = 0;
  absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start(
      {.on_next = [&asked] { ++asked; }, .on_result = [](auto) {}});
  ASSERT_TRUE(api.ok()) << api.status();
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

}  // namespace
}  // namespace byoshin::local::lambda
