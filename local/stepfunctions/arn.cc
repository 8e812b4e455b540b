#include "local/stepfunctions/arn.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/errors.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kService[] = "states";
// "arn", partition, service, region, account, type, name.
constexpr std::size_t kTypePart = 5;
constexpr std::size_t kNamePart = 6;

// The parts of an ARN of a Step Functions resource, the name and what follows
// it among them.
absl::StatusOr<std::vector<std::string>> StatesArnParts(
    absl::string_view text) {
  if (!absl::StartsWith(text, "arn:")) {
    return InvalidArnError(absl::StrCat("Invalid ARN prefix: ", text));
  }
  std::vector<std::string> parts = absl::StrSplit(text, ':');
  if (parts.size() <= kNamePart) {
    return InvalidArnError(absl::StrCat("Invalid ARN: ", text));
  }
  if (parts[2] != kService) {
    return InvalidArnError(
        absl::StrCat("Service name not valid in this context: ", parts[2]));
  }
  if (std::any_of(parts.begin(), parts.end(),
                  [](const std::string& part) { return part.empty(); })) {
    return InvalidArnError(absl::StrCat("Invalid ARN: ", text));
  }
  return parts;
}

absl::Status WrongResource(absl::string_view type) {
  return InvalidArnError(
      absl::StrCat("Resource type not valid in this context: ", type));
}

std::optional<char> ForbiddenCharacter(absl::string_view name) {
  constexpr absl::string_view kForbidden = "<>{}[]?*\"#%\\^|~`$&,;:/";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f || absl::StrContains(kForbidden, c)) {
      return c;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string StatesArn(const Place& place, absl::string_view type,
                      absl::string_view name) {
  return absl::StrCat("arn:aws:", kService, ":", place.region, ":",
                      place.account_id, ":", type, ":", name);
}

absl::StatusOr<MachineArn> ParseMachineArn(absl::string_view text) {
  const absl::StatusOr<std::vector<std::string>> parts = StatesArnParts(text);
  if (!parts.ok()) return parts.status();
  if ((*parts)[kTypePart] != kMachineResource) {
    return WrongResource((*parts)[kTypePart]);
  }
  if (parts->size() > kNamePart + 2) {
    return InvalidArnError(absl::StrCat("Invalid ARN: ", text));
  }
  MachineArn arn{.name = (*parts)[kNamePart],
                 .place = {.region = (*parts)[3], .account_id = (*parts)[4]}};
  arn.machine = StatesArn(arn.place, kMachineResource, arn.name);
  if (parts->size() > kNamePart + 1) arn.qualifier = parts->back();
  return arn;
}

absl::StatusOr<ExecutionArn> ParseExecutionArn(absl::string_view text) {
  const absl::StatusOr<std::vector<std::string>> parts = StatesArnParts(text);
  if (!parts.ok()) return parts.status();
  const std::string& type = (*parts)[kTypePart];
  const bool express = type == kExpressResource;
  if (!express && type != kExecutionResource) return WrongResource(type);
  // An express execution's id follows its name.
  if (parts->size() != kNamePart + (express ? 3 : 2)) {
    return InvalidArnError(absl::StrCat("Invalid ARN: ", text));
  }
  ExecutionArn arn{.machine_name = (*parts)[kNamePart],
                   .name = (*parts)[kNamePart + 1],
                   .express = express};
  // "orders/Label": a child of a distributed map of the state machine.
  arn.machine = StatesArn({.region = (*parts)[3], .account_id = (*parts)[4]},
                          kMachineResource, arn.machine_name);
  return arn;
}

absl::Status CheckActivityArn(absl::string_view text) {
  const absl::StatusOr<std::vector<std::string>> parts = StatesArnParts(text);
  if (!parts.ok()) return parts.status();
  if ((*parts)[kTypePart] != kActivityResource) {
    return WrongResource((*parts)[kTypePart]);
  }
  if (parts->size() == kNamePart + 1) return absl::OkStatus();
  return InvalidArnError(absl::StrCat("Invalid ARN: ", text));
}

absl::Status CheckRoleArn(absl::string_view text) {
  if (!absl::StartsWith(text, "arn:")) {
    return InvalidArnError(absl::StrCat("Invalid ARN prefix: ", text));
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  if (parts.size() == kTypePart + 1 && parts[2] == "iam" &&
      absl::StartsWith(parts[kTypePart], "role/")) {
    return absl::OkStatus();
  }
  return InvalidArnError(absl::StrCat("Invalid Role Arn: ", text));
}

absl::Status CheckName(absl::string_view name) {
  return ForbiddenCharacter(name).has_value() ? InvalidNameError(name)
                                              : absl::OkStatus();
}

}  // namespace byoshin::local::stepfunctions
