// Message attributes: their rules and checksum.
//
//   MessageAttributes attributes{{"Tries", {.data_type = "Number",
//                                           .string_value = "3"}}};
//   if (absl::Status status = CheckMessageAttributes(attributes);
//       !status.ok()) return status;
//   Md5OfMessageAttributes(attributes);  // as SDKs compute and compare it
//
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
#ifndef BYOSHIN_LOCAL_SQS_MESSAGE_ATTRIBUTE_H_
#define BYOSHIN_LOCAL_SQS_MESSAGE_ATTRIBUTE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::sqs {

struct MessageAttribute {
  // "String", "Number" or "Binary", with an optional label: "Number.float".
  std::string data_type{};
  // Exactly one is set once CheckMessageAttributes() has passed.
  std::optional<std::string> string_value{};
  std::optional<std::string> binary_value{};  // the bytes themselves

  friend bool operator==(const MessageAttribute&,
                         const MessageAttribute&) = default;

  bool is_binary() const { return binary_value.has_value(); }
  const std::string& value() const {
    return is_binary() ? *binary_value : *string_value;
  }
};

using MessageAttributes = std::map<std::string, MessageAttribute>;

absl::Status CheckMessageAttributes(const MessageAttributes& attributes);

// The one attribute that a sender may set for SQS itself, AWSTraceHeader.
absl::Status CheckSystemAttributes(const MessageAttributes& attributes);

// In hexadecimal; empty if there are no attributes.
std::string Md5OfMessageAttributes(const MessageAttributes& attributes);

// Their part of the size of a message.
int64_t BytesOf(const MessageAttributes& attributes);

// Whether a receiver that asks for `names` gets the attribute `name`: if
// `names` has it, "All", "*" or ".*", or "<prefix>.*".
bool Wants(const std::vector<std::string>& names, absl::string_view name);

// OK if XML allows all characters; else InvalidMessageContents, which names
// `where` the first other one was found.
absl::Status CheckCharacters(absl::string_view text, absl::string_view where);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_MESSAGE_ATTRIBUTE_H_
