// The GraphQL API: its schema, key, data sources, functions of pipelines and
// resolvers.
#ifndef BYOSHIN_INFRA_GEN_MESH_API_H_
#define BYOSHIN_INFRA_GEN_MESH_API_H_

#include "infra/cloudformation/template.h"
#include "infra/gen/mesh/functions.h"
#include "infra/gen/mesh/parameters.h"

namespace byoshin::infra::mesh {

struct Api {
  cloudformation::Resource api;
  cloudformation::Resource key;
  cloudformation::Resource log_group;
};

Api AddApi(cloudformation::Template& stack, const Inputs& inputs,
           const cloudformation::Resource& table, const Functions& functions);

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_API_H_
