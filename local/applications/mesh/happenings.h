// What happens in a mesh, in words, from what is written to its table. Reports
// of sensors and heartbeats are left out: there are too many.
//
//   if (std::optional<std::string> text = Describe(write)) Print(*text);
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_HAPPENINGS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_HAPPENINGS_H_

#include <optional>
#include <string>

#include "local/applications/mesh/table_writes.h"

namespace byoshin::local::applications {

// "group "class 3b" created by node-1 (b7a2@192.0.2.1)"; nothing if there is
// nothing to say. Control characters, which clients may send, are escaped.
std::optional<std::string> Describe(const TableWrite& write);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_HAPPENINGS_H_
