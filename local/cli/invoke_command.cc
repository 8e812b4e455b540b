// `byoshin invoke`: calls a function over the wire, as any AWS client does.
#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/error_parser.h"
#include "core/env/working_directory.h"
#include "core/files/read_file.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/signed_call.h"

namespace byoshin::local::cli {
namespace {

// A function may run for fifteen minutes.
constexpr absl::Duration kInvokeTimeout = absl::Minutes(15);
constexpr int kMaxResultBytes = 8 << 20;

absl::StatusOr<std::string> ReadEvent(const std::string& word,
                                      CommandContext& context) {
  if (word.empty()) return std::string("{}");
  if (word == "-") return context.read_input();
  return files::ReadFile(env::FromWorkingDirectory(word, context.environment));
}

absl::Status Invoke(const Arguments& arguments, CommandContext& context) {
  CloudClient cloud = ClientFor(arguments, context);
  const absl::StatusOr<std::string> function =
      FindFunction(cloud, arguments.Word(0));
  if (!function.ok()) return function.status();
  absl::StatusOr<std::string> event = ReadEvent(arguments.Word(1), context);
  if (!event.ok()) return event.status();
  absl::StatusOr<std::string> url = http::JoinUrl(
      cloud.endpoint(),
      absl::StrCat("/2015-03-31/functions/", *function, "/invocations"));
  if (!url.ok()) return url.status();

  http::Request request;
  request.method = "POST";
  request.url = *std::move(url);
  request.body = *std::move(event);
  request.timeout = kInvokeTimeout;
  request.max_response_bytes = kMaxResultBytes;
  request.headers = {{"X-Amz-Log-Type", "Tail"}};
  const absl::StatusOr<http::Response> response =
      SendSigned(std::move(request), "lambda", context);
  if (!response.ok()) return response.status();
  std::string log;
  if (absl::Base64Unescape(response->FindHeader("X-Amz-Log-Result"), &log)) {
    context.terminal.Note(log);
  }
  if (response->status != 200) {
    return CallRefused("the invocation", aws::ParseError(*response));
  }
  context.terminal.Print(absl::StrCat(response->body, "\n"));
  if (const absl::string_view error =
          response->FindHeader("X-Amz-Function-Error");
      !error.empty()) {
    return absl::InternalError(
        absl::StrCat("the function failed (", error, ")"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> FindFunction(CloudClient& cloud,
                                         const std::string& wanted) {
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  std::vector<std::string> all;
  std::vector<std::string> similar;
  for (const Json::Value& function : (*status)["functions"]) {
    std::string name = function["name"].asString();
    if (name == wanted) return name;
    if (absl::StrContains(absl::AsciiStrToLower(name),
                          absl::AsciiStrToLower(wanted))) {
      similar.push_back(name);
    }
    all.push_back(std::move(name));
  }
  if (similar.size() == 1) return similar.front();
  if (similar.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no function \"", wanted,
                     "\"; there are: ", absl::StrJoin(all, ", ")));
  }
  return absl::NotFoundError(
      absl::StrCat("several functions have \"", wanted,
                   "\" in their names: ", absl::StrJoin(similar, ", ")));
}

Command InvokeCommand() {
  return {.spec = {.name = "invoke",
                   .summary = "call a function and print its result",
                   .details = "The end of its log goes to standard error. The "
                              "call is signed with the\n"
                              "credentials in AWS_ACCESS_KEY_ID and "
                              "AWS_SECRET_ACCESS_KEY, or test:test.\n"
                              "Example: byoshin invoke sender event.json",
                   .words = {{.name = "FUNCTION",
                              .help = "its name, or a part that only it has"},
                             {.name = "EVENT.json",
                              .help = "a file, or - for standard input; "
                                      "without it, {}",
                              .required = false}},
                   .flags = {EndpointFlag()}},
          .run = Invoke};
}

}  // namespace byoshin::local::cli
