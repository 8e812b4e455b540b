#include "local/cloudformation/registry.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/schema.h"

namespace byoshin::local::cloudformation {

bool ProviderRegistry::Add(std::unique_ptr<ResourceProvider> provider) {
  std::string type(provider->type());
  if (entries_.count(type) != 0) return false;
  SchemaTree schema(provider->schema());
  entries_.emplace(std::move(type), Entry{.provider = std::move(provider),
                                          .schema = std::move(schema)});
  return true;
}

ResourceProvider* ProviderRegistry::Find(absl::string_view type) const {
  const auto entry = entries_.find(std::string(type));
  return entry == entries_.end() ? nullptr : entry->second.provider.get();
}

const SchemaTree* ProviderRegistry::FindSchema(absl::string_view type) const {
  const auto entry = entries_.find(std::string(type));
  return entry == entries_.end() ? nullptr : &entry->second.schema;
}

std::vector<std::string> ProviderRegistry::Types() const {
  std::vector<std::string> types;
  for (const auto& [type, entry] : entries_) types.push_back(type);
  return types;
}

}  // namespace byoshin::local::cloudformation
