// What the cases of AWS's test suite for Signature Version 4 have in common,
// for the tests of signing.
#ifndef BYOSHIN_CORE_AWS_SIGV4_SUITE_H_
#define BYOSHIN_CORE_AWS_SIGV4_SUITE_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"

namespace byoshin::aws {

inline const Credentials& SuiteCredentials() {
  static const auto& credentials = *new Credentials{
      .access_key_id = "AKIDEXAMPLE",
      .secret_access_key = Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")};
  return credentials;
}

inline SigningScope SuiteScope() {
  return {.region = "us-east-1",
          .service = "service",
          .time = absl::FromCivil(absl::CivilSecond(2015, 8, 30, 12, 36, 0),
                                  absl::UTCTimeZone())};
}

inline std::string AuthorizationOf(const Signature& signature) {
  for (const http::Header& header : signature.headers) {
    if (header.name == "Authorization") return header.value;
  }
  return "";
}

// The Authorization header that the suite expects of a case.
inline std::string Expected(absl::string_view signed_headers,
                            absl::string_view signature) {
  return absl::StrCat(
      "AWS4-HMAC-SHA256 "
      "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
      "SignedHeaders=",
      signed_headers, ", Signature=", signature);
}

// The signature of its simplest case.
inline constexpr char kVanilla[] =
    "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31";

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_SIGV4_SUITE_H_
