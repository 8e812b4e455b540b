// What the tests of the Collector share: dynalite with a table of the test's
// own, and the real mock API.
//
//   TEST_F(CollectorTest, StoresACount) {
//     StartCollector({.api_url = MockApiUrl()});
//     EXPECT_THAT(FailedRecords({{"a", SlotBody(slot)}}), IsEmpty());
//     EXPECT_THAT(StoredCounts(), ElementsAre(Pair("2025-...", "1")));
//   }
#ifndef BYOSHIN_TESTS_INTEGRATION_COLLECTOR_FIXTURE_H_
#define BYOSHIN_TESTS_INTEGRATION_COLLECTOR_FIXTURE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tests/integration/function_fixture.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::integration {

class CollectorTest : public FunctionTest {
 protected:
  void SetUp() override;

  // Where the Collector is to find things; what is empty is dynalite, this
  // test's table and the mock API.
  struct Surroundings {
    std::string api_url{};
    std::string dynamodb_url{};
    std::string table{};
  };
  Variables CollectorVariables(const Surroundings& surroundings) const;
  void StartCollector(const Surroundings& surroundings);

  // Delivers the records; returns the ids of those that are to be delivered
  // again.
  std::vector<std::string> FailedRecords(
      const std::vector<SqsRecord>& records,
      absl::Duration time_limit = absl::Seconds(30));

  // slotTime to count, of all records in this test's table; fails the test if a
  // record has another form.
  std::map<std::string, std::string> StoredCounts() const;

 private:
  std::string table_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_COLLECTOR_FIXTURE_H_
