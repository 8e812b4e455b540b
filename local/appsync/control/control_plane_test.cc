#include "local/appsync/control/control_plane.h"

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/async/workers.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/gateway/service.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::appsync {
namespace {

class ControlPlaneTest : public ::testing::Test {
 protected:
  static Call CallOf(std::string method, std::string path) {
    return {.protocol = WireProtocol::kRestJson,
            .path = std::move(path),
            .method = std::move(method),
            .region = "us-east-1",
            .caller = {.account_id = "000000000000"}};
  }
  Answer Ask(std::string method, std::string path) {
    return async::Await<Answer>([&](auto done) {
      plane_->Handle(CallOf(std::move(method), std::move(path)), done);
    });
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  std::promise<std::string> evaluated_;
  std::unique_ptr<ControlPlane> plane_ = *ControlPlane::Open(
      {.store = *store_,
       .clock = clock_,
       .compilers = {.evaluate_code = [this](absl::string_view)
                         -> absl::StatusOr<std::string> {
         return evaluated_.get_future().get();
       }},
       .post_long = [this](std::function<void()> work) {
         workers_.Do(std::move(work));
       }});
  async::Workers workers_{1};
};

TEST_F(ControlPlaneTest, AnswersOtherOperationsWhileCodeIsEvaluated) {
  std::promise<Answer> evaluation;
  plane_->Handle(
      CallOf("POST", "/v1/dataplane-evaluatecode"),
      [&](Answer answer) { evaluation.set_value(std::move(answer)); });
  EXPECT_EQ(Ask("GET", "/v1/apis").body, R"({"graphqlApis":[]})");
  evaluated_.set_value("{}");
  EXPECT_EQ(evaluation.get_future().get().body, "{}");
}

}  // namespace
}  // namespace byoshin::local::appsync
