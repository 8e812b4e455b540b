#include "local/cloudformation/registry.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/schema.h"

namespace byoshin::local::cloudformation {
namespace {

// The type whose provider handles resources of `type`.
std::string ProviderType(absl::string_view type) {
  return absl::StartsWith(type, "Custom::") ? kCustomResourceType
                                            : std::string(type);
}

}  // namespace

bool ProviderRegistry::Add(std::unique_ptr<ResourceProvider> provider) {
  std::string type(provider->type());
  if (entries_.count(type) != 0) return false;
  SchemaTree schema(provider->schema());
  entries_.emplace(std::move(type), Entry{.provider = std::move(provider),
                                          .schema = std::move(schema)});
  return true;
}

ResourceProvider* ProviderRegistry::Find(absl::string_view type) const {
  const auto entry = entries_.find(ProviderType(type));
  return entry == entries_.end() ? nullptr : entry->second.provider.get();
}

const SchemaTree* ProviderRegistry::FindSchema(absl::string_view type) const {
  const auto entry = entries_.find(ProviderType(type));
  return entry == entries_.end() ? nullptr : &entry->second.schema;
}

std::vector<std::string> ProviderRegistry::Types() const {
  std::vector<std::string> types;
  for (const auto& [type, entry] : entries_) types.push_back(type);
  return types;
}

void ProviderRegistry::AddResolver(std::string service, Resolver resolver) {
  resolvers_.insert_or_assign(std::move(service), std::move(resolver));
}

const ProviderRegistry::Resolver* ProviderRegistry::FindResolver(
    absl::string_view service) const {
  const auto found = resolvers_.find(std::string(service));
  return found == resolvers_.end() ? nullptr : &found->second;
}

}  // namespace byoshin::local::cloudformation
