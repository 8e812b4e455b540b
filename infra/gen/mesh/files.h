// The schema and the resolvers, as they are beside this.
#ifndef BYOSHIN_INFRA_GEN_MESH_FILES_H_
#define BYOSHIN_INFRA_GEN_MESH_FILES_H_

#include <map>
#include <string>

namespace byoshin::infra::mesh {

// The contents by name: "schema.graphql", "put_node.js".
const std::map<std::string, std::string>& Files();

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_FILES_H_
