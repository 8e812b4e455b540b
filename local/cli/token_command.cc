// `byoshin token`: a token of a user, for trying an API behind Cognito.

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/error_parser.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/signed_call.h"

namespace byoshin::local::cli {
namespace {

constexpr char kTarget[] =
    "AWSCognitoIdentityProviderService.ByoshinGiveTokens";
constexpr absl::Duration kTokenTimeout = absl::Seconds(30);
constexpr int kMaxTokenAnswerBytes = 1 << 20;

absl::StatusOr<Json::Value> AskForTokens(const Arguments& arguments,
                                         CommandContext& context) {
  const CloudClient cloud = ClientFor(arguments, context);
  absl::StatusOr<std::string> url = http::JoinUrl(cloud.endpoint(), "/");
  if (!url.ok()) return url.status();
  Json::Value body(Json::objectValue);
  body["Username"] = arguments.Get("user");
  if (arguments.Has("pool")) body["UserPool"] = arguments.Get("pool");
  if (arguments.Has("client")) body["Client"] = arguments.Get("client");
  http::Request request;
  request.method = "POST";
  request.url = *std::move(url);
  request.headers = {{"Content-Type", "application/x-amz-json-1.1"},
                     {"X-Amz-Target", kTarget}};
  request.body = json::WriteValue(body);
  request.timeout = kTokenTimeout;
  request.max_response_bytes = kMaxTokenAnswerBytes;
  const absl::StatusOr<http::Response> response =
      SendSigned(std::move(request), "cognito-idp", context);
  if (!response.ok()) {
    return absl::UnavailableError(
        absl::StrCat("no local cloud answers at ", cloud.endpoint(),
                     "; start it with `byoshin up`, or say where it is with "
                     "--endpoint=URL (",
                     response.status().message(), ")"));
  }
  if (response->status != 200) {
    return CallRefused("the token", aws::ParseError(*response));
  }
  return json::ParseValue(response->body);
}

absl::Status PrintToken(const Arguments& arguments, CommandContext& context) {
  if (arguments.Get("user").empty()) {
    return absl::InvalidArgumentError("say whose token, with --user=NAME");
  }
  const absl::StatusOr<Json::Value> answer = AskForTokens(arguments, context);
  if (!answer.ok()) return answer.status();
  if ((*answer)["UserCreated"].asBool()) {
    context.terminal.Note(absl::StrCat(
        "the user ", arguments.Get("user"), " was created in the user pool ",
        json::TextMember(*answer, "UserPoolId"), "\n"));
  }
  context.terminal.Print(absl::StrCat(
      json::TextMember((*answer)["AuthenticationResult"],
                       arguments.Has("access") ? "AccessToken" : "IdToken"),
      "\n"));
  return absl::OkStatus();
}

}  // namespace

Command TokenCommand() {
  return {
      .spec = {.name = "token",
               .summary = "print a token of a Cognito user, for trying an API",
               .details =
                   "Needs no password. A user who does not exist is created, "
                   "with a random one.\n"
                   "The call is signed with the credentials in "
                   "AWS_ACCESS_KEY_ID and\n"
                   "AWS_SECRET_ACCESS_KEY, or test:test.\n"
                   "Example: curl -H \"Authorization: $(byoshin token "
                   "--user=jane)\" URL",
               .flags = {{.name = "user",
                          .value = "NAME",
                          .help = "the user: a name, or an address where users "
                                  "sign in with one"},
                         {.name = "pool",
                          .value = "POOL",
                          .help = "the user pool's ID or name; not needed if "
                                  "there is only one"},
                         {.name = "client",
                          .value = "CLIENT",
                          .help = "the client's ID or name; not needed if the "
                                  "pool has only one"},
                         {.name = "access",
                          .help = "an access token, not an ID token"},
                         EndpointFlag()}},
      .run = PrintToken};
}

}  // namespace byoshin::local::cli
