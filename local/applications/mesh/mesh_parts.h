// Mesh v2 in a deployed stack, recognised by the environment variables of its
// functions: other stacks have none.
//
//   if (std::optional<MeshParts> parts = FindMesh(stack)) {
//     ... parts->api_key ...
//   }
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_PARTS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_PARTS_H_

#include <optional>
#include <string>

#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {

struct MeshParts {
  std::string stack_name{};
  std::string table{};
  std::string api_id{};
  std::string api_key{};
};

// Nothing if the stack lacks one of them.
std::optional<MeshParts> FindMesh(const cloudformation::Stack& stack);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_PARTS_H_
