// Verifies AWS Signature Version 4 as a service does, from the request alone.
//
// Written apart from core/aws/sigv4.h, which it is there to check; the AWS SDK
// for JavaScript, whose requests it accepts too, keeps both honest.
//
//   absl::StatusOr<std::vector<std::string>> signed_headers = VerifySigV4(
//       request, {.access_key_id = "AKID...", .secret_access_key = "wJal...",
//                 .region = "us-east-1", .service = "sqs"});
//
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#ifndef BYOSHIN_TESTS_INTEGRATION_SIGV4_VERIFIER_H_
#define BYOSHIN_TESTS_INTEGRATION_SIGV4_VERIFIER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/http/server.h"

namespace byoshin::integration {

struct SigV4Expectation {
  std::string access_key_id{};
  std::string secret_access_key{};
  // Of temporary credentials; empty if there is none.
  std::string session_token{};
  std::string region{};
  std::string service{};
};

// The names of the signed headers, in lower case and sorted. An error says what
// is wrong with the signature. For requests without a query and without "." and
// ".." in the path, as those of JSON protocols are.
absl::StatusOr<std::vector<std::string>> VerifySigV4(
    const http::ServerRequest& request, const SigV4Expectation& expectation);

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_SIGV4_VERIFIER_H_
