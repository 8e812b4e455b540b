#include "core/http/web_socket_frame.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/testing/web_socket_client.h"
#include "core/http/web_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::ClientFrame;
using ::byoshin::http::testing::ClosePayload;
using ::byoshin::http::testing::kBinaryFrame;
using ::byoshin::http::testing::kCloseFrame;
using ::byoshin::http::testing::kPingFrame;
using ::byoshin::http::testing::kPongFrame;
using ::byoshin::http::testing::kTextFrame;
using ::testing::ElementsAre;

constexpr std::size_t kMaxBytes = 100'000;
// First bytes of fragments.
constexpr std::uint8_t kTextStart = 0x01;
constexpr std::uint8_t kMiddle = 0x00;
constexpr std::uint8_t kEnd = 0x80;

// What a reader makes of bytes: "1:hello" for a text, "failed:1002" at the end.
std::vector<std::string> ReadAll(absl::string_view data,
                                 std::size_t piece = std::string::npos,
                                 std::size_t max_bytes = kMaxBytes) {
  FrameReader reader(max_bytes);
  std::vector<std::string> read;
  while (!data.empty()) {
    absl::string_view next = data.substr(0, piece);
    data.remove_prefix(next.size());
    while (const std::optional<ReceivedFrame> frame = reader.Next(next)) {
      read.push_back(
          absl::StrCat(static_cast<int>(frame->opcode), ":", frame->data));
    }
    EXPECT_TRUE(next.empty());
  }
  if (reader.failure().has_value()) {
    EXPECT_NE(reader.failure()->reason, "");
    read.push_back(absl::StrCat("failed:", reader.failure()->code));
  }
  return read;
}

// The same, whole and byte by byte.
std::vector<std::string> ReadBothWays(absl::string_view data) {
  const std::vector<std::string> read = ReadAll(data);
  EXPECT_EQ(ReadAll(data, 1), read);
  return read;
}

TEST(FrameReader, ReadsMessagesAndControlFrames) {
  EXPECT_THAT(ReadBothWays(absl::StrCat(
                  ClientFrame(kTextFrame, "hello"), ClientFrame(kTextFrame, ""),
                  ClientFrame(kBinaryFrame, "\xff\xfe"),
                  ClientFrame(kPingFrame, "ping"), ClientFrame(kPongFrame, ""),
                  ClientFrame(kCloseFrame, ClosePayload(1000, "bye")))),
              ElementsAre("1:hello", "1:", "2:\xff\xfe", "9:ping", "10:",
                          absl::StrCat("8:", ClosePayload(1000, "bye"))));
}

TEST(FrameReader, ReadsEveryWayToWriteALength) {
  for (std::size_t size : {125, 126, 127, 65535, 65536, 99999}) {
    const std::string payload(size, 'x');
    EXPECT_THAT(ReadAll(ClientFrame(kTextFrame, payload), 1000),
                ElementsAre(absl::StrCat("1:", payload)));
  }
}

TEST(FrameReader, PutsFragmentsTogetherWithControlFramesBetweenThem) {
  EXPECT_THAT(ReadBothWays(absl::StrCat(
                  ClientFrame(kTextStart, "a"), ClientFrame(kPingFrame, "1"),
                  ClientFrame(kMiddle, ""), ClientFrame(kMiddle, "b"),
                  ClientFrame(kPongFrame, "2"), ClientFrame(kEnd, "c"),
                  ClientFrame(kTextFrame, "next"))),
              ElementsAre("9:1", "10:2", "1:abc", "1:next"));
}

TEST(FrameReader, LetsFragmentsDivideACharacter) {
  EXPECT_THAT(ReadBothWays(absl::StrCat(ClientFrame(kTextStart, "\xf0\x9f"),
                                        ClientFrame(kMiddle, "\x98"),
                                        ClientFrame(kEnd, "\x80"))),
              ElementsAre("1:\xf0\x9f\x98\x80"));
}

TEST(FrameReader, FailsForWhatTheProtocolForbids) {
  const std::string mask(4, '\0');
  const std::string cases[] = {
      // Reserved bits and opcodes.
      ClientFrame(kTextFrame | 0x40, "x"),
      ClientFrame(kTextFrame | 0x20, "x"),
      ClientFrame(kTextFrame | 0x10, "x"),
      ClientFrame(0x83, "x"),
      ClientFrame(0x87, "x"),
      ClientFrame(0x8b, "x"),
      ClientFrame(0x8f, "x"),
      // Not masked.
      std::string("\x81\x01x", 3),
      std::string("\x89\x00", 2),
      // Control frames that are fragmented or long.
      ClientFrame(0x09, "x"),
      ClientFrame(0x08, ""),
      ClientFrame(kPingFrame, std::string(126, 'x')),
      ClientFrame(kCloseFrame, ClosePayload(1000, std::string(124, 'x'))),
      ClientFrame(kPongFrame, std::string(70000, 'x')),
      // Fragments out of order.
      ClientFrame(kMiddle, "x"),
      ClientFrame(kEnd, "x"),
      absl::StrCat(ClientFrame(kTextStart, "x"), ClientFrame(kTextFrame, "y")),
      absl::StrCat(ClientFrame(kTextStart, "x"),
                   ClientFrame(kBinaryFrame, "y")),
      // Lengths that are negative, or longer than need be.
      absl::StrCat("\x82\xff\x80", std::string(7, '\0'), mask),
      absl::StrCat("\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff", mask),
      absl::StrCat("\x82\xfe", std::string(1, '\0'), "\x7d", mask),
      absl::StrCat("\x82\xff", std::string(6, '\0'), "\xff\xff", mask),
      // Closes.
      ClientFrame(kCloseFrame, "x"),
      ClientFrame(kCloseFrame, ClosePayload(0)),
      ClientFrame(kCloseFrame, ClosePayload(999)),
      ClientFrame(kCloseFrame, ClosePayload(1004)),
      ClientFrame(kCloseFrame, ClosePayload(1005)),
      ClientFrame(kCloseFrame, ClosePayload(1006)),
      ClientFrame(kCloseFrame, ClosePayload(1015)),
      ClientFrame(kCloseFrame, ClosePayload(2999)),
      ClientFrame(kCloseFrame, ClosePayload(5000)),
  };
  for (const std::string& frames : cases) {
    SCOPED_TRACE(::testing::PrintToString(frames.substr(0, 20)));
    EXPECT_THAT(ReadBothWays(absl::StrCat(frames, ClientFrame(1, "ignored"))),
                ElementsAre("failed:1002"));
  }
}

TEST(FrameReader, TakesEveryCodeThatACloseMayHave) {
  for (std::uint16_t code : {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010,
                             1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999}) {
    const std::string payload = ClosePayload(code, "reason");
    EXPECT_THAT(ReadBothWays(ClientFrame(kCloseFrame, payload)),
                ElementsAre(absl::StrCat("8:", payload)));
    EXPECT_EQ(ParseClose(payload).code, code);
    EXPECT_EQ(ParseClose(payload).reason, "reason");
  }
  EXPECT_THAT(ReadBothWays(ClientFrame(kCloseFrame, "")), ElementsAre("8:"));
  EXPECT_EQ(ParseClose("").code, kCloseNoCode);
}

TEST(FrameReader, FailsForTextThatIsNotUtf8) {
  const absl::string_view cases[] = {
      "\x80",          "abc\xff",          "\xc0\xaf",     "\xe0\x80\xaf",
      "\xed\xa0\x80",  "\xf4\x90\x80\x80", "\xf0\x9f\x98", "12345678\xfe",
      "\xce\xba\xe1x", "12345678\xc3",
  };
  for (absl::string_view text : cases) {
    SCOPED_TRACE(::testing::PrintToString(text));
    EXPECT_THAT(ReadBothWays(ClientFrame(kTextFrame, text)),
                ElementsAre("failed:1007"));
    EXPECT_THAT(ReadBothWays(absl::StrCat(ClientFrame(kTextStart, text),
                                          ClientFrame(kEnd, ""))),
                ElementsAre("failed:1007"));
    EXPECT_THAT(
        ReadBothWays(ClientFrame(kCloseFrame, ClosePayload(1000, text))),
        ElementsAre("failed:1007"));
    EXPECT_THAT(ReadBothWays(ClientFrame(kBinaryFrame, text)),
                ElementsAre(absl::StrCat("2:", text)));
  }
}

// Bad text is noticed while the message is still arriving.
TEST(FrameReader, DoesNotWaitForTheEndOfBadText) {
  const std::string frame =
      ClientFrame(kTextFrame, absl::StrCat("\xff", std::string(50000, 'x')));
  EXPECT_THAT(ReadAll(frame.substr(0, 20)), ElementsAre("failed:1007"));
}

TEST(FrameReader, FailsForAMessageThatIsTooBigBeforeItArrives) {
  const std::string frame = ClientFrame(kTextFrame, std::string(101, 'x'));
  EXPECT_THAT(ReadAll(frame.substr(0, 8), std::string::npos, 100),
              ElementsAre("failed:1009"));
  // The longest that can be written.
  EXPECT_THAT(ReadBothWays(absl::StrCat("\x82\xff\x7f", std::string(7, '\xff'),
                                        std::string(4, '\0'))),
              ElementsAre("failed:1009"));
  const std::string fragments =
      absl::StrCat(ClientFrame(kTextStart, std::string(60, 'x')),
                   ClientFrame(kEnd, std::string(41, 'x')));
  EXPECT_THAT(ReadAll(fragments, std::string::npos, 100),
              ElementsAre("failed:1009"));
  EXPECT_EQ(ReadAll(fragments, std::string::npos, 101).size(), 1);
}

TEST(FrameReader, AppliesTheMaskWhereverAPieceBegins) {
  std::string payload;
  for (int i = 0; i < 200; ++i) payload.push_back(static_cast<char>(i));
  const std::string frame = ClientFrame(kBinaryFrame, payload);
  for (std::size_t piece = 1; piece <= 40; ++piece) {
    EXPECT_THAT(ReadAll(frame, piece),
                ElementsAre(absl::StrCat("2:", payload)));
  }
}

TEST(FrameHeader, WritesTheShortestLength) {
  const auto bytes = [](std::uint64_t size) {
    return std::string(FormatFrameHeader(Opcode::kText, size).bytes());
  };
  EXPECT_EQ(bytes(0), std::string("\x81\x00", 2));
  EXPECT_EQ(bytes(125), "\x81\x7d");
  EXPECT_EQ(bytes(126), std::string("\x81\x7e\x00\x7e", 4));
  EXPECT_EQ(bytes(65535), "\x81\x7e\xff\xff");
  EXPECT_EQ(bytes(65536), std::string("\x81\x7f\0\0\0\0\0\x01\0\0", 10));
  EXPECT_EQ(bytes(std::numeric_limits<std::int64_t>::max()),
            "\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff");
}

TEST(FormatClose, CutsALongReasonBetweenCharacters) {
  const std::string reason(122, 'x');
  EXPECT_EQ(FormatClose({1000, absl::StrCat(reason, "yz")}),
            ClosePayload(1000, absl::StrCat(reason, "y")));
  EXPECT_EQ(FormatClose({1000, absl::StrCat(reason, "\xc3\xa9")}),
            ClosePayload(1000, reason));
  EXPECT_EQ(FormatClose({kCloseNoCode, ""}), "");
}

}  // namespace
}  // namespace byoshin::http
