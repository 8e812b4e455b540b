// HTTP/2 as bytes and requests; a client of nghttp2 makes the bytes.
#include "core/http/http2_session.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/body_queue.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/testing/http2_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::Http2Client;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Http2Session::Event::Kind;

constexpr Http2Session::Limits kLimits = {.max_header_bytes = 1000,
                                          .max_body_bytes = 100,
                                          .max_concurrent_streams = 10};
constexpr std::size_t kAll = std::size_t{1} << 30;

// RFC 9113, sections 4.1 and 6.
constexpr std::size_t kFrameHeaderBytes = 9;
constexpr char kHeaders = 1;
constexpr char kSettings = 4;
constexpr char kGoAway = 7;
constexpr char kContinuation = 9;
constexpr char kEndStream = 1;
constexpr char kEndHeaders = 4;

std::string Frame(char type, char flags, char stream,
                  absl::string_view payload) {
  const char header[] = {
      0, 0, static_cast<char>(payload.size()), type, flags, 0, 0, 0, stream};
  return absl::StrCat(absl::string_view(header, sizeof(header)), payload);
}

class Http2SessionTest : public ::testing::Test {
 protected:
  // Passes bytes in both directions until there are none, in pieces of `piece`
  // bytes, and answers each request with `answer_`.
  void Exchange(std::size_t piece = kAll) {
    for (bool more = true; more;) {
      const std::string up = client_.TakeOutput();
      for (std::size_t i = 0; i < up.size(); i += piece) {
        alive_ =
            session_.Feed(absl::string_view(up).substr(i, piece)) && alive_;
        HandleEvents();
      }
      const std::string down = session_.TakeOutput(kAll);
      HandleEvents();
      client_.Feed(down);
      more = !up.empty() || !down.empty();
    }
  }
  void HandleEvents() {
    for (Http2Session::Event& event : session_.TakeEvents()) {
      if (event.kind == Kind::kClosed) closed_.push_back(event.error_code);
      if (event.kind != Kind::kRequest) continue;
      if (event.failure.has_value()) {
        session_.Respond(event.stream,
                         {.response = {.status = event.failure->status}});
      } else if (answers_) {
        session_.Respond(event.stream, {.response = answer_});
      }
      streams_.push_back(event.stream);
      requests_.push_back(std::move(event.request));
    }
  }

  Http2Client client_;
  Http2Session session_{kLimits};
  bool alive_ = true;
  bool answers_ = true;
  ServerResponse answer_ = {.headers = {{"X-A", "b"}, {"Connection", "x"}},
                            .body = "hello"};
  std::vector<ServerRequest> requests_;
  std::vector<Http2Session::Stream> streams_;
  std::vector<std::uint32_t> closed_;
};

TEST_F(Http2SessionTest, PassesRequestsAndAnswers) {
  const int get = client_.Request({.headers = {{":method", "GET"},
                                               {":scheme", "http"},
                                               {":authority", "a:1"},
                                               {":path", "/x%20y?z=1"},
                                               {"cookie", "a=b"},
                                               {"cookie", "c=d"}}});
  const int post = client_.Request(
      {.headers = Http2Client::Headers("POST", "/"), .body = "body"});
  Exchange();
  ASSERT_THAT(requests_, SizeIs(2));
  EXPECT_EQ(requests_[0].method, "GET");
  EXPECT_EQ(requests_[0].target, "/x%20y?z=1");
  EXPECT_EQ(requests_[0].path, "/x%20y");
  EXPECT_EQ(requests_[0].query, "z=1");
  EXPECT_EQ(requests_[0].FindHeader("Host"), "a:1");
  EXPECT_EQ(requests_[0].FindHeader("Cookie"), "a=b; c=d");
  EXPECT_EQ(requests_[1].body, "body");
  EXPECT_EQ(client_.ResponseTo(get).status, 200);
  EXPECT_EQ(client_.ResponseTo(get).body, "hello");
  EXPECT_EQ(client_.ResponseTo(get).FindHeader("x-a"), "b");
  EXPECT_EQ(client_.ResponseTo(get).FindHeader("content-length"), "5");
  EXPECT_EQ(client_.ResponseTo(get).FindHeader("connection"), "");
  EXPECT_EQ(client_.ResponseTo(post).body, "hello");
  EXPECT_THAT(closed_, ElementsAre(0, 0));
}

TEST_F(Http2SessionTest, DoesNotCareHowBytesAreCut) {
  answer_.body = std::string(40000, 'x');
  for (std::size_t piece = 1; piece < 40; ++piece) {
    const int stream = client_.Request(
        {.headers = Http2Client::Headers("PUT", absl::StrCat("/", piece)),
         .body = std::string(piece, 'b')});
    Exchange(piece);
    ASSERT_THAT(requests_, SizeIs(piece));
    EXPECT_EQ(requests_.back().path, absl::StrCat("/", piece));
    EXPECT_EQ(requests_.back().body, std::string(piece, 'b'));
    EXPECT_EQ(client_.ResponseTo(stream).body, answer_.body);
  }
}

TEST_F(Http2SessionTest, ServesAHeaderInSeveralFramesHoweverItIsCut) {
  const std::string header("\x82\x86\x84", 3);  // GET, http, /
  std::string input = absl::StrCat(kHttp2Preface, Frame(kSettings, 0, 0, ""),
                                   Frame(kHeaders, kEndStream, 1, header));
  for (int i = 0; i < 7; ++i) {
    absl::StrAppend(&input, Frame(kContinuation, 0, 1, ""));
  }
  absl::StrAppend(&input, Frame(kContinuation, kEndHeaders, 1, "A\x01x"));
  for (std::size_t piece = 1; piece <= input.size(); ++piece) {
    Http2Session session(kLimits);
    std::vector<Http2Session::Event> events;
    for (std::size_t i = 0; i < input.size(); i += piece) {
      ASSERT_TRUE(session.Feed(absl::string_view(input).substr(i, piece)))
          << piece;
      for (Http2Session::Event& event : session.TakeEvents()) {
        events.push_back(std::move(event));
      }
    }
    ASSERT_THAT(events, SizeIs(2)) << piece;
    EXPECT_EQ(events[1].kind, Kind::kRequest);
    EXPECT_FALSE(events[1].failure.has_value());
    EXPECT_EQ(events[1].request.FindHeader("host"), "x");
  }
}

TEST_F(Http2SessionTest, GivesUpOnAHeaderWithoutEndHoweverItIsCut) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{10}, kAll}) {
    Http2Session session(kLimits);
    std::string input = absl::StrCat(kHttp2Preface, Frame(kSettings, 0, 0, ""),
                                     Frame(kHeaders, kEndStream, 1, "\x82"));
    const std::size_t before = input.size();
    for (int i = 0; i < 100; ++i) {
      absl::StrAppend(&input, Frame(kContinuation, 0, 1, ""));
    }
    std::size_t fed = 0;
    while (fed < input.size() &&
           session.Feed(absl::string_view(input).substr(fed, piece))) {
      fed += piece;
    }
    EXPECT_LT(fed, before + 9 * kFrameHeaderBytes) << piece;
  }
}

TEST_F(Http2SessionTest, EndsAClientThatOpensAStreamBelowOthers) {
  // GET http://x/
  constexpr char kRequest[] = "\x82\x86\x84\x41\x01x";
  const auto open = [&](char stream) {
    return session_.Feed(
        Frame(kHeaders, kEndStream | kEndHeaders, stream, kRequest));
  };
  session_.Feed(absl::StrCat(kHttp2Preface, Frame(kSettings, 0, 0, "")));
  for (const char stream : {1, 3, 9, 11}) EXPECT_TRUE(open(stream));
  HandleEvents();
  EXPECT_THAT(streams_, ElementsAre(1, 3, 9, 11));
  session_.TakeOutput(kAll);
  // It was answered, so this may be trailers that have crossed the answer.
  EXPECT_TRUE(open(3));
  EXPECT_THAT(session_.TakeOutput(kAll), IsEmpty());
  EXPECT_FALSE(session_.finished());
  // The last stream that is served, and PROTOCOL_ERROR.
  open(7);
  EXPECT_EQ(session_.TakeOutput(kAll),
            Frame(kGoAway, 0, 0, absl::string_view("\0\0\0\x0b\0\0\0\1", 8)));
  EXPECT_TRUE(session_.finished());
}

TEST_F(Http2SessionTest, RefusesWhatIsTooLongOrMalformed) {
  std::vector<Header> long_headers = Http2Client::Headers("GET", "/");
  long_headers.push_back({"x-long", std::string(2000, 'x')});
  const int long_header = client_.Request({.headers = long_headers});
  const int long_body =
      client_.Request({.headers = Http2Client::Headers("POST", "/"),
                       .body = std::string(101, 'x')});
  std::vector<Header> other_host = Http2Client::Headers("GET", "/");
  other_host.push_back({"host", "other"});
  const int two_hosts = client_.Request({.headers = other_host});
  const int no_host = client_.Request(
      {.headers = {{":method", "GET"}, {":scheme", "http"}, {":path", "/"}}});
  const int good =
      client_.Request({.headers = Http2Client::Headers("GET", "/")});
  Exchange();
  EXPECT_EQ(client_.ResponseTo(long_header).status, 431);
  EXPECT_EQ(client_.ResponseTo(long_body).status, 413);
  EXPECT_EQ(client_.ResponseTo(two_hosts).status, 400);
  // nghttp2 refuses it itself, or leaves it to us.
  EXPECT_NE(client_.ResponseTo(no_host).status, 200);
  EXPECT_EQ(client_.ResponseTo(good).status, 200);
}

TEST_F(Http2SessionTest, KeepsTrailersOutOfTheHeaders) {
  const int stream =
      client_.Request({.headers = Http2Client::Headers("PUT", "/"),
                       .body = "a",
                       .trailers = {{"authorization", "forged"}}});
  Exchange();
  ASSERT_THAT(requests_, SizeIs(1));
  EXPECT_EQ(requests_[0].body, "a");
  EXPECT_EQ(requests_[0].FindHeader("authorization"), "");
  EXPECT_EQ(client_.ResponseTo(stream).status, 200);
}

TEST_F(Http2SessionTest, RefusesTrailersThatAreTooLong) {
  const int stream =
      client_.Request({.headers = Http2Client::Headers("PUT", "/"),
                       .body = "a",
                       .trailers = {{"x-long", std::string(2000, 'x')}}});
  Exchange();
  EXPECT_EQ(client_.ResponseTo(stream).status, 431);
}

TEST_F(Http2SessionTest, StreamsAnswers) {
  answers_ = false;
  const int stream =
      client_.Request({.headers = Http2Client::Headers("GET", "/")});
  Exchange();
  const auto body = std::make_shared<BodyQueue>(1000);
  session_.Respond(streams_.at(0), {.body = body});
  Exchange();
  EXPECT_EQ(client_.ResponseTo(stream).status, 200);
  for (const absl::string_view piece : {"a", "b"}) {
    EXPECT_TRUE(body->Write(std::string(piece)));
    session_.Resume(streams_.at(0));
    Exchange();
    EXPECT_THAT(client_.ResponseTo(stream).body, ::testing::EndsWith(piece));
    EXPECT_EQ(body->unsent_bytes(), 0);
    EXPECT_FALSE(client_.HasEnded(stream));
  }
  body->End();
  session_.Resume(streams_.at(0));
  Exchange();
  EXPECT_EQ(client_.ResponseTo(stream).body, "ab");
  EXPECT_TRUE(client_.HasEnded(stream));
  EXPECT_THAT(closed_, ElementsAre(0));
}

TEST_F(Http2SessionTest, CutsOffAnswersThatAreGivenUp) {
  answers_ = false;
  client_.Request({.headers = Http2Client::Headers("GET", "/")});
  Exchange();
  const auto body = std::make_shared<BodyQueue>(1000);
  session_.Respond(streams_.at(0), {.body = body});
  body->Write("a");
  Exchange();
  body->Abort();
  session_.Resume(streams_.at(0));
  Exchange();
  EXPECT_THAT(closed_, ElementsAre(kHttp2InternalError));
}

TEST_F(Http2SessionTest, EndsAnswersThatTheClientCancels) {
  answers_ = false;
  const int stream =
      client_.Request({.headers = Http2Client::Headers("GET", "/")});
  Exchange();
  const auto body = std::make_shared<BodyQueue>(1000);
  session_.Respond(streams_.at(0), {.body = body});
  Exchange();
  client_.Cancel(stream);
  Exchange();
  EXPECT_THAT(closed_, ElementsAre(kHttp2Cancel));
  EXPECT_FALSE(body->Write("x"));
}

TEST_F(Http2SessionTest, EndsAClientThatOnlyCancels) {
  answers_ = false;
  int cancelled = 0;
  while (!session_.finished() && cancelled < 10000) {
    const int stream =
        client_.Request({.headers = Http2Client::Headers("GET", "/")});
    Exchange();
    client_.Cancel(stream);
    Exchange();
    ++cancelled;
  }
  EXPECT_GT(cancelled, 100);
  EXPECT_LT(cancelled, 1100);
  EXPECT_EQ(client_.going_away(), kHttp2EnhanceYourCalm);
}

TEST_F(Http2SessionTest, EndsAClientThatOnlyPings) {
  int pings = 0;
  for (; !session_.finished() && pings < 100000; pings += 50) {
    for (int i = 0; i < 50; ++i) client_.Ping();
    Exchange();
  }
  EXPECT_LT(pings, 20000);
  EXPECT_EQ(client_.going_away(), kHttp2EnhanceYourCalm);
}

TEST_F(Http2SessionTest, GivesUpOnAClientThatDoesNotReadAcknowledgements) {
  int pings = 0;
  for (; alive_ && !session_.finished() && pings < 100000; ++pings) {
    client_.Ping();
    alive_ = session_.Feed(client_.TakeOutput());
  }
  EXPECT_FALSE(alive_);
  EXPECT_LT(pings, 1000);
}

TEST_F(Http2SessionTest, BoundsTheBodiesOfIncompleteRequests) {
  // 9 of 90 bytes are more than 4 of the longest.
  for (int i = 0; i < 9; ++i) {
    client_.Request({.headers = Http2Client::Headers("POST", "/"),
                     .body = std::string(90, 'x'),
                     .is_complete = false});
  }
  Exchange();
  EXPECT_THAT(closed_, ::testing::Contains(kHttp2RefusedStream));
  EXPECT_THAT(requests_, IsEmpty());
}

TEST_F(Http2SessionTest, ServesWhatHasArrivedBeforeItGoesAway) {
  answers_ = false;
  const int stream =
      client_.Request({.headers = Http2Client::Headers("GET", "/")});
  Exchange();
  session_.GoAway();
  Exchange();
  EXPECT_EQ(client_.going_away(), kHttp2NoError);
  EXPECT_FALSE(session_.finished());
  session_.Respond(streams_.at(0), {.response = answer_});
  Exchange();
  EXPECT_EQ(client_.ResponseTo(stream).body, "hello");
  EXPECT_TRUE(session_.finished());
}

TEST_F(Http2SessionTest, RefusesWhatIsNotHttp2) {
  EXPECT_FALSE(session_.Feed("GET / HTTP/1.1\r\n\r\n, and so on and so forth"));
}

}  // namespace
}  // namespace byoshin::http
