// A DynamoDB on a simulated clock and a store in memory, for tests.
//
//   TestService service;
//   EXPECT_EQ(service.Ok("PutItem", R"({...})"), "{}");
//   EXPECT_EQ(service.Error("GetItem", "{}"), "ValidationException: ...");
#ifndef BYOSHIN_LOCAL_DYNAMODB_TESTING_SERVICE_H_
#define BYOSHIN_LOCAL_DYNAMODB_TESTING_SERVICE_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/in_process.h"
#include "local/gateway/service.h"
#include "local/store/store.h"

namespace byoshin::local::dynamodb {

// Belongs to one thread.
class TestService {
 public:
  TestService();
  ~TestService();

  // The answer's body. A failure of the test, and the error, if it is one.
  std::string Ok(absl::string_view operation, absl::string_view request);
  // "Code: message". A failure of the test, and the answer, if it is none.
  std::string Error(absl::string_view operation, absl::string_view request);
  // As the gateway would call it.
  Answer Handle(absl::string_view operation, absl::string_view body);

  // CreateTable with the hash key "id" of type S, paid by request.
  void CreateSimpleTable(absl::string_view name);
  // The same with a range key "at" of type N.
  void CreateRangeTable(absl::string_view name);

  // Closes the service and opens it again on what the store has.
  void Reopen();

  InProcessClient& client() { return *client_; }
  time::SimulatedClock& clock() { return clock_; }

 private:
  void Open();

  time::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<DynamoDb> dynamodb_;
  std::unique_ptr<InProcessClient> client_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_TESTING_SERVICE_H_
