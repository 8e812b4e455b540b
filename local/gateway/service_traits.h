// How a service looks on the wire: what the gateway, and whoever refuses a call
// in its name, need to know. Each service defines its own.
//
//   constexpr ServiceTraits kTraits = {.name = "events",
//                                      .target_prefix = "AWSEvents"};
#ifndef BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_
#define BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_

#include "local/gateway/request_id.h"

namespace byoshin::local {

// Of answers, errors or not.
inline constexpr char kJson10ContentType[] = "application/x-amz-json-1.0";
inline constexpr char kJson11ContentType[] = "application/x-amz-json-1.1";
inline constexpr char kXmlContentType[] = "text/xml";

// Under which AWS's own front, not the service, answers errors in JSON.
inline constexpr char kCoralTypePrefix[] = "com.amazon.coral.service#";

// Plain pointers: with ubsan, gcc takes no string_view of an array for a
// constant.
struct ServiceTraits {
  // As in the credential scope of a signature, and before the colon of an IAM
  // action: "sqs".
  const char* name;
  // In X-Amz-Target, before the operation's name and a dot.
  const char* target_prefix;
  // Of the XML that answers the Query protocol; empty if the service does not
  // speak it.
  const char* xml_namespace = "";
  RequestIdForm request_id_form = RequestIdForm::kUuid;
  // Operations are told by method and path: WireProtocol::kRestJson.
  bool speaks_rest = false;
  // Of answers in JSON, errors of the gateway among them.
  const char* json_content_type = kJson10ContentType;
  // How it answers, in JSON, what IAM does not allow.
  const char* error_type_prefix = kCoralTypePrefix;
  const char* access_denied_code = "AccessDeniedException";
  int access_denied_status = 403;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_
