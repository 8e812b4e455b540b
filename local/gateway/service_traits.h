// How AWS's services differ in what the gateway sees of them.
//
//   const ServiceTraits* traits = FindServiceTraits("sqs");
//   traits->target_prefix;  // "AmazonSQS"
#ifndef BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_
#define BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_

#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/request_id.h"

namespace byoshin::local {

// Under which AWS's own front, not the service, answers errors in JSON.
inline constexpr char kCoralTypePrefix[] = "com.amazon.coral.service#";

struct ServiceTraits {
  // As in the credential scope.
  absl::string_view name;
  // In X-Amz-Target, before the operation's name and a dot.
  absl::string_view target_prefix;
  // Of the XML that answers the Query protocol; empty if the service does not
  // speak it.
  absl::string_view xml_namespace;
  RequestIdForm request_id_form;
  // Operations are told by method and path: WireProtocol::kRestJson.
  bool speaks_rest = false;
  // Of answers in JSON, errors of the gateway among them. A plain pointer: with
  // ubsan, gcc takes no string_view of an array for a constant.
  const char* json_content_type = kJson10ContentType;
};

// Null if the gateway does not know the service.
const ServiceTraits* FindServiceTraits(absl::string_view name);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_SERVICE_TRAITS_H_
