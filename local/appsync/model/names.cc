#include "local/appsync/model/names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/random/random.h"

namespace byoshin::local::appsync {
namespace {

constexpr std::size_t kMaxNameBytes = 65536;

}  // namespace

std::string NewId() {
  constexpr absl::string_view kCharacters = "abcdefghijklmnopqrstuvwxyz234567";
  std::string id;
  while (id.size() < kApiIdLength) {
    id += kCharacters[random::Bits() % kCharacters.size()];
  }
  return id;
}

std::string NewKeyId() { return absl::StrCat("da2-", NewId()); }

std::string ApiArn(const Place& place, absl::string_view api_id,
                   absl::string_view rest) {
  return absl::StrCat("arn:aws:appsync:", place.region, ":", place.account_id,
                      ":apis/", api_id, rest);
}

std::string EndpointPath(absl::string_view api_id) {
  return absl::StrCat("/graphql/", api_id, "/graphql");
}

std::string GraphqlUrl(absl::string_view endpoint, absl::string_view api_id) {
  return absl::StrCat(endpoint, EndpointPath(api_id));
}

std::string RealtimeUrl(absl::string_view endpoint, absl::string_view api_id) {
  absl::ConsumePrefix(&endpoint, "http");
  return absl::StrCat("ws", endpoint, EndpointPath(api_id), kRealtimeSuffix);
}

bool IsGraphqlName(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes &&
         !absl::ascii_isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '_';
         });
}

}  // namespace byoshin::local::appsync
