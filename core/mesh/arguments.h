// The arguments of fields, from an event of AppSync.
//
//   Arguments arguments(json);
//   const GroupKey key = arguments.Group();
//   const std::string host_id = arguments.Text("hostId");
//   if (!arguments.status().ok()) return arguments.status();
#ifndef BYOSHIN_CORE_MESH_ARGUMENTS_H_
#define BYOSHIN_CORE_MESH_ARGUMENTS_H_

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {

// Remembers the first argument that is missing or of another type, and returns
// empty values from then on. Not thread-safe.
class Arguments {
 public:
  // `json`, which should be an object, must outlive this. `place` is its name
  // in errors.
  explicit Arguments(const Json::Value& json, std::string place = "arguments");

  std::string Text(const char* name);
  // nullopt for null and for an argument that was not given.
  std::optional<std::string> OptionalText(const char* name);
  std::optional<int64_t> OptionalInteger(const char* name);
  // Their elements are objects.
  std::vector<Json::Value> Objects(const char* name);

  // groupId and domain.
  GroupKey Group();

  // InvalidArgument, naming the argument.
  const absl::Status& status() const { return status_; }

 private:
  // Null if there is none.
  const Json::Value& Member(const char* name) const;
  void Refuse(const char* name, absl::string_view expected);

  const Json::Value& json_;
  const std::string place_;
  absl::Status status_;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_ARGUMENTS_H_
