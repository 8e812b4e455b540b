// Signs requests with AWS Signature Version 4.
//
//   absl::StatusOr<aws::Signature> signature = aws::Sign(
//       request, credentials,
//       {.region = "us-east-1", .service = "sqs", .time = clock.Now()});
//   if (!signature.ok()) return signature.status();
//   for (http::Header& header : signature->headers) {
//     request.headers.push_back(std::move(header));
//   }
//
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#ifndef BYOSHIN_CORE_AWS_SIGV4_H_
#define BYOSHIN_CORE_AWS_SIGV4_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/http/url.h"

namespace byoshin::aws {

// The scope of a signature.
struct SigningScope {
  std::string region{};
  std::string service{};  // "sqs", "dynamodb"
  // AWS accepts the signature for some minutes around this time.
  absl::Time time{};
};

struct Signature {
  // To be added to the request as they are: Host, unless the request has it,
  // X-Amz-Date, X-Amz-Security-Token for temporary credentials, Authorization.
  std::vector<http::Header> headers{};
  // What was signed, as AWS shows it in errors.
  std::string canonical_request{};
  std::string string_to_sign{};
};

// Signs method, path, query, body and all headers of `request`, except those
// that proxies and HTTP clients may change on the way. InvalidArgument if the
// URL or its query is malformed, or the request has a header already that the
// signature adds, other than Host.
absl::StatusOr<Signature> Sign(const http::Request& request,
                               const Credentials& credentials,
                               const SigningScope& scope);

// The same for a request with a parsed URL.
struct RequestParts {
  std::string method = "GET";
  // As it is sent, encoded or not.
  std::string path = "/";
  // Decoded.
  std::vector<http::QueryParameter> query{};
  // With Host, without the headers that the signature adds.
  std::vector<http::Header> headers{};
  std::string body{};
};
Signature Sign(RequestParts request, const Credentials& credentials,
               const SigningScope& scope);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_SIGV4_H_
