// Calls the API of a deployed mesh.
//
//   MeshCaller caller(deployed);
//   const CallResult result = caller.Make(
//       {.kind = "mutation", .field = "joinGroup", .arguments =
//            {{"groupId", Quoted(id)}, …}, .selection = "{ id }"});
#ifndef BYOSHIN_TESTS_MESH_MESH_CALLER_H_
#define BYOSHIN_TESTS_MESH_MESH_CALLER_H_

#include <json/json.h>

#include <map>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/curl_client.h"
#include "tests/mesh/deployed_mesh.h"

namespace byoshin::mesh {

// As literals of GraphQL.
using Arguments = std::map<std::string, std::string>;

struct Call {
  std::string kind{};
  std::string field{};
  Arguments arguments{};
  std::string selection{};
};

// What clients read of an error; empty for none.
struct CallError {
  std::string type{};
  std::string message{};

  bool ok() const { return type.empty(); }
  std::string ToString() const;

  friend bool operator==(const CallError&, const CallError&) = default;
};

struct CallResult {
  // Of the field.
  Json::Value data{};
  CallError error{};
};

std::string Quoted(absl::string_view text);

// "mutation { joinGroup(groupId: …) { id } }".
std::string DocumentOf(const Call& call);

// Not thread-safe: one for each thread.
class MeshCaller {
 public:
  explicit MeshCaller(const DeployedMesh& mesh) : mesh_(mesh) {}

  // An error of HTTP has the type "HTTP".
  CallResult Make(const Call& call);

 private:
  const DeployedMesh& mesh_;
  http::CurlClient http_{/*ca_file=*/""};
};

// "pk sk" of everything in the mesh's table, without the id of an event.
std::multiset<std::string> StoredItems(const DeployedMesh& mesh);

// With false, DynamoDB removes nothing, however long ago it has expired.
void EnableTimeToLive(const DeployedMesh& mesh, bool enabled);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_TESTS_MESH_MESH_CALLER_H_
