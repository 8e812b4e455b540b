#include "local/secretsmanager/random_password.h"

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/limits.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr absl::string_view kLowercase = "abcdefghijklmnopqrstuvwxyz";
constexpr absl::string_view kUppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr absl::string_view kNumbers = "0123456789";
constexpr absl::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr absl::string_view kSpace = " ";

// The characters of each included type that are not excluded.
std::vector<std::string> TypesOf(const PasswordRules& rules) {
  std::vector<std::string> types;
  const auto add = [&](bool included, absl::string_view characters) {
    if (!included) return;
    std::string left;
    for (const char c : characters) {
      if (rules.exclude_characters.find(c) == std::string::npos) left += c;
    }
    if (!left.empty()) types.push_back(std::move(left));
  };
  add(!rules.exclude_lowercase, kLowercase);
  add(!rules.exclude_uppercase, kUppercase);
  add(!rules.exclude_numbers, kNumbers);
  add(!rules.exclude_punctuation, kPunctuation);
  add(rules.include_space, kSpace);
  return types;
}

// At least 0 and less than `bound`.
std::size_t Draw(std::random_device& device, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(device);
}

}  // namespace

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetRandomPassword.html
absl::StatusOr<std::string> NewPassword(const PasswordRules& rules) {
  if (rules.length < 1 || rules.length > kMaxPasswordLength) {
    return InvalidParameter(
        absl::StrCat("Password length must be between 1 and ",
                     kMaxPasswordLength, " characters."));
  }
  const std::vector<std::string> types = TypesOf(rules);
  if (types.empty()) {
    return InvalidParameter(
        "All characters of the desired type have been excluded.");
  }
  const auto length = static_cast<std::size_t>(rules.length);
  if (rules.require_each_included_type && length < types.size()) {
    return InvalidParameter(
        absl::StrCat("Password length ", length,
                     " is too short based on the required types."));
  }
  std::random_device device;
  std::string all;
  std::string password;
  for (const std::string& type : types) {
    all += type;
    if (rules.require_each_included_type) {
      password += type[Draw(device, type.size())];
    }
  }
  while (password.size() < length) password += all[Draw(device, all.size())];
  // The characters that were required are not to stand first.
  for (std::size_t i = password.size(); i > 1; --i) {
    std::swap(password[i - 1], password[Draw(device, i)]);
  }
  return password;
}

}  // namespace byoshin::local::secretsmanager
