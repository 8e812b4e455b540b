// Mesh v2's part of the cloud: the playground at /mesh/, and the panel. After
// DynamoDB, AppSync and CloudFormation in the list of modules. Offers
// MeshSource.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_MODULE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_MODULE_H_

#include <functional>
#include <string>

#include "local/cloud/module.h"

namespace byoshin::local::applications {

struct MeshModuleOptions {
  // Called with what happens, in words, on any thread; must not block. May be
  // null.
  std::function<void(const std::string& text)> on_happening = nullptr;
};

cloud::ModuleSpec MeshModule(MeshModuleOptions options);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_MODULE_H_
