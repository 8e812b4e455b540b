// A call with the AWS SDK for JavaScript, to compare with or to check against.
//
//   Json::Value result = CallWithSdk({.service = "sqs",
//                                     .operation = "SendMessageBatch",
//                                     .endpoint = sqs.endpoint().url(),
//                                     .input = input});
//   result["output"];  // or result["error"], its name, and result["message"]
#ifndef BYOSHIN_TESTS_INTEGRATION_SDK_CALL_H_
#define BYOSHIN_TESTS_INTEGRATION_SDK_CALL_H_

#include <json/json.h>

#include <string>

namespace byoshin::integration {

struct SdkCall {
  // The end of the package's name: "sqs", "rds-data", "sfn", ...
  std::string service{};
  std::string operation{};
  std::string endpoint{};
  Json::Value input{};
};

// With the credentials of LambdaEnvironment(); tries once. Null, and a failed
// test, if the SDK could not be run.
Json::Value CallWithSdk(const SdkCall& call);

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_SDK_CALL_H_
