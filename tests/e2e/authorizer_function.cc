// A Lambda authorizer that does what the token says: "allow", "deny", "other"
// (allows another method), "unauthorized", "fail" or "nonsense". A token of
// several words is "allow" with the second word as the API key.
#include <json/json.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"

namespace byoshin {
namespace {

class Authorizer final : public lambda::Handler {
 public:
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override {
    const absl::StatusOr<Json::Value> event =
        json::ParseValue(invocation.payload);
    if (!event.ok()) return event.status();
    const std::string token =
        (*event)["type"] == "TOKEN"
            ? (*event)["authorizationToken"].asString()
            : (*event)["queryStringParameters"]["token"].asString();
    const std::vector<std::string> words = absl::StrSplit(token, ' ');
    if (token == "unauthorized") {
      return absl::UnauthenticatedError("Unauthorized");
    }
    if (token == "fail") return absl::InternalError("no idea");
    if (token == "nonsense") return "\"nonsense\"";
    Json::Value result;
    result["principalId"] = "caller";
    result["context"]["token"] = token;
    result["context"]["calls"] = ++calls_;
    result["context"]["type"] = (*event)["type"];
    if (words.size() > 1) result["usageIdentifierKey"] = words[1];
    Json::Value& statement = result["policyDocument"]["Statement"][0];
    result["policyDocument"]["Version"] = "2012-10-17";
    statement["Action"] = "execute-api:Invoke";
    statement["Effect"] = token == "deny" ? "Deny" : "Allow";
    statement["Resource"] = absl::StrCat((*event)["methodArn"].asString(),
                                         token == "other" ? "/other" : "");
    return json::WriteValue(result);
  }

 private:
  int calls_ = 0;
};

}  // namespace
}  // namespace byoshin

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("authorizer");
  return process.Run([]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    return std::make_unique<Authorizer>();
  });
}
