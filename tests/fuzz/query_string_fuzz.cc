// Tries the parsers of queries and URLs on any bytes, against what puts them
// together.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/url.h"

namespace byoshin::http {
namespace {

// Independent of the parsers' own limits, and generous.
constexpr size_t kMaxErrorLength = 600;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

bool IsPrintable(absl::string_view text) {
  for (const char c : text) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

void CheckError(const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument,
          "what is refused is an invalid argument");
  Require(!status.message().empty() &&
              status.message().size() <= kMaxErrorLength &&
              IsPrintable(status.message()),
          "an error is a short line");
}

void CheckQuery(absl::string_view input) {
  const absl::StatusOr<std::vector<QueryParameter>> parameters =
      ParseQuery(input);
  if (!parameters.ok()) {
    CheckError(parameters.status());
    return;
  }
  for (const QueryParameter& parameter : *parameters) {
    Require(!parameter.name.empty(), "every parameter has a name");
  }
  const auto again = ParseQuery(FormatQuery(*parameters));
  Require(again.ok() && *again == *parameters,
          "parameters can be written and read back");
}

void CheckUrl(absl::string_view input) {
  const absl::StatusOr<Url> url = ParseUrl(input);
  if (!url.ok()) {
    CheckError(url.status());
    return;
  }
  Require(url->port >= 1 && url->port <= 65535, "the port exists");
  Require(!url->host.empty() && absl::StartsWith(url->path, "/"),
          "there are a host and a path");
  const absl::StatusOr<Url> again =
      ParseUrl(absl::StrCat(Origin(*url), url->path, "?", url->query));
  Require(again.ok() && *again == *url, "the parts make the same URL again");
}

void CheckJoining(absl::string_view input) {
  const std::vector<QueryParameter> parameters = {
      {absl::StrCat("n", input), std::string(input)}};
  const absl::StatusOr<std::string> joined =
      JoinUrl("http://host/base/", absl::StrCat("/", input), parameters);
  Require(joined.ok(), "anything can be joined");
  const absl::StatusOr<Url> url = ParseUrl(*joined);
  Require(url.ok() && absl::StartsWith(url->path, "/base/"),
          "what was joined is a URL below its base");
  const auto read = ParseQuery(url->query);
  Require(read.ok() && *read == parameters, "the parameters are those given");
}

void CheckLogging(absl::string_view input) {
  const std::string logged = UrlForLog(input);
  Require(logged.size() <= kMaxErrorLength && IsPrintable(logged),
          "a URL is logged as a short line");
  Require(logged.find_first_of("?#") == std::string::npos,
          "neither query nor fragment is logged");
  // In upper case, which no host is shown in.
  constexpr char kPassword[] = "PASS\x01word";
  Require(
      !absl::StrContains(
          UrlForLog(absl::StrCat("http://u:", kPassword, "@", input)), "PASS"),
      "no password is logged");
}

void TryOne(absl::string_view input) {
  CheckQuery(input);
  CheckUrl(input);
  CheckJoining(input);
  // The check for the password could not tell it from the same in the input.
  if (!absl::StrContains(input, "PASS")) CheckLogging(input);
}

}  // namespace
}  // namespace byoshin::http

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::http::TryOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
