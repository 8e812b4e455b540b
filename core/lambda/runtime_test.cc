// Runs handlers under aws-lambda-cpp, against a Runtime API of the test's own.
#include "core/lambda/runtime.h"

#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/fake_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/testing/function_handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::lambda {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kPrefix[] = "/2018-06-01/runtime/invocation/";

struct FakeInvocation {
  std::string request_id;
  std::string payload;
  std::string deadline_ms;
  std::string trace = "";  // as above
};

// Hands out the invocations it was given, and then fails, which is how
// aws-lambda-cpp comes to an end. Thread-safe.
class RuntimeApi {
 public:
  struct Post {
    std::string path;
    std::string content_type;
    std::string body;
  };

  explicit RuntimeApi(std::deque<FakeInvocation> invocations)
      : invocations_(std::move(invocations)) {
    absl::StatusOr<std::unique_ptr<http::Server>> server = http::Server::Start(
        {},
        [this](const http::ServerRequest& request,
               const http::Responder& respond) { respond(Answer(request)); });
    EXPECT_TRUE(server.ok()) << server.status();
    if (server.ok()) server_ = *std::move(server);
  }

  std::string HostAndPort() const {
    return absl::StrCat("127.0.0.1:", server_->port());
  }

  std::vector<Post> posts() const {
    const sync::MutexLock lock(mutex_);
    return posts_;
  }

 private:
  http::ServerResponse Answer(const http::ServerRequest& request) {
    const sync::MutexLock lock(mutex_);
    const http::Header json = {"Content-Type", "application/json"};
    if (request.method == "POST") {
      posts_.push_back({request.path,
                        std::string(request.FindHeader("content-type")),
                        request.body});
      return {.status = 202, .headers = {json}, .body = "{}"};
    }
    if (request.path != absl::StrCat(kPrefix, "next") || invocations_.empty()) {
      return {.status = 500, .headers = {json}, .body = "{}"};
    }
    const FakeInvocation next = std::move(invocations_.front());
    invocations_.pop_front();
    http::ServerResponse response{
        .status = 200,
        .headers = {json, {"Lambda-Runtime-Aws-Request-Id", next.request_id}},
        .body = next.payload};
    if (!next.trace.empty()) {
      response.headers.push_back({"Lambda-Runtime-Trace-Id", next.trace});
    }
    if (!next.deadline_ms.empty()) {
      response.headers.push_back(
          {"Lambda-Runtime-Deadline-Ms", next.deadline_ms});
    }
    return response;
  }

  mutable sync::Mutex mutex_;
  std::deque<FakeInvocation> invocations_ ABSL_GUARDED_BY(mutex_);
  std::vector<Post> posts_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<http::Server> server_;
};

class RunTest : public ::testing::Test {
 protected:
  // In the process's own variables, since aws-lambda-cpp reads them itself.
  static void Announce(const RuntimeApi& api) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread reads them now
    setenv(kRuntimeApiVariable, api.HostAndPort().c_str(), 1);
  }

  int RunWith(const env::Environment& environment,
              HandlerFactory make_handler) {
    int exit_status = -1;
    // aws-lambda-cpp's connection lives once a thread.
    std::thread thread([&] {
      exit_status = lambda::Run({.function = "Sender",
                                 .environment = environment,
                                 .http_client = http_client_,
                                 .logger = logger_},
                                make_handler);
    });
    thread.join();
    return exit_status;
  }

  int RunAgainst(const RuntimeApi& api,
                 testing::FunctionHandler::Function function) {
    Announce(api);
    return RunWith(env::OfProcess(), [&] {
      return absl::StatusOr<std::unique_ptr<Handler>>(
          std::make_unique<testing::FunctionHandler>(function));
    });
  }

  time::SimulatedClock clock_{absl::UnixEpoch()};
  http::testing::FakeClient http_client_;
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
};

TEST_F(RunTest, ServesInvocationsUntilTheRuntimeApiEnds) {
  RuntimeApi api({{"r-1", R"({"n":1})", ""}, {"r-2", R"({"n":2})", ""}});
  EXPECT_EQ(RunAgainst(api,
                       [](const Invocation& invocation) {
                         return absl::StrCat("[", invocation.payload, "]");
                       }),
            1);
  ASSERT_THAT(api.posts(), SizeIs(2));
  EXPECT_EQ(api.posts()[0].path, absl::StrCat(kPrefix, "r-1/response"));
  EXPECT_EQ(api.posts()[0].content_type, "application/json");
  EXPECT_EQ(api.posts()[0].body, R"([{"n":1}])");
  EXPECT_EQ(api.posts()[1].path, absl::StrCat(kPrefix, "r-2/response"));
  EXPECT_EQ(api.posts()[1].body, R"([{"n":2}])");
  EXPECT_THAT(sink_.Messages("ERROR"),
              ElementsAre("the Runtime API no longer answers"));
  EXPECT_THAT(http_client_.requests(), IsEmpty());
}

TEST_F(RunTest, HandsOverTheRequestIdAndTheDeadline) {
  RuntimeApi api({{"r-1", "{}", "1764670980123"}, {"r-2", "{}", ""}});
  std::vector<Invocation> invocations;
  RunAgainst(api, [&](const Invocation& invocation) {
    invocations.push_back(invocation);
    logger_.Info("at work");
    return "{}";
  });
  ASSERT_THAT(invocations, SizeIs(2));
  EXPECT_EQ(invocations[0].request_id, "r-1");
  EXPECT_EQ(invocations[0].deadline, absl::FromUnixMillis(1764670980123));
  EXPECT_EQ(invocations[1].deadline, absl::InfiniteFuture());
  EXPECT_EQ(sink_.AtLevel("INFO").at(1)["requestId"].asString(), "r-2");
}

TEST_F(RunTest, TellsWhenTheInvocationWasRequested) {
  std::vector<absl::Time> requested;
  RuntimeApi api(
      {{"r-1", "{}", "",
        "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a91;Sampled=0"},
       // In a simulation after the year 2106.
       {"r-2", "{}", "", "Self=1-00000001-0;Root=1-152989a80-ad49b0e8"},
       {"r-3", "{}", "", ""},
       {"r-4", "{}", "", "Root=1-soon-ad49b0e8;Sampled=0"}});
  RunAgainst(api, [&](const Invocation& invocation) {
    requested.push_back(invocation.requested);
    return "{}";
  });
  EXPECT_THAT(requested,
              ElementsAre(absl::FromUnixSeconds(0x5bef4de7),
                          absl::FromUnixSeconds(0x152989a80),
                          absl::InfinitePast(), absl::InfinitePast()));
}

TEST_F(RunTest, ReportsAFailedInvocationAndServesTheNext) {
  RuntimeApi api({{"r-1", "1", ""}, {"r-2", "2", ""}, {"r-3", "3", ""}});
  RunAgainst(api,
             [](const Invocation& invocation) -> absl::StatusOr<std::string> {
               if (invocation.payload == "1") {
                 return absl::InvalidArgumentError("\"秒\"\n is not a time");
               }
               if (invocation.payload == "2") throw std::runtime_error("oops");
               return "{}";
             });
  ASSERT_THAT(api.posts(), SizeIs(3));
  EXPECT_EQ(api.posts()[0].path, absl::StrCat(kPrefix, "r-1/error"));
  EXPECT_EQ(api.posts()[0].content_type, "application/json");
  EXPECT_EQ(api.posts()[0].body,
            R"({"errorMessage":"\"秒\"\n is not a time",)"
            R"("errorType":"Byoshin.InvalidArgument","stackTrace":[]})");
  EXPECT_EQ(api.posts()[1].path, absl::StrCat(kPrefix, "r-2/error"));
  EXPECT_THAT(api.posts()[1].body, HasSubstr("unexpected exception: oops"));
  EXPECT_EQ(api.posts()[2].path, absl::StrCat(kPrefix, "r-3/response"));
}

TEST_F(RunTest, MakesTheHandlerOnceBeforeTheFirstInvocation) {
  RuntimeApi api({{"r-1", "{}", ""}, {"r-2", "{}", ""}});
  Announce(api);
  int made = 0;
  RunWith(env::OfProcess(), [&] {
    ++made;
    return absl::StatusOr<std::unique_ptr<Handler>>(
        std::make_unique<testing::FunctionHandler>(
            [](const Invocation&) { return "{}"; }));
  });
  EXPECT_EQ(made, 1);
  EXPECT_THAT(api.posts(), SizeIs(2));
}

TEST_F(RunTest, TellsTheRuntimeApiWhyInitialisationFailed) {
  http_client_.Answer({.status = 202, .headers = {}, .body = ""});
  EXPECT_EQ(
      RunWith(env::FromMap({{kRuntimeApiVariable, "127.0.0.1:9001"}}),
              []() -> absl::StatusOr<std::unique_ptr<Handler>> {
                return absl::FailedPreconditionError("QUEUE_URL is not set");
              }),
      1);
  ASSERT_THAT(http_client_.requests(), SizeIs(1));
  const http::Request& request = http_client_.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "http://127.0.0.1:9001/2018-06-01/runtime/init/error");
  EXPECT_EQ(http::testing::HeaderOf(request, "content-type"),
            "application/json");
  EXPECT_EQ(
      http::testing::HeaderOf(request, "lambda-runtime-function-error-type"),
      "Byoshin.FailedPrecondition");
  EXPECT_EQ(request.body,
            R"({"errorMessage":"QUEUE_URL is not set",)"
            R"("errorType":"Byoshin.FailedPrecondition","stackTrace":[]})");
  EXPECT_THAT(sink_.Messages("ERROR"), ElementsAre("initialisation failed"));
}

TEST_F(RunTest, ReportsAnExceptionDuringInitialisation) {
  http_client_.Fail(absl::UnavailableError("connection refused"));
  EXPECT_EQ(RunWith(env::FromMap({{kRuntimeApiVariable, "127.0.0.1:9001"}}),
                    []() -> absl::StatusOr<std::unique_ptr<Handler>> {
                      throw std::runtime_error("oops");
                    }),
            1);
  EXPECT_THAT(http_client_.requests().at(0).body, HasSubstr("oops"));
  EXPECT_THAT(
      sink_.Messages("ERROR"),
      ElementsAre("initialisation failed", "cannot report to the Runtime API"));
}

TEST_F(RunTest, SaysWhatItIsWhereThereIsNoRuntimeApi) {
  for (const env::Environment& environment :
       {env::FromMap({}), env::FromMap({{kRuntimeApiVariable, ""}})}) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(RunWith(environment,
                      []() -> absl::StatusOr<std::unique_ptr<Handler>> {
                        ADD_FAILURE() << "nothing is to be initialised";
                        return absl::InternalError("");
                      }),
              1);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(),
                AllOf(HasSubstr("This is Byoshin's Sender"),
                      HasSubstr("AWS_LAMBDA_RUNTIME_API is not set"),
                      HasSubstr("provided.al2023")));
  }
  EXPECT_THAT(http_client_.requests(), IsEmpty());
}

}  // namespace
}  // namespace byoshin::lambda
