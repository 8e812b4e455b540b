// A function behind a GraphQL API. As an authorizer it does what the token
// says: "allow", "fields" (all but Query.denied), "once" (not to be kept),
// "deny", "nonsense" or "fail". Otherwise it answers each element of a list, or
// fails with their number if they are to be "told" something; fails if "fail"
// says why; tells its credentials if "credentials" is there; about a failed
// condition, decides as its argument "decision" says; or returns what it was
// given.

#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"

namespace byoshin {
namespace {

class Function final : public lambda::Handler {
 public:
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override {
    const absl::StatusOr<Json::Value> event =
        json::ParseValue(invocation.payload);
    if (!event.ok()) return event.status();
    if (event->isArray() && (*event)[0].isMember("told")) {
      // Nobody gets an answer.
      return absl::InvalidArgumentError(
          absl::StrCat("told of ", event->size()));
    }
    if (event->isArray()) return json::WriteValue(AnswerBatch(*event));
    if (!event->isObject()) return invocation.payload;
    if (event->isMember("authorizationToken")) return Authorize(*event);
    const Json::Value& decision = (*event)["arguments"]["decision"];
    for (const Json::Value& source :
         {*event, (*event)["arguments"], decision}) {
      const std::string problem = json::TextMember(source, "fail");
      if (!problem.empty()) return absl::InvalidArgumentError(problem);
    }
    if (event->isMember("credentials")) return Credentials();
    if (event->isMember("requestMapping")) return Decide(*event, decision);
    return invocation.payload;
  }

 private:
  // An element with "info" is the context of a resolver without code.
  static Json::Value AnswerBatch(const Json::Value& batch) {
    Json::Value answers(Json::arrayValue);
    for (const Json::Value& element : batch) {
      const bool direct = element.isMember("info");
      const std::string id = direct ? json::TextMember(element["source"], "id")
                                    : json::TextMember(element, "id");
      Json::Value answer;
      const std::string text = absl::StrCat(id, " of ", batch.size());
      if (!direct) {
        answer = text;
      } else if (id == "bad") {
        answer["errorMessage"] = "no such person";
        answer["errorType"] = "PersonNotFound";
      } else {
        answer["data"] = text;
      }
      // A list that is too short.
      if (id != "lost") answers.append(answer);
    }
    return answers;
  }

  // Has the event written to the item if the decision is to tell it.
  static std::string Decide(const Json::Value& event,
                            const Json::Value& decision) {
    if (!decision.isMember("tell")) return json::WriteValue(decision);
    Json::Value retry;
    retry["action"] = "retry";
    retry["retryMapping"]["attributeValues"]["told"]["S"] =
        json::WriteValue(event);
    return json::WriteValue(retry);
  }

  absl::StatusOr<std::string> Authorize(const Json::Value& event) {
    const std::string token = json::TextMember(event, "authorizationToken");
    if (token == "fail") return absl::InternalError("no idea");
    if (token == "nonsense") return "\"nonsense\"";
    Json::Value answer;
    answer["isAuthorized"] = token != "deny";
    answer["resolverContext"]["calls"] = ++calls_;
    answer["resolverContext"]["query"] = event["requestContext"]["queryString"];
    if (token == "fields") answer["deniedFields"].append("Query.denied");
    if (token == "once") answer["ttlOverride"] = 0;
    return json::WriteValue(answer);
  }

  static std::string Credentials() {
    Json::Value answer;
    const env::Environment environment = env::OfProcess();
    for (const char* name :
         {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"}) {
      answer[name] = environment(name).value_or("");
    }
    return json::WriteValue(answer);
  }

  int calls_ = 0;
};

}  // namespace
}  // namespace byoshin

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("appsync_function");
  return process.Run([]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    return std::make_unique<Function>();
  });
}
