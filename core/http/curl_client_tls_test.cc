// CurlClient against servers with TLS, which curl_client_tls_test.js starts
// before it runs this: one with a good certificate, one with that of another
// host, one with an expired one. Each is trusted by its own file of
// authorities.
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/http/testing/loopback_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::testing::HasSubstr;

std::string Variable(const char* name) {
  return env::Required(env::OfProcess(), name).value();
}

absl::StatusOr<Response> SendTo(const std::string& port,
                                const std::string& ca_file) {
  CurlClient client(ca_file);
  return client.Send({.url = absl::StrCat("https://localhost:", port, "/")});
}

TEST(CurlClientTls, AcceptsACertificateOfAnAuthorityInTheFile) {
  const absl::StatusOr<Response> response =
      SendTo(Variable("GOOD_PORT"), Variable("GOOD_CA_FILE"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "over TLS");
}

TEST(CurlClientTls, AcceptsItAgainForTheNextRequest) {
  CurlClient client(Variable("GOOD_CA_FILE"));
  const Request request{
      .url = absl::StrCat("https://localhost:", Variable("GOOD_PORT"), "/")};
  EXPECT_TRUE(client.Send(request).ok());
  EXPECT_TRUE(client.Send(request).ok());
}

TEST(CurlClientTls, RefusesACertificateOfAnotherAuthority) {
  const absl::Status status =
      SendTo(Variable("GOOD_PORT"), Variable("MISNAMED_CA_FILE")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("https://localhost:"));
}

TEST(CurlClientTls, RefusesTheCertificateOfAnotherHost) {
  const absl::Status status =
      SendTo(Variable("MISNAMED_PORT"), Variable("MISNAMED_CA_FILE")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << status;
}

TEST(CurlClientTls, RefusesAnAddressThatTheCertificateDoesNotName) {
  CurlClient client(Variable("GOOD_CA_FILE"));
  const absl::Status status =
      client
          .Send({.url = absl::StrCat(
                     "https://127.0.0.1:", Variable("GOOD_PORT"), "/")})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << status;
}

TEST(CurlClientTls, RefusesAnExpiredCertificate) {
  const absl::Status status =
      SendTo(Variable("EXPIRED_PORT"), Variable("EXPIRED_CA_FILE")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << status;
}

TEST(CurlClientTls, TrustsNobodyWithoutAFileOfAuthorities) {
  for (const char* ca_file : {"", "/no/such/file"}) {
    const absl::Status status = SendTo(Variable("GOOD_PORT"), ca_file).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("SSL_CERT_FILE"));
  }
}

TEST(CurlClientTls, SaysUnavailableWhenTheServerSpeaksNoTls) {
  testing::LoopbackServer server([](testing::Connection& connection) {
    connection.Write("HTTP/1.1 400 Bad Request\r\n\r\n");
    connection.AwaitClose();
  });
  const absl::Status status =
      SendTo(absl::StrCat(server.port()), Variable("GOOD_CA_FILE")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

}  // namespace
}  // namespace byoshin::http
