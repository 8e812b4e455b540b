#include "local/bedrock/model_id.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/bedrock/errors.h"

namespace byoshin::local::bedrock {
namespace {

// The geographies of inference profiles.
constexpr absl::string_view kGeographies[] = {"us", "us-gov", "eu",     "apac",
                                              "jp", "au",     "global", "ca"};

// "amazon.nova-lite-v1:0": a provider, a dot, a name.
bool IsFoundationModel(absl::string_view id) {
  const std::size_t dot = id.find('.');
  if (dot == absl::string_view::npos || dot == 0 || dot + 1 == id.size()) {
    return false;
  }
  return std::all_of(id.begin(), id.end(), [](char c) {
    return absl::ascii_islower(static_cast<unsigned char>(c)) ||
           absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-' ||
           c == '.' || c == ':';
  });
}

absl::StatusOr<ModelId> ParsePlainId(absl::string_view id) {
  for (const absl::string_view geography : kGeographies) {
    absl::string_view model = id;
    if (absl::ConsumePrefix(&model, geography) &&
        absl::ConsumePrefix(&model, ".") && IsFoundationModel(model)) {
      return ModelId{.model = std::string(model), .profile = std::string(id)};
    }
  }
  if (!IsFoundationModel(id)) return InvalidModelId();
  return ModelId{.model = std::string(id)};
}

}  // namespace

absl::StatusOr<ModelId> ParseModelId(absl::string_view text) {
  if (text.size() > kMaxModelIdLength) return InvalidModelId();
  if (!absl::StartsWith(text, "arn:")) return ParsePlainId(text);
  // arn:aws:bedrock:REGION:ACCOUNT:KIND/ID
  const std::vector<absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 5));
  if (parts.size() != 6 || parts[2] != "bedrock") return InvalidModelId();
  absl::string_view resource = parts[5];
  if (absl::ConsumePrefix(&resource, "foundation-model/")) {
    absl::StatusOr<ModelId> id = ParsePlainId(resource);
    if (id.ok() && !id->profile.empty()) return InvalidModelId();
    return id;
  }
  if (absl::ConsumePrefix(&resource, "inference-profile/")) {
    absl::StatusOr<ModelId> id = ParsePlainId(resource);
    if (id.ok() && id->profile.empty()) return InvalidModelId();
    return id;
  }
  return ModelNotFound();
}

}  // namespace byoshin::local::bedrock
