// Tries the verification of signatures on any bytes, and against who signs.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/authenticator.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"

namespace byoshin::local {
namespace {

// 20261116T080000Z, of which the corpus is.
const absl::Time kNow = absl::FromUnixSeconds(1794816000);

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

class World {
 public:
  World() {
    // Nobody can have signed with it by chance.
    credentials_.Add({.access_key_id = "test",
                      .secret_access_key = aws::Secret("k3Jq0ZsP7vW1")});
  }

  absl::StatusOr<Identity> Verify(const http::ServerRequest& request,
                                  WireProtocol protocol) const {
    return authenticator_.Authenticate(request, {.protocol = protocol});
  }

 private:
  CredentialSet credentials_;
  time::SimulatedClock clock_{kNow};
  Authenticator authenticator_{credentials_, clock_};
};

// The input is the headers Authorization and X-Amz-Date and the query, a line
// each.
void CheckForgery(const World& world, absl::string_view input) {
  const std::vector<std::string> lines =
      absl::StrSplit(input, absl::MaxSplits('\n', 2));
  http::ServerRequest request;
  request.method = "GET";
  request.path = "/";
  request.headers = {{"Host", "127.0.0.1:4566"}};
  if (!lines[0].empty()) request.headers.push_back({"Authorization", lines[0]});
  if (lines.size() > 1) request.headers.push_back({"X-Amz-Date", lines[1]});
  if (lines.size() > 2) request.query = lines[2];
  for (const WireProtocol protocol :
       {WireProtocol::kJson10, WireProtocol::kQuery}) {
    const absl::StatusOr<Identity> identity = world.Verify(request, protocol);
    Require(!identity.ok(), "nobody gets in without the secret");
    const ErrorAnswer error = ErrorAnswerOf(identity.status());
    Require(error.code != "InternalFailure" && error.http_status >= 400 &&
                error.http_status < 500,
            "what is wrong is the caller's fault");
    Require(error.message.find("k3Jq0ZsP7vW1") == std::string::npos,
            "no error tells the secret");
  }
}

// Whatever the parts of a request are, who has the secret can sign it, and
// then nothing of it can be changed.
void CheckSigned(const World& world, absl::string_view input) {
  const std::string text(input);
  aws::RequestParts parts{
      .method = "POST",
      .path = "/" + http::PercentEncodePath(text),
      .query = {{"q" + text, text}, {"a", text}},
      .headers = {{"Host", "127.0.0.1:4566"}, {"X-Amz-Meta", text}},
      .body = text};
  http::ServerRequest request;
  request.method = parts.method;
  request.path = parts.path;
  request.query = http::FormatQuery(parts.query);
  request.headers = parts.headers;
  request.body = parts.body;
  aws::Signature signature =
      aws::Sign(std::move(parts), {"test", aws::Secret("k3Jq0ZsP7vW1")},
                {.region = "us-east-1", .service = "sqs", .time = kNow});
  for (http::Header& header : signature.headers) {
    request.headers.push_back(std::move(header));
  }
  Require(world.Verify(request, WireProtocol::kJson10).ok(),
          "what was signed is accepted");
  request.body += "x";
  Require(!world.Verify(request, WireProtocol::kJson10).ok(),
          "what was changed is not");
}

}  // namespace
}  // namespace byoshin::local

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto& world = *new byoshin::local::World;
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  byoshin::local::CheckForgery(world, input);
  byoshin::local::CheckSigned(world, input);
  return 0;
}
