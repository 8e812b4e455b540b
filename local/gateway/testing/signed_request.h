// Requests for tests, signed and spelled out as bytes.
//
//   client.Send(SignedRequest({.host = "127.0.0.1:4566",
//                              .service = "dynamodb",
//                              .headers = {{"X-Amz-Target", "..."}},
//                              .body = "{}",
//                              .time = clock.Now()}));
#ifndef BYOSHIN_LOCAL_GATEWAY_TESTING_SIGNED_REQUEST_H_
#define BYOSHIN_LOCAL_GATEWAY_TESTING_SIGNED_REQUEST_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"
#include "core/http/url.h"

namespace byoshin::local::testing {

struct RequestToSign {
  std::string method = "POST";
  std::string target = "/";
  std::string host{};
  std::string service{};
  std::string region = "eu-central-1";
  std::vector<http::Header> headers{};
  std::string body{};
  absl::Time time{};
  aws::Credentials credentials = {"test", aws::Secret("test")};
};

// The whole request, Content-Length included.
inline std::string SignedRequest(const RequestToSign& request) {
  const std::vector<std::string> target =
      absl::StrSplit(request.target, absl::MaxSplits('?', 1));
  aws::RequestParts parts{.method = request.method,
                          .path = target[0],
                          .headers = request.headers,
                          .body = request.body};
  if (target.size() > 1) parts.query = *http::ParseQuery(target[1]);
  parts.headers.push_back({"Host", request.host});
  std::vector<http::Header> headers = parts.headers;
  const aws::Signature signature = aws::Sign(parts, request.credentials,
                                             {.region = request.region,
                                              .service = request.service,
                                              .time = request.time});
  headers.insert(headers.end(), signature.headers.begin(),
                 signature.headers.end());
  std::string text =
      absl::StrCat(request.method, " ", request.target, " HTTP/1.1\r\n");
  for (const http::Header& header : headers) {
    absl::StrAppend(&text, header.name, ": ", header.value, "\r\n");
  }
  absl::StrAppend(&text, "Content-Length: ", request.body.size(), "\r\n\r\n",
                  request.body);
  return text;
}

}  // namespace byoshin::local::testing

#endif  // BYOSHIN_LOCAL_GATEWAY_TESTING_SIGNED_REQUEST_H_
