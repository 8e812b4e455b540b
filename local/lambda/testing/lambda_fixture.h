// Lambda with a function that does what tests tell it (bootstrap.cc), on a
// simulated clock, with real time in the hands of the test.
#ifndef BYOSHIN_LOCAL_LAMBDA_TESTING_LAMBDA_FIXTURE_H_
#define BYOSHIN_LOCAL_LAMBDA_TESTING_LAMBDA_FIXTURE_H_

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "core/time/testing/manual_timer.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"
#include "local/lambda/lambda.h"
#include "local/queues/testing/fake_queues.h"
#include "local/store/store.h"

namespace byoshin::local::lambda {

inline constexpr char kTestRegion[] = "eu-west-1";
inline constexpr char kTestQueue[] = "arn:aws:sqs:eu-west-1:000000000000:work";

class LambdaFixture : public testing::Test {
 protected:
  LambdaFixture();
  ~LambdaFixture() override;

  // As after a restart: on the same store, and not begun yet.
  void Reopen();

  static const std::string& TestZip();
  FunctionConfig TestFunction(const std::string& name = "subject");
  // Adds it; returns its ARN.
  std::string Put(FunctionConfig config);

  std::future<absl::StatusOr<InvokeResult>> Start(const std::string& arn,
                                                  const std::string& command);
  absl::StatusOr<InvokeResult> Invoke(const std::string& arn,
                                      const std::string& command) {
    return Start(arn, command).get();
  }
  void InvokeAsync(const std::string& arn, const std::string& command);

  std::vector<std::string> LogOf(const std::string& name);
  // How many lines of the log have `part`.
  int CountLogged(const std::string& name, absl::string_view part);
  // Whether a line of the log has `part`.
  bool Logged(const std::string& name, absl::string_view part) {
    return CountLogged(name, part) > 0;
  }
  // The messages for the user, oldest first.
  std::vector<std::string> Notes() {
    const sync::MutexLock lock(notes_mutex_);
    return notes_;
  }

  const absl::Time start_ = absl::FromUnixSeconds(1764670980);
  time::SimulatedClock clock_{start_};
  time::testing::ManualTimer timer_;
  std::atomic<int> ended_credentials_ = 0;
  // Whether no role may do anything.
  std::atomic<bool> denies_all_ = false;
  sync::Mutex notes_mutex_;
  std::vector<std::string> notes_ ABSL_GUARDED_BY(notes_mutex_);
  const TestFolder test_folder_;
  const std::string& folder_ = test_folder_.path();
  std::unique_ptr<Store> store_;
  std::unique_ptr<queues::FakeQueues> queues_;
  std::unique_ptr<Lambda> lambda_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_TESTING_LAMBDA_FIXTURE_H_
