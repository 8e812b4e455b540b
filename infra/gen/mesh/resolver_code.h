// The code of resolvers with the constants that it uses.
//
//   cfn::Value code = ResolverCode("put_node.js", {.inputs = inputs,
//                                                  .table = table});
//
// A resolver's file says NODE_PREFIX, and the generator puts
// `const NODE_PREFIX = "NODE#";` after its imports: core/mesh/constants.h stays
// the only place that knows. What depends on the deployment is filled in by
// CloudFormation.
#ifndef BYOSHIN_INFRA_GEN_MESH_RESOLVER_CODE_H_
#define BYOSHIN_INFRA_GEN_MESH_RESOLVER_CODE_H_

#include <string>

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/mesh/parameters.h"

namespace byoshin::infra::mesh {

struct Surroundings {
  const Inputs& inputs;
  cloudformation::Resource table;
};

// Text, or a Join of text and values of the deployment. `file` must be one of
// resolvers/.
cloudformation::Value ResolverCode(const std::string& file,
                                   const Surroundings& surroundings);

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_RESOLVER_CODE_H_
