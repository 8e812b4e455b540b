#include "core/aws/json_protocol.h"

#include <json/json.h>

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/http/client.h"
#include "core/json/value.h"

namespace byoshin::aws {
namespace {

constexpr char kJson10ContentType[] = "application/x-amz-json-1.0";

}  // namespace

JsonProtocol::JsonProtocol(ClientDependencies dependencies)
    : caller_(std::move(dependencies)) {}

absl::StatusOr<Json::Value> JsonProtocol::Send(const Call& call,
                                               absl::Time deadline) {
  std::vector<http::Header> headers = {{"Content-Type", kJson10ContentType},
                                       {"X-Amz-Target", call.target}};
  headers.insert(headers.end(), call.headers.begin(), call.headers.end());
  return caller_.Send({.service = call.service,
                       .operation = call.operation,
                       .url = call.url,
                       .headers = std::move(headers),
                       .body = json::WriteValue(call.input),
                       .limits = call.limits},
                      deadline);
}

}  // namespace byoshin::aws
