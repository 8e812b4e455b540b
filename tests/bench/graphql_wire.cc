#include "tests/bench/graphql_wire.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"

namespace byoshin::bench {
namespace {

std::string Host(const GraphqlTarget& target) {
  return absl::StrCat("127.0.0.1:", target.port);
}

std::string Authorization(const GraphqlTarget& target) {
  return absl::StrCat(R"({"host":")", Host(target), R"(","x-api-key":")",
                      target.key, R"("})");
}

}  // namespace

absl::StatusOr<GraphqlTarget> TargetAt(absl::string_view url,
                                       absl::string_view key) {
  absl::string_view rest = url;
  GraphqlTarget target = {.key = std::string(key)};
  const bool is_local = absl::ConsumePrefix(&rest, "http://127.0.0.1:");
  const std::size_t slash = rest.find('/');
  if (!is_local || slash == absl::string_view::npos ||
      !absl::SimpleAtoi(rest.substr(0, slash), &target.port)) {
    return absl::InvalidArgumentError(
        absl::StrCat("not an API of this machine: ", url));
  }
  target.path = std::string(rest.substr(slash));
  return target;
}

std::string JsonQuoted(absl::string_view text) {
  std::string quoted;
  json::AppendQuoted(text, quoted);
  return quoted;
}

std::string OperationBody(const GraphqlOperation& operation) {
  return absl::StrCat(R"({"query":)", JsonQuoted(operation.query),
                      R"(,"variables":)", operation.variables, "}");
}

std::string PostRequest(const GraphqlTarget& target,
                        const GraphqlOperation& operation) {
  return PostRequest(target, OperationBody(operation));
}

std::string PostRequest(const GraphqlTarget& target, absl::string_view body) {
  return absl::StrCat("POST ", target.path, " HTTP/1.1\r\nHost: ", Host(target),
                      "\r\nContent-Type: application/json\r\n",
                      "x-api-key: ", target.key,
                      "\r\nContent-Length: ", body.size(), "\r\n\r\n", body);
}

std::string UpgradeRequest(const GraphqlTarget& target) {
  return absl::StrCat(
      "GET ", target.path, "/realtime?header=",
      absl::StrReplaceAll(absl::Base64Escape(Authorization(target)),
                          {{"+", "%2B"}, {"/", "%2F"}, {"=", "%3D"}}),
      "&payload=e30= HTTP/1.1\r\nHost: ", Host(target),
      "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Sec-WebSocket-Protocol: graphql-ws\r\n\r\n");
}

std::string StartMessage(const GraphqlTarget& target, absl::string_view id,
                         const GraphqlOperation& subscription) {
  return absl::StrCat(
      R"({"id":)", JsonQuoted(id), R"(,"type":"start","payload":{"data":)",
      JsonQuoted(OperationBody(subscription)),
      R"(,"extensions":{"authorization":)", Authorization(target), "}}}");
}

std::string StopMessage(absl::string_view id) {
  return absl::StrCat(R"({"id":)", JsonQuoted(id), R"(,"type":"stop"})");
}

bool HasType(absl::string_view message, absl::string_view type) {
  // It stands at the beginning, at most behind an id. The rest, which may be
  // long, is not searched: this shares the processors with the server.
  constexpr std::size_t kSearchedBytes = 64;
  constexpr absl::string_view kBefore = R"("type":")";
  message = message.substr(0, kSearchedBytes);
  const std::size_t at = message.find(kBefore);
  if (at == absl::string_view::npos) return false;
  message.remove_prefix(at + kBefore.size());
  return absl::ConsumePrefix(&message, type) && absl::StartsWith(message, "\"");
}

}  // namespace byoshin::bench
