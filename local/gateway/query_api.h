// Answers of the Query protocol, as CloudFormation, IAM and STS write them.
//
//   answer(QueryAnswer(call, kXmlNamespace, [&](XmlWriter& xml) {
//     xml.Element("Arn", arn);
//     return absl::OkStatus();
//   }));
//   // <GetCallerIdentityResponse xmlns="..."><GetCallerIdentityResult>
//   //   <Arn>...</Arn></GetCallerIdentityResult><ResponseMetadata>...
#ifndef BYOSHIN_LOCAL_GATEWAY_QUERY_API_H_
#define BYOSHIN_LOCAL_GATEWAY_QUERY_API_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/service.h"
#include "local/gateway/xml.h"

namespace byoshin::local {

// `write` writes the content of the result element. If it fails, its error is
// the answer.
Answer QueryAnswer(const Call& call, absl::string_view xml_namespace,
                   absl::FunctionRef<absl::Status(XmlWriter& xml)> write);

absl::Status UnknownQueryOperation(const Call& call);
// "Value null at 'stackName' failed to satisfy constraint: …"
absl::Status MissingQueryParameter(absl::string_view name);

// Writes nothing if `text` is empty.
void ElementUnlessEmpty(XmlWriter& xml, absl::string_view name,
                        absl::string_view text);
void TimeElement(XmlWriter& xml, absl::string_view name, absl::Time time);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_QUERY_API_H_
