#include "tests/bench/appsync_cloud.h"

#include <json/json.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/server.h"
#include "tests/integration/process.h"

namespace byoshin::bench {
namespace {

// The outputs of the cloud's stack.
absl::StatusOr<Json::Value> ReadOutputs(const Server& cloud) {
  const absl::StatusOr<std::unique_ptr<integration::Process>> status =
      integration::Process::Start(
          {.argv = {"byoshin", "status", "--json",
                    absl::StrCat("--endpoint=http://", cloud.host())}});
  if (!status.ok()) return status.status();
  const absl::StatusOr<std::string> exit = (*status)->AwaitExit();
  if (!exit.ok()) return exit.status();
  std::stringstream text;
  for (const std::string& line : (*status)->lines()) text << line << "\n";
  Json::Value json;
  std::string errors;
  if (!Json::parseFromStream(Json::CharReaderBuilder(), text, &json, &errors) ||
      !json["stacks"].isArray() || json["stacks"].empty()) {
    return absl::InternalError(absl::StrCat("byoshin status: ", text.str()));
  }
  return json["stacks"][0]["outputs"];
}

absl::StatusOr<GraphqlTarget> FindApi(const Server& cloud,
                                      const Json::Value& outputs) {
  const std::string url = outputs["Url"].asString();
  const std::string origin = absl::StrCat("http://", cloud.host());
  absl::string_view path = url;
  if (!absl::ConsumePrefix(&path, origin)) {
    return absl::InternalError(
        absl::StrCat("the API is at ", url, " and not below ", origin));
  }
  return GraphqlTarget{.name = "Byoshin",
                       .port = cloud.port(),
                       .path = std::string(path),
                       .key = outputs["Key"].asString(),
                       .process = cloud.pid()};
}

}  // namespace

absl::StatusOr<AppsyncCloud> StartAppsyncCloud() {
  absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({.argv = {"byoshin", "up", "--port=0", "--api-port=0",
                              absl::StrCat("--template=", kAppsyncTemplate)},
                     .data_flag = "--data=",
                     .health_path = "/_byoshin/health"});
  if (!server.ok()) return server.status();
  const absl::StatusOr<Json::Value> outputs = ReadOutputs(**server);
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<GraphqlTarget> api = FindApi(**server, *outputs);
  if (!api.ok()) return api.status();
  return AppsyncCloud{.server = *std::move(server),
                      .api = *std::move(api),
                      .table = (*outputs)["Table"].asString()};
}

}  // namespace byoshin::bench
