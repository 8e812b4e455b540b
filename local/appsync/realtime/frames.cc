#include "local/appsync/realtime/frames.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "local/appsync/realtime/limits.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/gateway/rest.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;

// What a connection's signature is for, besides the path.
constexpr char kConnect[] = "/connect";
constexpr char kConnectBody[] = "{}";

std::string QuotedText(absl::string_view text) {
  std::string quoted;
  json::AppendQuoted(text, quoted);
  return quoted;
}

std::string ErrorJson(absl::string_view error_type, absl::string_view message) {
  return absl::StrCat("{\"errorType\":", QuotedText(error_type),
                      ",\"message\":", QuotedText(message), "}");
}

// Base 64 of either alphabet, with or without padding.
std::string Decoded(absl::string_view text) {
  std::string decoded;
  absl::WebSafeBase64Unescape(
      absl::StrReplaceAll(text, {{"+", "-"}, {"/", "_"}, {" ", "-"}}),
      &decoded);
  return decoded;
}

std::string QueryCredentials(const http::ServerRequest& handshake) {
  for (const absl::string_view pair : absl::StrSplit(handshake.query, '&')) {
    absl::string_view value = pair;
    // Some clients don't percent-encode it.
    if (absl::ConsumePrefix(&value, "header=")) {
      return Decoded(PercentDecoded(value));
    }
  }
  return "";
}

std::string SubprotocolCredentials(const http::ServerRequest& handshake) {
  for (absl::string_view offered : http::OfferedSubprotocols(handshake)) {
    if (absl::ConsumePrefix(&offered, "header-")) return Decoded(offered);
  }
  return "";
}

http::ServerRequest SignedRequest(const Data& headers, std::string path,
                                  std::string body) {
  http::ServerRequest request{
      .method = "POST", .target = path, .path = path, .body = std::move(body)};
  for (const Data::Member& header : headers.members()) {
    if (!header.value.is_string()) continue;
    request.headers.push_back(
        {std::string(header.name()), std::string(header.value.string())});
  }
  return request;
}

}  // namespace

ClientFrame ParseFrame(absl::string_view text) {
  ClientFrame frame;
  const absl::StatusOr<Data> value = Data::Parse(text);
  if (!value.ok() || !value->is_object()) {
    frame.problem = "the message is not a JSON object";
    return frame;
  }
  const Data& id = MemberOf(*value, "id");
  if (id.is_string()) frame.id = std::string(id.string());
  const std::string type = TextOf(*value, "type");
  if (type == "connection_init") {
    frame.type = ClientFrame::Type::kInit;
    return frame;
  }
  if (type != "start" && type != "stop") {
    frame.problem = absl::StrCat(json::CutAtCharacter(type, 64),
                                 " not supported through the realtime channel");
    return frame;
  }
  if (!frame.id.has_value() || frame.id->empty() ||
      frame.id->size() > kMaxSubscriptionIdBytes) {
    frame.problem = absl::StrCat("id must be a text of 1 to ",
                                 kMaxSubscriptionIdBytes, " bytes");
    frame.id.reset();
    return frame;
  }
  if (type == "stop") {
    frame.type = ClientFrame::Type::kStop;
    return frame;
  }
  const Data& payload = MemberOf(*value, "payload");
  frame.data = TextOf(payload, "data");
  frame.authorization =
      MemberOf(MemberOf(payload, "extensions"), "authorization");
  if (frame.data.empty()) {
    frame.problem = "payload.data must be the JSON text of an operation";
    return frame;
  }
  frame.type = ClientFrame::Type::kStart;
  return frame;
}

std::string AckFrame() {
  return absl::StrCat(
      R"({"type":"connection_ack","payload":{"connectionTimeoutMs":)",
      absl::ToInt64Milliseconds(kConnectionTimeout), "}}");
}

std::string KeepAliveFrame() { return R"({"type":"ka"})"; }

std::string IdFrame(absl::string_view type, absl::string_view id) {
  return absl::StrCat("{\"id\":", QuotedText(id),
                      ",\"type\":", QuotedText(type), "}");
}

std::string ErrorFrame(const std::optional<std::string>& id,
                       absl::string_view error_type,
                       absl::string_view message) {
  const std::string error = ErrorJson(error_type, message);
  if (id.has_value()) return ErrorsFrame(*id, absl::StrCat("[", error, "]"));
  return absl::StrCat("{\"type\":\"error\",\"payload\":{\"errors\":[", error,
                      "]}}");
}

std::string ErrorsFrame(absl::string_view id, absl::string_view errors_json) {
  return absl::StrCat(
      "{\"id\":", QuotedText(id),
      ",\"type\":\"error\",\"payload\":{\"errors\":", errors_json, "}}");
}

std::string ConnectionErrorFrame(absl::string_view error_type,
                                 absl::string_view message, int code) {
  return absl::StrCat(
      "{\"type\":\"connection_error\",\"payload\":{\"errors\":[{\"errorType\":",
      QuotedText(error_type), ",\"message\":", QuotedText(message),
      ",\"errorCode\":", code, "}]}}");
}

http::ServerRequest CredentialsOf(const http::ServerRequest& handshake,
                                  absl::string_view endpoint_path) {
  std::string text = QueryCredentials(handshake);
  if (text.empty()) text = SubprotocolCredentials(handshake);
  const std::string path = absl::StrCat(endpoint_path, kConnect);
  if (!text.empty()) {
    return SignedRequest(Data::Parse(text).value_or(Data()), path,
                         kConnectBody);
  }
  return handshake;
}

http::ServerRequest CredentialsOf(const ClientFrame& start,
                                  absl::string_view endpoint_path) {
  return SignedRequest(start.authorization, std::string(endpoint_path),
                       start.data);
}

Data WithHeaders(const Data& headers, const http::ServerRequest& credentials) {
  json::ObjectBuilder all(headers);
  for (const http::Header& header : credentials.headers) {
    const std::string name =
        absl::AsciiStrToLower(json::ValidUtf8(header.name));
    // The client's address is not for the client to tell.
    if (name == kForwardedForHeader) continue;
    all.Set(name, Data::String(json::ValidUtf8(header.value)));
  }
  return std::move(all).Build();
}

}  // namespace byoshin::local::appsync
