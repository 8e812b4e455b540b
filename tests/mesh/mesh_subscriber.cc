#include "tests/mesh/mesh_subscriber.h"

#include <json/json.h>

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "gtest/gtest.h"
#include "tests/bench/graphql_wire.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {

MeshSubscriber::MeshSubscriber(const DeployedMesh& mesh)
    : target_(bench::TargetAt(mesh.outputs.at(kGraphQlUrlOutput),
                              mesh.outputs.at(kApiKeyOutput))
                  .value()),
      socket_(static_cast<std::uint16_t>(target_.port),
              bench::UpgradeRequest(target_)) {
  socket_.SendText(bench::kInitMessage);
  ReadUntil("connection_ack", "");
}

std::string MeshSubscriber::Subscribe(const Call& subscription) {
  std::string id = absl::StrCat("s", ++subscribed_);
  socket_.SendText(
      bench::StartMessage(target_, id, {.query = DocumentOf(subscription)}));
  ReadUntil("start_ack", id);
  return id;
}

void MeshSubscriber::Unsubscribe(const std::string& id) {
  socket_.SendText(bench::StopMessage(id));
  ReadUntil("complete", id);
}

void MeshSubscriber::CatchUp() {
  Unsubscribe(Subscribe({.kind = "subscription",
                         .field = "onGroupDissolve",
                         .arguments = {{"groupId", Quoted("no group")},
                                       {"domain", Quoted("no domain")}},
                         .selection = "{ message }"}));
}

void MeshSubscriber::ReadUntil(absl::string_view type, absl::string_view id) {
  while (true) {
    const std::string text = socket_.ReadText();
    const Json::Value message = json::ParseValue(text).value_or(Json::Value());
    const std::string is = json::TextMember(message, "type");
    if (is == "data") {
      const Json::Value& data = message["payload"]["data"];
      deliveries_.push_back({.id = json::TextMember(message, "id"),
                             .data = data.size() == 1 ? *data.begin() : data});
    } else if (is == type && json::TextMember(message, "id") == id) {
      return;
    } else if (is != "ka") {
      ADD_FAILURE() << text << " instead of " << type << " " << id;
      return;
    }
  }
}

}  // namespace byoshin::mesh
