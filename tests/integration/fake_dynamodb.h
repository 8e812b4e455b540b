// A DynamoDB table that takes every PutItem and keeps nothing but the requests:
// for what dynalite cannot do, which is to fail, and to be fast.
//
//   auto dynamodb = StartFakeDynamoDb();
//   (*dynamodb)->Inject(Fault::kThrottle);
#ifndef BYOSHIN_TESTS_INTEGRATION_FAKE_DYNAMODB_H_
#define BYOSHIN_TESTS_INTEGRATION_FAKE_DYNAMODB_H_

#include <memory>

#include "absl/status/statusor.h"
#include "tests/integration/aws_endpoint.h"

namespace byoshin::integration {

absl::StatusOr<std::unique_ptr<AwsEndpoint>> StartFakeDynamoDb();

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_FAKE_DYNAMODB_H_
