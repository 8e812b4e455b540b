#include "local/cloudformation/dynamic_reference.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr absl::string_view kReferenceBegin = "{{resolve:";
constexpr absl::string_view kReferenceEnd = "}}";

// A reference inside a text.
struct Found {
  std::size_t begin = 0;
  absl::string_view text{};     // "{{resolve:ssm:/p:1}}"
  absl::string_view service{};  // "ssm"
  absl::string_view rest{};     // "/p:1"
};

// The first one from `from` on.
std::optional<Found> FindInText(absl::string_view text, std::size_t from) {
  const std::size_t begin = text.find(kReferenceBegin, from);
  if (begin == absl::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(kReferenceEnd, begin);
  // Without an end it is ordinary text.
  if (end == absl::string_view::npos) return std::nullopt;
  const std::size_t inner = begin + kReferenceBegin.size();
  const absl::string_view reference = text.substr(inner, end - inner);
  const std::size_t colon = reference.find(':');
  return Found{.begin = begin,
               .text = text.substr(begin, end + kReferenceEnd.size() - begin),
               .service = reference.substr(0, colon),
               .rest = colon == absl::string_view::npos
                           ? absl::string_view()
                           : reference.substr(colon + 1)};
}

std::optional<DynamicReference> FindUnknown(const Json::Value& value,
                                            const ProviderRegistry& registry,
                                            const std::string& path) {
  if (value.isString()) {
    const std::string text = value.asString();
    std::optional<Found> found = FindInText(text, 0);
    while (found.has_value() &&
           registry.FindResolver(found->service) != nullptr) {
      found = FindInText(text, found->begin + found->text.size());
    }
    if (!found.has_value()) return std::nullopt;
    return DynamicReference{
        .path = path, .text = std::string(found->text), .at = &value};
  }
  if (!value.isObject() && !value.isArray()) return std::nullopt;
  for (auto member = value.begin(); member != value.end(); ++member) {
    std::string inner = path;
    // A function's arguments belong to the property whose value it gives.
    if (value.isObject() && !absl::StartsWith(member.name(), "Fn::")) {
      absl::StrAppend(&inner, path.empty() ? "" : ".", member.name());
    }
    if (std::optional<DynamicReference> found =
            FindUnknown(*member, registry, inner)) {
      return found;
    }
  }
  return std::nullopt;
}

absl::StatusOr<std::string> ResolveText(absl::string_view text,
                                        const ProviderRegistry& registry,
                                        const StackContext& stack) {
  std::string result;
  std::size_t from = 0;
  while (const std::optional<Found> found = FindInText(text, from)) {
    const ProviderRegistry::Resolver* resolver =
        registry.FindResolver(found->service);
    if (resolver == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the dynamic reference ", found->text,
                       " names a service without such references"));
    }
    const absl::StatusOr<std::string> value = (*resolver)(stack, found->rest);
    if (!value.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the dynamic reference ", found->text,
                       " cannot be resolved: ", value.status().message()));
    }
    absl::StrAppend(&result, text.substr(from, found->begin - from), *value);
    from = found->begin + found->text.size();
  }
  absl::StrAppend(&result, text.substr(from));
  return result;
}

}  // namespace

std::string DynamicReference::Describe() const {
  return absl::StrCat(
      "property ", path, " has the dynamic reference ", text,
      ", which cannot be resolved: the local cloud has no such service; use a "
      "parameter instead");
}

std::optional<DynamicReference> FindUnknownReference(
    const Json::Value& value, const ProviderRegistry& registry) {
  return FindUnknown(value, registry, "");
}

absl::StatusOr<Json::Value> ResolveReferences(const Json::Value& value,
                                              const ProviderRegistry& registry,
                                              const StackContext& stack) {
  if (value.isString()) {
    absl::StatusOr<std::string> text =
        ResolveText(value.asString(), registry, stack);
    if (!text.ok()) return text.status();
    return Json::Value(*std::move(text));
  }
  if (!value.isObject() && !value.isArray()) return value;
  Json::Value result = value;
  for (auto member = result.begin(); member != result.end(); ++member) {
    absl::StatusOr<Json::Value> inner =
        ResolveReferences(*member, registry, stack);
    if (!inner.ok()) return inner.status();
    *member = *std::move(inner);
  }
  return result;
}

}  // namespace byoshin::local::cloudformation
