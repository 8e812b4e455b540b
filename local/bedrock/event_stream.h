// Messages of application/vnd.amazon.eventstream, in which AWS streams answers.
//
//   std::string body = EncodeEvent({.type = "messageStart",
//                                   .payload = R"({"role":"assistant"})"});
//
// https://smithy.io/2.0/aws/amazon-eventstream.html
#ifndef BYOSHIN_LOCAL_BEDROCK_EVENT_STREAM_H_
#define BYOSHIN_LOCAL_BEDROCK_EVENT_STREAM_H_

#include <string>

namespace byoshin::local::bedrock {

inline constexpr char kEventStreamType[] = "application/vnd.amazon.eventstream";

struct StreamEvent {
  std::string type{};     // ":event-type"
  std::string payload{};  // JSON
};

// The message, with its lengths and checksums.
std::string EncodeEvent(const StreamEvent& event);
// The same for an error that ends the stream; `type` is ":exception-type".
std::string EncodeException(const StreamEvent& exception);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_EVENT_STREAM_H_
