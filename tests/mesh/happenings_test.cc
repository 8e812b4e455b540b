// What `byoshin up` says of a mesh while programs use it, whether a function or
// a resolver has done it.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/mesh/module.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {
namespace {

using ::testing::ElementsAre;

TEST(MeshHappenings, AreToldAsTheyHappen) {
  // One request at a time, each told of before its answer.
  std::vector<std::string> told;
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'670'980));
  DeployedMesh mesh = DeployMesh({.modules = {local::applications::MeshModule(
                                      {.on_happening =
                                           [&told](const std::string& text) {
                                             told.push_back(text);
                                           }})}},
                                 clock)
                          .value();
  MeshCaller caller(mesh);
  const auto make = [&](std::string field,
                        std::map<std::string, std::string> arguments,
                        std::string selection) {
    const CallResult result = caller.Make({.kind = "mutation",
                                           .field = std::move(field),
                                           .arguments = std::move(arguments),
                                           .selection = std::move(selection)});
    EXPECT_TRUE(result.error.ok()) << result.error.ToString();
    return result.data;
  };
  const std::string id = make("createGroup",
                              {{"name", Quoted("3b")},
                               {"hostId", Quoted("h")},
                               {"domain", Quoted("d")}},
                              "{ id }")["id"]
                             .asString();
  const auto on_group = [&](std::string field, const char* name,
                            const char* value, std::string selection) {
    make(std::move(field),
         {{"groupId", Quoted(id)},
          {"domain", Quoted("d")},
          {name, Quoted(value)}},
         std::move(selection));
  };
  on_group("joinGroup", "nodeId", "n", "{ id }");
  on_group("leaveGroup", "nodeId", "n", "{ peerId }");
  // Who is no member succeeds, too, but nobody leaves.
  on_group("leaveGroup", "nodeId", "n", "{ peerId }");
  on_group("dissolveGroup", "hostId", "h", "{ groupId }");
  const std::string group = absl::StrCat(id, "@d");
  EXPECT_THAT(
      told, ElementsAre(absl::StrCat("group \"3b\" created by h (", group, ")"),
                        absl::StrCat("n joined ", group),
                        absl::StrCat("n left ", group),
                        absl::StrCat("group dissolved (", group, ")")));
  mesh.cloud->Stop();
}

}  // namespace
}  // namespace byoshin::mesh
