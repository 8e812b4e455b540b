#include "local/sqs/message.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/message_attribute.h"
#include "local/sqs/receipt_handle.h"
#include "local/sqs/record.h"
#include "local/sqs/testing/engine_fixture.h"

namespace byoshin::local::sqs {
namespace {

MessageAttribute Text(std::string type, std::string value) {
  return {.data_type = std::move(type), .string_value = std::move(value)};
}

std::string Error(const NewMessage& message) {
  return Describe(Prepare(message, "000000000000").status());
}

std::string AttributeError(const std::string& name,
                           const MessageAttribute& attribute) {
  return Describe(CheckMessageAttributes({{name, attribute}}));
}

// These checksums were answered by AWS.
TEST(MessageAttributes, HaveTheChecksumThatAwsComputes) {
  EXPECT_EQ(Md5OfMessageAttributes({}), "");
  EXPECT_EQ(Md5OfMessageAttributes({{"Foo", Text("String", "Bar")}}),
            "ae7155c6026991b6d54b11589678bf9c");
  EXPECT_EQ(Md5OfMessageAttributes({{"Hello", Text("String", "There")},
                                    {"General", Text("String", "Kenobi")},
                                    {"Help.Me", Text("String", "Me")}}),
            "4c360f3fdafd970e05fae2f149d997f5");
  EXPECT_EQ(
      Md5OfMessageAttributes(
          {{"attr1",
            {.data_type = "Binary",
             .binary_value = absl::StrCat("traceparent\x1e",
                                          "00-774062d6c37081a5a0b9b5b88e30627c-"
                                          "2d2482211f6489da-01")}}}),
      "8cbe4db156db8a94db8b801b7addb984");
}

TEST(MessageAttributes, AreAcceptedWithLabelsAndAllKinds) {
  EXPECT_EQ(AttributeError("a", Text("String.label", "x")), "OK");
  EXPECT_EQ(AttributeError("a-b_c.D9", Text("Number.int", "-1.5e3")), "OK");
  EXPECT_EQ(AttributeError("b", {.data_type = "Binary.gif",
                                 .binary_value = std::string("\0\1", 2)}),
            "OK");
}

TEST(MessageAttributes, AreRefusedWithAwsCodes) {
  const auto refused = [](const std::string& name,
                          const MessageAttribute& attribute) {
    return absl::StartsWith(AttributeError(name, attribute),
                            "InvalidParameterValueException: ");
  };
  const MessageAttribute good = Text("String", "x");
  for (const char* name :
       {"", ".a", "a.", "a..b", "AWS.x", "amazon.x", "a b", "\xC2\xA7"}) {
    EXPECT_TRUE(refused(name, good)) << name;
  }
  EXPECT_TRUE(refused(std::string(257, 'a'), good));
  EXPECT_EQ(AttributeError(std::string(256, 'a'), good), "OK");
  EXPECT_TRUE(refused("a", Text("", "x")));
  EXPECT_TRUE(refused("a", Text("Text", "x")));
  EXPECT_TRUE(refused("a", Text("Stringy", "x")));
  EXPECT_TRUE(
      refused("a", Text(std::string("String.") + std::string(250, 'x'), "x")));
  EXPECT_TRUE(refused("a", Text("Number", "ten")));
  EXPECT_TRUE(refused("a", Text("Binary", "x")));
  EXPECT_TRUE(refused("a", {.data_type = "String", .binary_value = "x"}));
  EXPECT_TRUE(refused(
      "a", {.data_type = "String", .string_value = "x", .binary_value = "x"}));
  EXPECT_EQ(AttributeError("ErrorDetails", Text("String", "")),
            "InvalidParameterValueException: Message (user) attribute "
            "'ErrorDetails' must contain a non-empty value of type 'String'.");
  MessageAttributes eleven;
  for (int i = 0; i < 11; ++i) eleven[absl::StrCat("a", i)] = good;
  EXPECT_EQ(Describe(CheckMessageAttributes(eleven)),
            "InvalidParameterValueException: Number of message attributes [11] "
            "exceeds the allowed maximum [10].");
}

TEST(MessageAttributes, AreChosenByNameAndWildcard) {
  EXPECT_FALSE(Wants({}, "Help.Me"));
  EXPECT_TRUE(Wants({"Help.Me"}, "Help.Me"));
  EXPECT_FALSE(Wants({"Help"}, "Help.Me"));
  for (const char* all : {"All", ".*", "*"}) EXPECT_TRUE(Wants({all}, "x"));
  EXPECT_TRUE(Wants({"x", "Hel.*"}, "Help.Me"));
  EXPECT_FALSE(Wants({"Hex.*"}, "Help.Me"));
}

TEST(Prepare, RefusesWhatAwsRefuses) {
  EXPECT_EQ(Error({.body = "x"}), "OK");
  EXPECT_EQ(Error({.body = ""}),
            "MissingRequiredParameterException: The request must contain the "
            "parameter MessageBody.");
  EXPECT_EQ(Error({.body = "x", .delay = absl::Seconds(901)}),
            "InvalidParameterValueException: Value 901 for parameter "
            "DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= "
            "900.");
  EXPECT_EQ(Error({.body = "x", .delay = absl::Seconds(900)}), "OK");
  EXPECT_TRUE(absl::StartsWith(Error({.body = "x", .delay = absl::Seconds(-1)}),
                               "InvalidParameterValueException"));
  EXPECT_TRUE(absl::StartsWith(Error({.body = "x", .deduplication_id = ""}),
                               "InvalidParameterValueException"));
  EXPECT_EQ(Error({.body = "x", .group_id = ""}),
            "InvalidParameterValueException: Value  for parameter "
            "MessageGroupId is invalid. Reason: MessageGroupId can only "
            "include alphanumeric and punctuation characters. 1 to 128 in "
            "length.");
  EXPECT_TRUE(absl::StartsWith(Error({.body = "x", .group_id = "a b"}),
                               "InvalidParameterValueException"));
  EXPECT_EQ(Error({.body = "x", .group_id = "tenant-1"}), "OK");
  EXPECT_TRUE(absl::StartsWith(
      Error(
          {.body = "x", .system_attributes = {{"Other", Text("String", "x")}}}),
      "InvalidParameterValueException"));
  EXPECT_TRUE(absl::StartsWith(
      Error({.body = "x",
             .system_attributes = {{"AWSTraceHeader", Text("Number", "1")}}}),
      "InvalidParameterValueException"));
}

TEST(Prepare, RefusesCharactersThatXmlCannotCarry) {
  EXPECT_EQ(Error({.body = "tab\tline\nreturn\r \xF0\x9F\x98\x80"}), "OK");
  EXPECT_TRUE(absl::StartsWith(Error({.body = "a\x01"}),
                               "InvalidMessageContents: Invalid binary "
                               "character '#x1' was found in the message "
                               "body"));
  for (const std::string& body :
       {std::string("\0", 1), std::string("\xEF\xBF\xBE"),
        std::string("\xEF\xBF\xBF"), std::string("\xFF"),
        std::string("\xED\xA0\x80")}) {
    EXPECT_TRUE(
        absl::StartsWith(Error({.body = body}), "InvalidMessageContents: "));
  }
  EXPECT_EQ(Error({.body = "\xEF\xBF\xBD"}), "OK");
}

TEST(Prepare, AllowsLettersOfAllScriptsInAttributeNames) {
  const auto error = [](const std::string& name) {
    return Error({.body = "x", .attributes = {{name, Text("String", "x")}}});
  };
  for (const char* name : {"attr.1\u00F8\u00DF\u00E4", "\u79D2", "\u0416"}) {
    EXPECT_EQ(error(name), "OK") << name;
  }
  for (const char* name : {"a!", "a\u00A7", "a(", "a?", "a\u20AC", "\u3002",
                           "\U0001F600", "a\xFF"}) {
    EXPECT_TRUE(absl::StartsWith(error(name), "InvalidParameterValueException"))
        << name;
  }
  EXPECT_TRUE(absl::StartsWith(
      Error({.body = "x", .attributes = {{"a", Text("String", "\x08")}}}),
      "InvalidParameterValueException: Invalid binary character '#x8' was "
      "found in the message attribute 'a' value, the set of allowed "
      "characters is "));
}

TEST(Prepare, CountsBodyAndAttributes) {
  EXPECT_EQ(
      Prepared({.body = "12345", .attributes = {{"ab", Text("String", "xyz")}}})
          .bytes,
      5 + 2 + 6 + 3);
}

class StoredMessageTest : public testing::TestWithParam<QueueKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, StoredMessageTest,
                         testing::Values(QueueKind::kStandard,
                                         QueueKind::kFifo));

TEST_P(StoredMessageTest, ComesBackAsItWasStored) {
  const bool fifo = GetParam() == QueueKind::kFifo;
  const NewMessage sent{
      .body = "body",
      .attributes = {{"n", Text("Number", "1")},
                     {"b", {.data_type = "Binary", .binary_value = "\xFF"}}},
      .system_attributes = {{"AWSTraceHeader", Text("String", "Root=1")}},
      .group_id = "g"};
  const MessageHeader header{.id = "id",
                             .sent_at = kStart,
                             .available_at = kStart + absl::Seconds(5),
                             .dead_letter_source = kOrdersArn,
                             .deduplication_id = fifo ? "d" : "",
                             .sequence = fifo ? 7u : 0u};
  const std::string record =
      EncodeMessage(header, Prepared(sent).content, GetParam());
  const absl::StatusOr<StoredMessage> stored =
      DecodeMessage(record, GetParam());
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_EQ(stored->header.deduplication_id, header.deduplication_id);
  EXPECT_EQ(stored->header.sequence, header.sequence);
  EXPECT_EQ(stored->header.id, "id");
  EXPECT_EQ(stored->header.sent_at, kStart);
  EXPECT_EQ(stored->header.available_at, kStart + absl::Seconds(5));
  EXPECT_EQ(stored->header.dead_letter_source, kOrdersArn);
  EXPECT_EQ(stored->content.body, "body");
  EXPECT_EQ(stored->content.sender_id, "000000000000");
  EXPECT_EQ(stored->content.group_id, "g");
  EXPECT_EQ(stored->content.trace_header, "Root=1");
  EXPECT_EQ(stored->content.attributes, sent.attributes);
  // Cut anywhere, it is damaged, not misread.
  for (std::size_t bytes = 0; bytes < record.size(); ++bytes) {
    EXPECT_FALSE(DecodeMessage(record.substr(0, bytes), GetParam()).ok())
        << bytes;
  }
}

TEST(ReceiptHandle, IsReadBackAndNothingElseIs) {
  const ReceiptHandle handle{.queue = 1, .message = 2, .receipt = 3};
  const std::string text = FormatReceiptHandle(handle);
  EXPECT_EQ(ParseReceiptHandle(text), handle);
  EXPECT_FALSE(ParseReceiptHandle("").has_value());
  EXPECT_FALSE(ParseReceiptHandle("INVALID").has_value());
  std::string changed = text;
  changed[2] = changed[2] == 'B' ? 'C' : 'B';
  EXPECT_FALSE(ParseReceiptHandle(changed).has_value());
  EXPECT_FALSE(ParseReceiptHandle(text + text).has_value());
}

}  // namespace
}  // namespace byoshin::local::sqs
