#include "local/cli/signed_call.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/aws/credentials.h"
#include "core/aws/error.h"
#include "core/aws/sigv4.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "local/gateway/credential_set.h"

namespace byoshin::local::cli {
namespace {

aws::Credentials CredentialsOrDefault(const env::Environment& environment) {
  absl::StatusOr<aws::Credentials> credentials =
      aws::CredentialsFrom(environment);
  if (credentials.ok()) return *std::move(credentials);
  LocalCredentials usual = DefaultCredentials();
  return {.access_key_id = std::move(usual.access_key_id),
          .secret_access_key = std::move(usual.secret_access_key)};
}

}  // namespace

absl::StatusOr<http::Response> SendSigned(http::Request request,
                                          absl::string_view service,
                                          CommandContext& context) {
  absl::StatusOr<aws::Signature> signature =
      aws::Sign(request, CredentialsOrDefault(context.environment),
                {.region = "us-east-1",
                 .service = std::string(service),
                 .time = context.clock.Now()});
  if (!signature.ok()) return signature.status();
  for (http::Header& header : signature->headers) {
    request.headers.push_back(std::move(header));
  }
  return context.http_client.Send(request);
}

absl::Status CallRefused(absl::string_view what, const aws::Error& error) {
  const bool denied = absl::IsPermissionDenied(aws::ToStatus(error, what));
  return absl::FailedPreconditionError(absl::StrCat(
      "the cloud refused ", what, ": ", error.code,
      error.message.empty() ? "" : ": ", absl::StripSuffix(error.message, "."),
      denied ? "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to "
               "credentials that the cloud accepts (its --credentials; default "
               "test:test)"
             : ""));
}

}  // namespace byoshin::local::cli
