// Reads a request of either protocol.
//
//   absl::StatusOr<JsonFields> fields = FieldsOf(call);
//   if (!fields.ok()) return fields.status();
//   const std::string name = fields->Text("QueueName");
#ifndef BYOSHIN_LOCAL_SQS_REQUEST_H_
#define BYOSHIN_LOCAL_SQS_REQUEST_H_

#include "absl/status/statusor.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"

namespace byoshin::local::sqs {

// A request of the Query protocol is converted to the form that it has in the
// JSON protocol.
absl::StatusOr<JsonFields> FieldsOf(const Call& call);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_REQUEST_H_
