#include "local/cloudformation/order.h"

#include <json/json.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "local/cloudformation/functions.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

class DependencyFinder final : public ReferenceVisitor {
 public:
  DependencyFinder(const Resolver& resolver, std::set<std::string>& found)
      : resolver_(resolver), found_(found) {}

  void Add(const std::string& id) {
    if (resolver_.Exists(id)) found_.insert(id);
  }

  void OnRef(const std::string& name, const Json::Value&) override {
    Add(name);
  }
  void OnAttribute(const Attribute& attribute, const Json::Value&) override {
    Add(attribute.resource);
  }
  void OnCondition(const std::string&, const Json::Value&) override {}
  void OnMapping(const std::string&, const Json::Value&) override {}
  void OnMistake(const std::string&, const Json::Value&) override {}
  Branches BranchesOf(const std::string& condition) override {
    return resolver_.IsTrue(condition) ? Branches::kIfTrue : Branches::kIfFalse;
  }

 private:
  const Resolver& resolver_;
  std::set<std::string>& found_;
};

}  // namespace

Dependencies DependenciesOf(const Template& t, const Resolver& resolver) {
  Dependencies dependencies;
  for (const auto& [id, resource] : t.resources) {
    if (!resolver.Exists(id)) continue;
    DependencyFinder finder(resolver, dependencies[id]);
    VisitReferences(*resource.properties, FunctionContext::kProperties, finder);
    for (const std::string& other : resource.depends_on) finder.Add(other);
  }
  return dependencies;
}

absl::StatusOr<std::vector<std::string>> InOrder(
    const Dependencies& dependencies) {
  std::map<std::string, std::size_t> missing;
  std::map<std::string, std::vector<std::string>> needed_by;
  std::set<std::string> ready;
  for (const auto& [id, needs] : dependencies) {
    std::size_t count = 0;
    for (const std::string& need : needs) {
      if (dependencies.count(need) == 0) continue;
      needed_by[need].push_back(id);
      ++count;
    }
    missing[id] = count;
    if (count == 0) ready.insert(id);
  }
  std::vector<std::string> order;
  while (!ready.empty()) {
    const std::string id = *ready.begin();
    ready.erase(ready.begin());
    missing.erase(id);
    order.push_back(id);
    for (const std::string& other : needed_by[id]) {
      if (--missing[other] == 0) ready.insert(other);
    }
  }
  if (missing.empty()) return order;
  // Some of the rest are not in a cycle but depend on one: they are removed
  // from the other end, as nothing left depends on them.
  std::set<std::string> circle;
  for (const auto& [id, count] : missing) circle.insert(id);
  for (bool stripped = true; stripped;) {
    stripped = false;
    for (auto id = circle.begin(); id != circle.end();) {
      bool needed = false;
      for (const std::string& other : needed_by[*id]) {
        needed |= circle.count(other) != 0;
      }
      stripped |= !needed;
      id = needed ? std::next(id) : circle.erase(id);
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("Circular dependency between resources: [",
                   absl::StrJoin(circle, ", "), "]"));
}

}  // namespace byoshin::local::cloudformation
