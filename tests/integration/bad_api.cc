#include "tests/integration/bad_api.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace byoshin::integration {
namespace {

using Then = RawServer::Then;

// An answer with a proper head for its body.
std::string Http(absl::string_view status, absl::string_view body,
                 absl::string_view content_type = "application/json") {
  // {from} and {to} grow to a timestamp of 20 characters.
  const std::string sample(20, '-');
  const std::size_t size =
      absl::StrReplaceAll(body, {{"{from}", sample}, {"{to}", sample}}).size();
  return absl::StrCat("HTTP/1.1 ", status, "\r\nContent-Type: ", content_type,
                      "\r\nContent-Length: ", size,
                      "\r\nConnection: close\r\n\r\n", body);
}

std::string Ok(absl::string_view body) { return Http("200 OK", body); }

// The value of a query parameter in "GET /path?from=...&to=... HTTP/1.1". Times
// need no other decoding.
std::string Parameter(absl::string_view head, absl::string_view name) {
  const std::size_t name_at = head.find(absl::StrCat(name, "="));
  if (name_at == absl::string_view::npos) return {};
  absl::string_view rest = head.substr(name_at + name.size() + 1);
  return absl::StrReplaceAll(rest.substr(0, rest.find_first_of("& ")),
                             {{"%3A", ":"}, {"%3a", ":"}});
}

constexpr char kGoodBody[] = R"({"from":"{from}","to":"{to}","count":4})";

constexpr char kHtml[] =
    "<!doctype html><title>Sign in</title><p>Please sign in.";

}  // namespace

std::vector<ApiMisbehaviour> AllApiMisbehaviours() {
  return {
      // No whole answer.
      {"ClosesWithoutAnswer", ""},
      {"Resets", "", Then::kReset},
      {"ClosesAmidHeaders", "HTTP/1.1 200 OK\r\nContent-Le"},
      {"ClosesAmidBody",
       "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"from\":"},
      {"ResetsAmidBody",
       "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"from\":",
       Then::kReset},
      {"IsNotHttp", "SSH-2.0-OpenSSH_9.2p1\r\n"},
      {"BrokenChunks",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"},
      // Another status than 200, with a body that would be right.
      {"Status500", Http("500 Internal Server Error", kGoodBody)},
      {"Status503", Http("503 Service Unavailable", "")},
      {"Status404", Http("404 Not Found", R"({"error":"not found"})")},
      {"Status429", Http("429 Too Many Requests", kGoodBody)},
      {"Status201", Http("201 Created", kGoodBody)},
      {"Status204", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"},
      {"Redirects",
       "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n"
       "Connection: close\r\n\r\n"},
      // Not JSON, or not the JSON asked for.
      {"EmptyBody", Ok("")},
      {"Html", Http("200 OK", kHtml, "text/html")},
      {"HtmlCalledJson", Ok(kHtml)},
      {"CutJson", Ok(R"({"from":"{from}","to":"{to}","cou)")},
      {"TextAfterJson", Ok(absl::StrCat(kGoodBody, "x"))},
      {"BrokenUtf8",
       Ok("{\"from\":\"{from}\",\"to\":\"{to}\",\"count\":1,\"x\":\"\xff\"}")},
      {"JsonNull", Ok("null")},
      {"JsonArray", Ok(absl::StrCat("[", kGoodBody, "]"))},
      {"DeepJson", Ok(std::string(10'000, '['))},
      {"HugeBody",
       Ok(absl::StrCat(R"({"x":")", std::string(8 << 20, 'x'),
                       R"(","from":"{from}","to":"{to}",)", R"("count":1})"))},
      // Wrong fields.
      {"EmptyObject", Ok("{}")},
      {"NoCount", Ok(R"({"from":"{from}","to":"{to}"})")},
      {"NoFrom", Ok(R"({"to":"{to}","count":1})")},
      {"NoTo", Ok(R"({"from":"{from}","count":1})")},
      {"CountIsAString", Ok(R"({"from":"{from}","to":"{to}","count":"7"})")},
      {"CountIsNull", Ok(R"({"from":"{from}","to":"{to}","count":null})")},
      {"CountIsAFraction", Ok(R"({"from":"{from}","to":"{to}","count":1.5})")},
      {"CountIsNegative", Ok(R"({"from":"{from}","to":"{to}","count":-1})")},
      {"CountIsTooLarge",
       Ok(R"({"from":"{from}","to":"{to}","count":9223372036854775808})")},
      {"CountTwice",
       Ok(R"({"from":"{from}","to":"{to}","count":1,"count":2})")},
      {"FromIsNotATime", Ok(R"({"from":"now","to":"{to}","count":1})")},
      {"AnotherWindow",
       Ok(R"({"from":"2001-01-01T00:00:00Z","to":"2001-01-01T00:00:05Z",)"
          R"("count":1})")},
      {"WindowTurnedRound", Ok(R"({"from":"{to}","to":"{from}","count":1})")},
  };
}

std::vector<ApiMisbehaviour> EndlessApiMisbehaviours() {
  return {
      {"HangsBeforeTheAnswer", "", Then::kHold},
      {"HangsAmidTheBody", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{",
       Then::kHold},
      {"DripsHeaders", "HTTP/1.1 200 OK\r\nX-Drip: x", Then::kDrip},
      {"DripsTheBody",
       "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n{\"x\":\"x",
       Then::kDrip},
  };
}

absl::StatusOr<std::unique_ptr<BadApi>> BadApi::Start(
    ApiMisbehaviour misbehaviour, std::string bad_from) {
  absl::StatusOr<std::unique_ptr<RawServer>> server = RawServer::Start(
      [misbehaviour = std::move(misbehaviour),
       bad_from = std::move(bad_from)](absl::string_view head) {
        const std::string from = Parameter(head, "from");
        RawServer::Answer answer = {.bytes = Ok(kGoodBody)};
        if (from == bad_from) {
          answer.bytes = misbehaviour.answer;
          answer.then = misbehaviour.then;
        }
        answer.bytes = absl::StrReplaceAll(
            answer.bytes, {{"{from}", from}, {"{to}", Parameter(head, "to")}});
        return answer;
      });
  if (!server.ok()) return server.status();
  return std::unique_ptr<BadApi>(new BadApi(*std::move(server)));
}

}  // namespace byoshin::integration
