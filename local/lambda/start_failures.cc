#include "local/lambda/start_failures.h"

#include <optional>
#include <string>
#include <utility>

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
  std::string reason = absl::StrCat(error.type, ": ", error.message);
  std::string& told = reasons_[arn];
  if (told == reason) return std::nullopt;
  told = std::move(reason);
  return absl::StrCat(CannotStart(name), ": ", told,
                      "; `byoshin logs --function=", name,
                      "` shows what it printed");
}

}  // namespace byoshin::local::lambda
