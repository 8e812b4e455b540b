// A function behind a REST API that shows what it was given: /bytes answers
// with the very body of the request, /page with the parameter "html" as a page,
// any other path with the event.
#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"

namespace byoshin {
namespace {

class Echo final : public lambda::Handler {
 public:
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override {
    const absl::StatusOr<Json::Value> event =
        json::ParseValue(invocation.payload);
    if (!event.ok()) return event.status();
    Json::Value response;
    response["statusCode"] = 200;
    if (absl::EndsWith((*event)["path"].asString(), "/bytes")) {
      response["headers"]["Content-Type"] = "image/png";
      response["body"] = (*event)["body"];
      response["isBase64Encoded"] = (*event)["isBase64Encoded"];
    } else if (absl::EndsWith((*event)["path"].asString(), "/page")) {
      response["headers"]["Content-Type"] = "text/html";
      response["body"] = (*event)["queryStringParameters"]["html"];
    } else {
      for (const char* cookie : {"a=1", "b=2"}) {
        response["multiValueHeaders"]["Set-Cookie"].append(cookie);
      }
      response["body"] = invocation.payload;
    }
    return json::WriteValue(response);
  }
};

}  // namespace
}  // namespace byoshin

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("echo");
  return process.Run([]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    return std::make_unique<Echo>();
  });
}
