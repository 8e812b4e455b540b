#include "local/stepfunctions/language/diagnostic.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

void Diagnostics::Error(absl::string_view code, absl::string_view message,
                        absl::string_view location) {
  list_.push_back({Diagnostic::Severity::kError, std::string(code),
                   std::string(message), std::string(location)});
  has_error_ = true;
}

void Diagnostics::Warning(absl::string_view code, absl::string_view message,
                          absl::string_view location) {
  list_.push_back({Diagnostic::Severity::kWarning, std::string(code),
                   std::string(message), std::string(location)});
}

std::string InvalidDefinitionMessage(const std::vector<Diagnostic>& errors) {
  const auto format = [](std::string* out, const Diagnostic& error) {
    absl::StrAppend(out, error.code, ": ", error.message, " at ",
                    error.location.empty() ? "null" : error.location);
  };
  return absl::StrCat("Invalid State Machine Definition: '",
                      absl::StrJoin(errors, ", ", format), "'");
}

}  // namespace byoshin::local::stepfunctions
