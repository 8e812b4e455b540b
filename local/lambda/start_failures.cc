#include "local/lambda/start_failures.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/lambda/report.h"

namespace byoshin::local::lambda {

std::string CannotStart(absl::string_view function) {
  return absl::StrCat("function ", function, " cannot start");
}

std::optional<std::string> StartFailures::Failed(const std::string& arn,
                                                 absl::string_view name,
                                                 const PlatformError& error) {
  std::string& told = types_[arn];
  if (told == error.type) return std::nullopt;
  told = error.type;
  return absl::StrCat(CannotStart(name), ": ", error.type, ": ", error.message,
                      "; `byoshin logs --function=", name,
                      "` shows what it printed");
}

}  // namespace byoshin::local::lambda
