#include "core/aws/caller.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/endpoint.h"
#include "core/aws/error.h"
#include "core/aws/error_parser.h"
#include "core/aws/retry.h"
#include "core/aws/sigv4.h"
#include "core/crypto/crc32.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "core/log/logger.h"

namespace byoshin::aws {
namespace {

// `status` with the operation's name before its message.
absl::Status During(const Caller::Call& call, const absl::Status& status) {
  absl::Status named(status.code(),
                     absl::StrCat(call.operation, ": ", status.message()));
  return http::IsUnsent(status) ? http::MarkUnsent(std::move(named)) : named;
}

absl::StatusOr<std::string> UrlFor(const Caller::Call& call,
                                   const env::Environment& environment,
                                   absl::string_view region) {
  const absl::StatusOr<Endpoint> endpoint =
      ResolveEndpoint(environment, call.service, region);
  if (!endpoint.ok()) return endpoint.status();
  const bool is_overridden =
      endpoint->origin == Endpoint::Origin::kRegion && !call.url.empty();
  absl::StatusOr<std::string> url =
      http::JoinUrl(is_overridden ? call.url : endpoint->url, "/");
  if (url.ok()) url->append(call.path);
  return url;
}

// DynamoDB sends the checksum of the body.
bool IsIntact(const http::Response& response) {
  const absl::string_view announced = response.FindHeader("x-amz-crc32");
  if (announced.empty()) return true;
  uint32_t checksum = 0;
  return absl::SimpleAtoi(announced, &checksum) &&
         checksum == crypto::Crc32(response.body);
}

absl::StatusOr<Json::Value> OutputOf(const http::Response& response,
                                     const Caller::Call& call) {
  if (!IsIntact(response)) {
    return absl::DataLossError(
        absl::StrCat(call.operation,
                     ": the answer does not add up to its x-amz-crc32: it was "
                     "damaged on the way"));
  }
  if (response.status != 200) {
    return ToStatus(ParseError(response), call.operation);
  }
  absl::StatusOr<Json::Value> output = json::ParseValue(response.body);
  if (!output.ok()) {
    return absl::DataLossError(
        absl::StrCat(call.operation,
                     ": the answer is not JSON: ", output.status().message()));
  }
  if (!output->isObject()) {
    return absl::DataLossError(
        absl::StrCat(call.operation, ": the answer is not a JSON object but ",
                     json::Describe(*output)));
  }
  return output;
}

}  // namespace

Caller::Caller(ClientDependencies dependencies)
    : dependencies_(std::move(dependencies)),
      retrier_(dependencies_.retry, dependencies_.clock, dependencies_.random) {
}

// Everything that is the same for all attempts.
struct Caller::Prepared {
  http::Request request{};  // not signed yet
  Credentials credentials{};
  std::string region{};
};

absl::StatusOr<Caller::Prepared> Caller::Prepare(const Call& call) const {
  absl::StatusOr<std::string> region = RegionFrom(dependencies_.environment);
  if (!region.ok()) return region.status();
  absl::StatusOr<std::string> url =
      UrlFor(call, dependencies_.environment, *region);
  if (!url.ok()) return url.status();
  absl::StatusOr<Credentials> credentials =
      CredentialsFrom(dependencies_.environment);
  if (!credentials.ok()) return credentials.status();

  http::Request request{
      .method = call.method,
      .url = *std::move(url),
      .headers = call.headers,
      .body = call.body,
      .max_response_bytes = call.limits.max_response_bytes,
      .resend = call.limits.repetition == Repetition::kHarmless
                    ? http::Resend::kAllowed
                    : http::Resend::kNever};
  return Prepared{.request = std::move(request),
                  .credentials = *std::move(credentials),
                  .region = *std::move(region)};
}

absl::StatusOr<Json::Value> Caller::Attempt(const Call& call,
                                            const Prepared& prepared,
                                            absl::Time deadline) {
  const absl::Time now = dependencies_.clock.Now();
  http::Request request = prepared.request;
  request.timeout = std::min(call.limits.attempt_timeout, deadline - now);
  request.connect_timeout = std::min(kConnectTimeout, request.timeout);
  absl::StatusOr<Signature> signature =
      Sign(request, prepared.credentials,
           {.region = prepared.region,
            .service = call.service.SigningName(),
            .time = now});
  if (!signature.ok()) return During(call, signature.status());
  for (http::Header& header : signature->headers) {
    request.headers.push_back(std::move(header));
  }
  const absl::StatusOr<http::Response> response =
      dependencies_.http.Send(request);
  if (!response.ok()) return During(call, response.status());
  return OutputOf(*response, call);
}

void Caller::LogFailure(const Call& call, const FailedAttempt& failed) {
  if (dependencies_.logger == nullptr) return;
  dependencies_.logger->Warning(
      "AWS call failed, trying again",
      {{"operation", call.operation},
       {"attempt", failed.attempt},
       {"pauseMs", absl::ToInt64Milliseconds(failed.pause)},
       {"error", failed.status.message()}});
}

absl::StatusOr<Json::Value> Caller::Send(const Call& call,
                                         absl::Time deadline) {
  const absl::StatusOr<Prepared> prepared = Prepare(call);
  if (!prepared.ok()) return During(call, prepared.status());
  if (dependencies_.clock.Now() >= deadline) {
    return During(call, absl::DeadlineExceededError("no time was left for it"));
  }
  absl::StatusOr<Json::Value> output = absl::UnknownError("not tried yet");
  absl::Status status = retrier_.Run(
      deadline,
      [&] {
        output = Attempt(call, *prepared, deadline);
        return output.status();
      },
      {.is_retryable = call.limits.repetition == Repetition::kHarmless
                           ? &IsRetryable
                           : &IsRetryableWithoutEffect,
       .on_failure = [&](const FailedAttempt& failed) {
         LogFailure(call, failed);
       }});
  if (!status.ok()) return status;
  return output;
}

}  // namespace byoshin::aws
