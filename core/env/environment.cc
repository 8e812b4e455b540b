#include "core/env/environment.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::env {

Environment OfProcess() {
  return [](absl::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
}

Environment FromMap(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](
             absl::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(std::string(name));
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::optional<std::string> NonEmpty(const Environment& environment,
                                    absl::string_view name) {
  std::optional<std::string> value = environment(name);
  if (value.has_value() && value->empty()) return std::nullopt;
  return value;
}

absl::StatusOr<std::string> Required(const Environment& environment,
                                     absl::string_view name) {
  std::optional<std::string> value = environment(name);
  if (!value.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the environment variable ", name, " is not set"));
  }
  if (value->empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the environment variable ", name, " is empty"));
  }
  return *std::move(value);
}

}  // namespace byoshin::env
