#include "core/http/request_parser.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::testing::IsEmpty;

constexpr RequestParser::Limits kLimits = {.max_header_bytes = 256,
                                           .max_body_bytes = 64};

// What came of an input, in a form that can be compared and printed.
struct Outcome {
  bool finished = false;
  int refused = 0;
  std::string request;
  std::string rest;

  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& o) {
    return out << "{finished " << o.finished << ", refused " << o.refused
               << ", request " << o.request << ", rest " << o.rest << "}";
  }
};

std::string Describe(const ServerRequest& request) {
  std::string text = absl::StrCat(request.method, "|", request.target, "|");
  for (const Header& header : request.headers) {
    absl::StrAppend(&text, header.name, "=", header.value, "|");
  }
  return absl::StrCat(text, request.body);
}

// Parses what arrives in pieces, each of which `next_size` gives the size of.
template <typename NextSize>
Outcome Parse(absl::string_view input, NextSize next_size) {
  RequestParser parser(kLimits);
  std::string buffer;
  while (!parser.finished() && !input.empty()) {
    const std::size_t size = std::min<std::size_t>(next_size(), input.size());
    absl::StrAppend(&buffer, input.substr(0, size));
    input.remove_prefix(size);
    buffer.erase(0, parser.Feed(buffer));
    EXPECT_LE(buffer.size(), kLimits.max_header_bytes + size);
  }
  Outcome outcome;
  outcome.finished = parser.finished();
  if (parser.failure().has_value()) {
    outcome.refused = parser.failure()->status;
  } else if (parser.finished()) {
    outcome.request = Describe(parser.TakeRequest());
    outcome.rest = absl::StrCat(buffer, input);
  }
  return outcome;
}

Outcome ParseAtOnce(absl::string_view input) {
  return Parse(input, [&] { return input.size(); });
}

TEST(RequestParser, ReadsTheRequestAndLeavesWhatFollows) {
  const Outcome outcome = ParseAtOnce(
      "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /");
  EXPECT_EQ(outcome.request, "POST|/a?b|Host=x|Content-Length=3|abc");
  EXPECT_EQ(outcome.rest, "GET /");
}

TEST(RequestParser, IgnoresLineBreaksBeforeTheRequest) {
  EXPECT_EQ(ParseAtOnce("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n").request,
            "GET|/|Host=x|");
  RequestParser parser(kLimits);
  EXPECT_EQ(parser.Feed("\r\n\r"), 2);
  EXPECT_FALSE(parser.has_begun());
}

TEST(RequestParser, RefusesFoldedHeaders) {
  for (const char* fold : {" b", "\tb", " "}) {
    const std::string request =
        absl::StrCat("GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n", fold, "\r\n\r\n");
    EXPECT_EQ(ParseAtOnce(request).refused, 400) << fold;
    for (std::size_t size = 1; size <= request.size(); ++size) {
      EXPECT_EQ(Parse(request, [&] { return size; }).refused, 400) << fold;
    }
  }
  // A body may have such lines.
  EXPECT_EQ(ParseAtOnce("PUT / HTTP/1.1\r\nHost: x\r\n"
                        "Content-Length: 4\r\n\r\n \r\n ")
                .request,
            "PUT|/|Host=x|Content-Length=4| \r\n ");
}

TEST(RequestParser, KeepsTrailersOutOfTheHeaders) {
  EXPECT_EQ(ParseAtOnce("PUT / HTTP/1.1\r\nHost: x\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n"
                        "1\r\na\r\n0\r\nAuthorization: forged\r\n\r\n")
                .request,
            "PUT|/|Host=x|Transfer-Encoding=chunked|a");
}

TEST(RequestParser, TellsWhetherTheConnectionIsToBeKept) {
  struct Case {
    absl::string_view header;
    bool keep_alive;
    bool is_http_1_0;
  };
  for (const Case& c : std::vector<Case>{
           {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", true, false},
           {"GET / HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n", false,
            false},
           {"GET / HTTP/1.0\r\n\r\n", false, true},
           {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true, true}}) {
    RequestParser parser(kLimits);
    parser.Feed(c.header);
    EXPECT_TRUE(parser.finished());
    EXPECT_EQ(parser.keep_alive(), c.keep_alive) << c.header;
    EXPECT_EQ(parser.is_http_1_0(), c.is_http_1_0) << c.header;
  }
}

TEST(RequestParser, NoticesAClientThatHoldsTheBodyBack) {
  RequestParser parser(kLimits);
  parser.Feed(
      "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\n"
      "Content-Length: 1\r\n\r\n");
  EXPECT_TRUE(parser.has_header());
  EXPECT_TRUE(parser.expects_continue());
  EXPECT_FALSE(parser.finished());
}

TEST(RequestParser, KnowsWhatWasAskedForEvenIfItIsRefused) {
  RequestParser parser(kLimits);
  parser.Feed("PUT /big HTTP/1.1\r\nHost: x\r\nContent-Length: 65\r\n\r\n");
  ASSERT_TRUE(parser.failure().has_value());
  EXPECT_EQ(parser.failure()->status, 413);
  EXPECT_EQ(parser.failure()->reason, "the body is longer than 64 bytes");
  EXPECT_EQ(parser.TakeRequest().target, "/big");
}

TEST(RequestParser, CountsTheHeaderExactlyHoweverItArrives) {
  const std::string start = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
  const std::string end = "\r\n\r\n";
  const std::string room(kLimits.max_header_bytes - start.size() - end.size(),
                         'x');
  for (std::size_t size : {1, 7, 1000}) {
    const auto pieces = [&] { return size; };
    EXPECT_EQ(Parse(absl::StrCat(start, room, end), pieces).refused, 0);
    EXPECT_EQ(Parse(absl::StrCat(start, room, "x", end), pieces).refused, 431);
  }
}

// What surrounds the data of chunks is held to the limit of headers.
TEST(RequestParser, CountsWhatSurroundsChunksHoweverItArrives) {
  const std::string header =
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto of_length = [](const std::string& start, const std::string& end) {
    return absl::StrCat(
        start,
        std::string(kLimits.max_header_bytes - start.size() - end.size(), 'x'),
        end);
  };
  const std::string extension = of_length("1;", "\r\n");
  const std::string next_extension = of_length("\r\n1;", "\r\n");
  // Long trailers, and many that are short: Beast may take them one by one.
  std::string many_trailers = "\r\n0\r\n";
  while (many_trailers.size() < kLimits.max_header_bytes - 20) {
    absl::StrAppend(&many_trailers, "U: v\r\n");
  }
  for (const std::string& trailers :
       {of_length("\r\n0\r\nT: ", "\r\n\r\n"),
        of_length(absl::StrCat(many_trailers, "T:"), "\r\n\r\n")}) {
    const std::string fitting =
        absl::StrCat(header, extension, "a", next_extension, "b", trailers);
    for (std::size_t size : {1, 7, 10000}) {
      const auto pieces = [&] { return size; };
      EXPECT_EQ(Parse(fitting, pieces).request,
                "PUT|/|Host=x|Transfer-Encoding=chunked|ab");
      // One more byte in any of the three frames is too much.
      for (std::size_t at :
           {header.size() + extension.size() / 2,
            header.size() + extension.size() + next_extension.size() / 2,
            fitting.size() - 4}) {
        std::string longer = fitting;
        longer.insert(at, "x");
        EXPECT_EQ(Parse(longer, pieces).refused, 431);
      }
    }
  }
}

TEST(SplitTarget, TellsPathAndQueryApart) {
  const std::vector<std::tuple<std::string, std::string, std::string>> kCases =
      {
          {"/", "/", ""},
          {"/a", "/a", ""},
          {"/a?", "/a", ""},
          {"/a?b=c?d", "/a", "b=c?d"},
          {"?b", "/", "b"},
          {"http://host:1/a?b", "/a", "b"},
          {"HTTPS://host", "/", ""},
          {"http://host?b", "/", "b"},
          {"*", "*", ""},
          {"host:443", "host:443", ""},
      };
  for (const auto& [target, path, query] : kCases) {
    EXPECT_EQ(SplitTarget(target).path, path) << target;
    EXPECT_EQ(SplitTarget(target).query, query) << target;
  }
}

// Well-formed requests, and what is often made of them.
const std::vector<std::string>& Samples() {
  static const auto& samples = *new std::vector<std::string>{
      "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\nGET",
      "\r\nGET / HTTP/1.0\r\n\r\n",
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n0\r\n\r\n",
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n0;z\r\nT: u\r\n\r\nrest",
      // Nothing follows that could push the last line break through.
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "1\r\na\r\n0\r\n\r\n",
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "1\r\na\r\n0\r\nT: u\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
      "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n",
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n",
  };
  return samples;
}

TEST(RequestParser, DoesNotCareHowARequestIsCutIntoPieces) {
  std::mt19937 random(1);
  for (const std::string& sample : Samples()) {
    const Outcome expected = ParseAtOnce(sample);
    EXPECT_TRUE(expected.finished) << sample;
    for (std::size_t size = 1; size <= sample.size(); ++size) {
      EXPECT_EQ(Parse(sample, [&] { return size; }), expected) << sample;
    }
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(Parse(sample, [&] { return 1 + random() % 9; }), expected);
    }
  }
}

// Wherever a request is damaged and however it arrives, the parser comes to an
// end within its limits, and what is refused in one piece is not accepted in
// others.
TEST(RequestParser, StandsWhateverItIsFed) {
  constexpr absl::string_view kBytes("\r\n :;,=\"09afAFxX/\0\x7f\xff\t", 22);
  std::mt19937 random(2);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string input = Samples()[random() % Samples().size()];
    for (int damage = random() % 4; damage > 0; --damage) {
      const std::size_t at = random() % input.size();
      switch (random() % 3) {
        case 0:
          input[at] = kBytes[random() % kBytes.size()];
          break;
        case 1:
          input.insert(at, 1, kBytes[random() % kBytes.size()]);
          break;
        default:
          input.erase(at, 1 + random() % 3);
          if (input.empty()) input = "x";
      }
    }
    const Outcome at_once = ParseAtOnce(input);
    const Outcome in_pieces = Parse(input, [&] { return 1 + random() % 9; });
    if (at_once.finished && in_pieces.finished) {
      EXPECT_EQ(in_pieces.request, at_once.request) << input;
      EXPECT_EQ(in_pieces.rest, at_once.rest) << input;
    }
    if (!at_once.finished) {
      EXPECT_THAT(in_pieces.request, IsEmpty()) << input;
    }
    accepted += !at_once.request.empty();
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace byoshin::http
