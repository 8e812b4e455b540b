// The paths of a ResourceSchema as a tree, which finds the properties of a
// template that do not match it.
//
//   SchemaTree tree(provider.schema());
//   for (const SchemaMistake& mistake : tree.Check(properties)) …
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_SCHEMA_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_SCHEMA_H_

#include <json/forwards.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::cloudformation {

struct SchemaMistake {
  std::string path{};  // "RedrivePolicy.maxReceives"
  std::string what{};
  const Json::Value* at = nullptr;
};

// Immutable, so thread-safe.
class SchemaTree {
 public:
  explicit SchemaTree(const ResourceSchema& schema);
  ~SchemaTree();
  SchemaTree(SchemaTree&&) noexcept;
  SchemaTree& operator=(SchemaTree&&) noexcept;

  // `properties` still have their functions: both branches of an Fn::If are
  // checked, and the result of any other function is assumed to be a text or a
  // list.
  std::vector<SchemaMistake> Check(const Json::Value& properties) const;

 private:
  struct Node;

  void Insert(absl::string_view path, bool everything);
  void CheckValue(const Json::Value& value, const Node& node,
                  const std::string& path,
                  std::vector<SchemaMistake>& mistakes) const;
  void CheckMembers(const Json::Value& object, const Node& node,
                    const std::string& path,
                    std::vector<SchemaMistake>& mistakes) const;

  std::unique_ptr<Node> root_;
  std::vector<std::string> required_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_SCHEMA_H_
