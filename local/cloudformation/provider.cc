#include "local/cloudformation/provider.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

absl::StatusOr<std::string> ResourceProvider::Fingerprint(
    const ResourceRequest&) {
  return "";
}

absl::StatusOr<std::optional<ResourceState>> ResourceProvider::Find(
    const ResourceRequest&) {
  return std::nullopt;
}

absl::StatusOr<bool> ResourceProvider::IsMissing(const ResourceRequest&) {
  return false;
}

absl::Status ResourceProvider::CheckTakeUp(const ResourceRequest&) {
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> ResourceProvider::FindSuffix(
    const ResourceRequest&) {
  return std::nullopt;
}

absl::Status ResourceProvider::DeleteNew(const ResourceRequest& request) {
  return Delete(request);
}

absl::StatusOr<std::string> ResourceProvider::DescribeData(
    const ResourceRequest&) {
  return "";
}

absl::Status ResourceProvider::Restore(const ResourceRequest&,
                                       const ResourceState&) {
  return absl::OkStatus();
}

std::string GeneratedName(const ResourceRequest& request,
                          std::size_t max_length) {
  const std::string& suffix = request.name_suffix;
  std::string stack = request.stack.stack_name;
  std::string id = request.logical_id;
  const std::size_t fixed = suffix.size() + 2;  // two hyphens
  const std::size_t room = max_length > fixed ? max_length - fixed : 0;
  // The id is more specific than the stack's name, which many names share, so
  // it may use half of the length even if the name could fill it.
  id.resize(std::min(id.size(),
                     std::max(room / 2, room - std::min(room, stack.size()))));
  stack.resize(std::min(stack.size(), room - id.size()));
  return absl::StrCat(stack, "-", id, "-", suffix);
}

bool IsNameSuffix(absl::string_view text) {
  return text.size() == kNameSuffixLength &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return absl::ascii_isupper(c) || absl::ascii_isdigit(c);
         });
}

std::optional<std::string> SuffixOfGeneratedName(const ResourceRequest& request,
                                                 std::size_t max_length,
                                                 absl::string_view name) {
  if (name.size() < kNameSuffixLength) return std::nullopt;
  const std::string suffix(name.substr(name.size() - kNameSuffixLength));
  const ResourceRequest asked{.stack = request.stack,
                              .logical_id = request.logical_id,
                              .physical_id = "",
                              .name_suffix = suffix,
                              .properties = request.properties};
  if (!IsNameSuffix(suffix) || GeneratedName(asked, max_length) != name) {
    return std::nullopt;
  }
  return suffix;
}

std::string ArnOf(const StackContext& stack, absl::string_view service,
                  absl::string_view resource) {
  return absl::StrCat("arn:", stack.partition, ":", service, ":", stack.region,
                      ":", stack.account_id, ":", resource);
}

}  // namespace byoshin::local::cloudformation
