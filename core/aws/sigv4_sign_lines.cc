// Signs the requests that come in on standard input, one JSON object a line,
// and answers each with its headers and canonical request: so that
// sigv4_sdk_test.js can compare our signatures with those of AWS's SDK.
#include <json/json.h>

#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"
#include "core/json/value.h"

namespace byoshin::aws {
namespace {

std::string Answer(const std::string& line) {
  const Json::Value in = json::ParseValue(line).value();
  http::Request request{.method = in["method"].asString(),
                        .url = in["url"].asString(),
                        .body = in["body"].asString()};
  for (const Json::Value& header : in["headers"]) {
    request.headers.push_back({header[0].asString(), header[1].asString()});
  }
  const absl::StatusOr<Signature> signature =
      Sign(request,
           {.access_key_id = in["accessKeyId"].asString(),
            .secret_access_key = Secret(in["secretAccessKey"].asString()),
            .session_token = Secret(in["sessionToken"].asString())},
           {.region = in["region"].asString(),
            .service = in["service"].asString(),
            .time = absl::FromUnixSeconds(in["time"].asInt64())});
  Json::Value out(Json::objectValue);
  if (!signature.ok()) {
    out["error"] = signature.status().ToString();
    return json::WriteValue(out);
  }
  for (const http::Header& header : signature->headers) {
    out["headers"][header.name] = header.value;
  }
  out["canonicalRequest"] = signature->canonical_request;
  return json::WriteValue(out);
}

}  // namespace
}  // namespace byoshin::aws

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << byoshin::aws::Answer(line) << "\n";
  }
}
