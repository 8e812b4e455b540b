// The wire format of a service, for the gateway and for the check of
// permissions. Each service defines its own.
//
//   constexpr ServiceTraits kTraits = {.name = "events",
//                                      .target_prefix = "AWSEvents"};
#ifndef BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_
#define BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_

#include "absl/strings/string_view.h"
#include "local/gateway/request_id.h"

namespace byoshin::local {

// The content types of answers and errors.
inline constexpr char kJson10ContentType[] = "application/x-amz-json-1.0";
inline constexpr char kJson11ContentType[] = "application/x-amz-json-1.1";
inline constexpr char kXmlContentType[] = "text/xml";

// The type prefix of JSON errors that come from AWS's front end, not from the
// service.
inline constexpr char kCoralTypePrefix[] = "com.amazon.coral.service#";

// What is in front of a service on AWS.
enum class FrontEnd {
  kCommon,
  // DynamoDB's own: it decompresses requests, compresses answers, sends the
  // header Server, and answers application/json in kind.
  kDynamoDb,
};

// Plain pointers: with ubsan, gcc does not accept a string_view of an array as
// a constant.
struct ServiceTraits {
  // As in the credential scope of a signature, and before the colon of an IAM
  // action: "sqs".
  const char* name;
  // In X-Amz-Target, before a dot and the operation's name.
  const char* target_prefix;
  // The XML namespace of answers in the Query protocol; empty if the service
  // does not support it.
  const char* xml_namespace = "";
  RequestIdForm request_id_form = RequestIdForm::kUuid;
  // Method and path select the operation: WireProtocol::kRestJson.
  bool speaks_rest = false;
  // The content type of answers in JSON, including the gateway's errors.
  const char* json_content_type = kJson10ContentType;
  FrontEnd front_end = FrontEnd::kCommon;
  // The error, in JSON, of a call that IAM denies.
  const char* error_type_prefix = kCoralTypePrefix;
  const char* access_denied_code = "AccessDeniedException";
  int access_denied_status = 403;
  const char* access_denied_message_member = "message";
  // Whether AWS takes the operation without a signature, since the request
  // itself has a password or token. Such a call may have no caller and no
  // region. Null if it takes none.
  bool (*takes_unsigned)(absl::string_view operation) = nullptr;
  // Whether the service itself answers Query requests without Action.
  bool accepts_missing_action = false;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_
