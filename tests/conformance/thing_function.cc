// The function of a custom resource. It logs each request of CloudFormation,
// and answers it: the resource's id is "thing-" and its property Version, which
// is also an attribute. The property Broken makes it fail.
#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"
#include "core/log/logger.h"

namespace byoshin {
namespace {

class Thing final : public lambda::Handler {
 public:
  explicit Thing(lambda::Process& process) : process_(process) {}

  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override {
    const absl::StatusOr<Json::Value> event =
        json::ParseValue(invocation.payload);
    if (!event.ok()) return event.status();
    process_.logger().Info(
        absl::StrCat(json::TextMember(*event, "RequestType"), " ",
                     json::TextMember(*event, "PhysicalResourceId")));
    const Json::Value& properties = (*event)["ResourceProperties"];
    Json::Value answer;
    for (const char* name : {"StackId", "RequestId", "LogicalResourceId"}) {
      answer[name] = (*event)[name];
    }
    const bool broken = properties.isMember("Broken") &&
                        json::TextMember(*event, "RequestType") != "Delete";
    answer["Status"] = broken ? "FAILED" : "SUCCESS";
    answer["Reason"] = "it is broken";
    answer["PhysicalResourceId"] =
        absl::StrCat("thing-", json::TextMember(properties, "Version"));
    answer["Data"]["Version"] = properties["Version"];
    const absl::StatusOr<http::Response> response = process_.http_client().Send(
        {.method = "PUT",
         .url = json::TextMember(*event, "ResponseURL"),
         .body = json::WriteValue(answer)});
    if (!response.ok()) return response.status();
    if (response->status != 200) return absl::UnavailableError(response->body);
    return "{}";
  }

 private:
  lambda::Process& process_;
};

}  // namespace
}  // namespace byoshin

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("thing");
  return process.Run([&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    return std::make_unique<Thing>(process);
  });
}
