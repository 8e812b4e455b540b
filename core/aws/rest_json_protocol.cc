#include "core/aws/rest_json_protocol.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/http/url.h"
#include "core/json/value.h"

namespace byoshin::aws {
namespace {

constexpr char kRestJsonContentType[] = "application/json";

absl::StatusOr<std::string> EncodePath(const RestJsonProtocol::Call& call) {
  for (const std::string& segment : call.path) {
    if (segment.empty() || segment == "." || segment == "..") {
      return absl::InvalidArgumentError(absl::StrCat(
          call.operation, ": \"", segment, "\" can't be a part of the path"));
    }
  }
  return absl::StrJoin(call.path, "/",
                       [](std::string* out, const std::string& segment) {
                         out->append(http::PercentEncode(segment));
                       });
}

}  // namespace

RestJsonProtocol::RestJsonProtocol(ClientDependencies dependencies)
    : caller_(std::move(dependencies)) {}

absl::StatusOr<Json::Value> RestJsonProtocol::Send(const Call& call,
                                                   absl::Time deadline) {
  absl::StatusOr<std::string> path = EncodePath(call);
  if (!path.ok()) return path.status();
  return caller_.Send({.service = call.service,
                       .operation = call.operation,
                       .method = call.method,
                       .path = *std::move(path),
                       .headers = {{"Content-Type", kRestJsonContentType}},
                       .body = json::WriteValue(call.input),
                       .limits = call.limits},
                      deadline);
}

}  // namespace byoshin::aws
