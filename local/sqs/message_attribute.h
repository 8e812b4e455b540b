// The typed values that travel beside a message's body: their rules and their
// checksum.
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
  // "String", "Number" or "Binary", and perhaps a label: "Number.float".
  std::string data_type{};
  // One of them is there, once CheckMessageAttributes() has passed.
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

// In hexadecimal; empty for no attributes.
std::string Md5OfMessageAttributes(const MessageAttributes& attributes);

// What they count towards the size of a message.
int64_t BytesOf(const MessageAttributes& attributes);

// Whether a receiver that asks for `names` gets the attribute `name`: it is
// among them, or "All", "*" or ".*" is, or "<its beginning>.*".
bool Wants(const std::vector<std::string>& names, absl::string_view name);

// OK if all characters are among those that XML can carry; else an
// InvalidMessageContents that says `where` the first other one was found.
absl::Status CheckCharacters(absl::string_view text, absl::string_view where);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_MESSAGE_ATTRIBUTE_H_
