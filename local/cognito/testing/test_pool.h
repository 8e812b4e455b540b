// For tests of Cognito: the service in memory on simulated time, with a pool
// and a client.
//
//   class SignInTest : public TestPool {};
//
//   TEST_F(SignInTest, …) {
//     AddUser("jane", "Secret-1");
//     Json::Value tokens = Good(SignIn("jane", "Secret-1"));
//   }
#ifndef BYOSHIN_LOCAL_COGNITO_TESTING_TEST_POOL_H_
#define BYOSHIN_LOCAL_COGNITO_TESTING_TEST_POOL_H_

#include <gtest/gtest.h>
#include <json/json.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "local/cognito/cognito.h"
#include "local/store/store.h"

namespace byoshin::local::cognito {

class TestPool : public ::testing::Test {
 protected:
  static constexpr char kRegion[] = "us-east-1";
  static constexpr char kAccount[] = "000000000000";

  TestPool();

  // Opens the service again on the same store.
  void Reopen();

  absl::StatusOr<Json::Value> Call(const std::string& operation,
                                   const Json::Value& request);
  absl::StatusOr<Json::Value> Call(const std::string& operation,
                                   const char* request);
  // The result, which must not be an error.
  Json::Value Good(const absl::StatusOr<Json::Value>& result);
  // "NotAuthorizedException: Incorrect username or password."
  std::string ErrorOf(const absl::StatusOr<Json::Value>& result);

  // {"UserPoolId": …, "Username": …}
  Json::Value InPool(const std::string& user = "");
  // {"ClientId": …, "Username": …}
  Json::Value ByClient(const std::string& user = "");

  std::string CreatePool(const std::string& settings);
  std::string CreateClient(const std::string& settings);
  // A confirmed user.
  void AddUser(const std::string& name, const std::string& password);
  absl::StatusOr<Json::Value> SignIn(const std::string& name,
                                     const std::string& password);
  absl::StatusOr<Json::Value> Refresh(const std::string& token);
  // The claims of a token of ours.
  static Json::Value Claims(const Json::Value& token);
  // What was shown to the developer.
  std::vector<std::string> Notes();
  // The code in the last note.
  std::string LastCode();

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  std::unique_ptr<Store> store_;
  sync::Mutex mutex_;
  std::vector<std::string> notes_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<Cognito> cognito_;
  // What the functions above use.
  std::string pool_;
  std::string client_;
};

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_TESTING_TEST_POOL_H_
