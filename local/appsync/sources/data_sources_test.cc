#include "local/appsync/sources/data_sources.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/sources/source_result.h"
#include "local/appsync/sources/testing.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {
namespace {

using SendFunction =
    std::function<absl::StatusOr<http::Response>(const http::Request&)>;

class FunctionClient final : public http::Client {
 public:
  explicit FunctionClient(SendFunction send) : send_(std::move(send)) {}
  absl::StatusOr<http::Response> Send(const http::Request& request) override {
    return send_(request);
  }

 private:
  const SendFunction send_;
};

// Lets nobody go on until as many have arrived as it waits for.
class Meeting {
 public:
  explicit Meeting(int wanted) : missing_(wanted) {}

  void Attend() {
    const sync::MutexLock lock(mutex_);
    --missing_;
    changed_.NotifyAll();
    while (missing_ > 0) changed_.Wait(mutex_);
  }

 private:
  sync::Mutex mutex_;
  sync::Condition changed_;
  int missing_ ABSL_GUARDED_BY(mutex_);
};

class NoFunction final : public lambda::FunctionInvoker {
 public:
  void InvokeForApi(Request, Done done) override {
    done(absl::NotFoundError("no function"));
  }
};

// Results, by the threads that they come on.
class Results {
 public:
  SourceDone New() {
    return [this](SourceResult result) {
      const sync::MutexLock lock(mutex_);
      results_.push_back(std::move(result));
      changed_.NotifyAll();
    };
  }
  std::vector<SourceResult> Await(std::size_t count) {
    const sync::MutexLock lock(mutex_);
    while (results_.size() < count) changed_.Wait(mutex_);
    return results_;
  }

 private:
  sync::Mutex mutex_;
  sync::Condition changed_;
  std::vector<SourceResult> results_ ABSL_GUARDED_BY(mutex_);
};

class DataSourcesTest : public ::testing::Test {
 protected:
  std::unique_ptr<DataSources> Sources(const SendFunction& send) {
    return std::make_unique<DataSources>(
        DataSources::World{.roles = roles_.caller,
                           .functions = function_,
                           .signing_clock = clock_,
                           .new_client = [send] {
                             return std::make_unique<FunctionClient>(send);
                           }});
  }
  SourceCall Get() const {
    return {.source = http_,
            .request = json::Data::Parse(
                           R"({"method":"GET","resourcePath":"/meeting"})")
                           .value_or(json::Data())};
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  NoRoles roles_{clock_};
  NoFunction function_;
  std::shared_ptr<const DataSource> http_ = std::make_shared<const DataSource>(
      DataSource{.name = "server",
                 .type = DataSource::Type::kHttp,
                 .endpoint = "http://server"});
};

TEST_F(DataSourcesTest, RequestsOverHttpDoNotWaitForEachOther) {
  constexpr int kRequests = 20;
  Meeting meeting(kRequests);
  Results results;
  const std::unique_ptr<DataSources> sources =
      Sources([&](const http::Request&) {
        meeting.Attend();
        return http::Response{.status = 200, .body = "met"};
      });
  for (int i = 0; i < kRequests; ++i) sources->Call(Get(), results.New());
  for (const SourceResult& result : results.Await(kRequests)) {
    EXPECT_FALSE(result.error.has_value());
    EXPECT_EQ(result.result.ToJson(),
              R"({"statusCode":200,"headers":{},"body":"met"})");
  }
}

TEST_F(DataSourcesTest, ARequestThatIsBeingAnsweredDoesNotDelayTheEnd) {
  Meeting begun(2);
  std::unique_ptr<DataSources> sources =
      Sources([&](const http::Request& request) {
        begun.Attend();
        while (!request.cancelled()) std::this_thread::yield();
        return absl::CancelledError("cancelled");
      });
  Results results;
  sources->Call(Get(), results.New());
  begun.Attend();
  sources.reset();
  EXPECT_EQ(results.Await(1)[0].error->type, "Http:RequestFailed");
}

TEST_F(DataSourcesTest, ARequestThatNobodyWaitsForIsNotSent) {
  Results results;
  const std::unique_ptr<DataSources> sources =
      Sources([](const http::Request&) {
        ADD_FAILURE() << "was sent";
        return http::Response{.status = 200};
      });
  SourceCall call = Get();
  call.is_over = [] { return true; };
  sources->Call(call, results.New());
  EXPECT_EQ(results.Await(1)[0].error->type, "Http:RequestFailed");
}

TEST_F(DataSourcesTest, ARequestThatNobodyWaitsForAnyMoreIsCancelled) {
  std::atomic<bool> over = false;
  Results results;
  const std::unique_ptr<DataSources> sources =
      Sources([&](const http::Request& request) {
        EXPECT_FALSE(request.cancelled());
        over = true;
        EXPECT_TRUE(request.cancelled());
        return absl::CancelledError("cancelled");
      });
  SourceCall call = Get();
  call.is_over = [&over] { return over.load(); };
  sources->Call(call, results.New());
  EXPECT_EQ(results.Await(1)[0].error->message, "cancelled");
}

}  // namespace
}  // namespace byoshin::local::appsync
