// What Step Functions' integrations with other services have in common: names
// of services and errors, and what is added to results.
// https://docs.aws.amazon.com/step-functions/latest/dg/integrate-services.html
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_INTEGRATION_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_INTEGRATION_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/tasks.h"

namespace byoshin::local::stepfunctions {

// How tasks name a service, and what its errors begin with.
struct Integration {
  // Of the service in the cloud, as in signatures: "states" for "sfn".
  std::string service{};
  // Before the dot of an error: "DynamoDB" (optimized), "DynamoDb" (AWS SDK).
  std::string error_prefix{};
  // Of errors that have no name of their own: "AmazonDynamoDBException".
  std::string general_error{};
  // In causes: "AmazonDynamoDBv2".
  std::string service_name{};
};

Integration IntegrationOf(const TaskResource& resource);

// "PutItem" of "putItem".
std::string OperationName(absl::string_view action);

// The error that the service has answered. `request_id` is the call's.
TaskFailure FailureOf(const TaskResource& resource, const Answer& answer,
                      absl::string_view request_id);
TaskFailure FailureFor(const TaskResource& resource, absl::string_view code,
                       absl::string_view message, int http_status,
                       absl::string_view request_id);
// There is no such service, or it can't be asked so.
TaskFailure UnreachableFailure(const TaskResource& resource,
                               absl::string_view why);

// SdkHttpMetadata and SdkResponseMetadata, which optimized integrations add to
// what the service has answered.
struct HttpMetadata {
  // Besides those that every answer has.
  std::vector<std::pair<std::string, std::string>> headers{};
  int status = 200;
  std::string request_id{};
};
void AddHttpMetadata(const HttpMetadata& metadata, ObjectBuilder& result);
// As in the header Date.
std::string HttpDate(absl::Time time);

// Members of objects and text: APIs of services that begin names with a small
// letter are used with a capital one.
enum class FirstLetter { kCapital, kSmall };
Data WithFirstLetters(const Data& data, FirstLetter letter);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_INTEGRATION_H_
