// What the dashboard is told, over real services that hold little.
#include "local/stack/cloud_source.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/aws/credentials.h"
#include "core/json/value.h"
#include "core/time/floor.h"
#include "core/time/simulated_clock.h"
#include "core/time/testing/manual_timer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/source.h"
#include "local/events/events.h"
#include "local/files/testing/test_folder.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/lambda/sqs_queues.h"
#include "local/logs/logs.h"
#include "local/queues/queues.h"
#include "local/sqs/sqs.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::stack {
namespace {

constexpr char kRegion[] = "eu-west-1";
constexpr char kLogGroup[] = "/byoshin/collector";
const absl::Time kMinute = absl::FromUnixSeconds(1'764'670'980);

std::string ArnOf(absl::string_view queue) {
  return absl::StrCat("arn:aws:sqs:", kRegion, ":000000000000:", queue);
}

Json::Value Parse(absl::string_view text) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(text);
  EXPECT_TRUE(value.ok()) << value.status();
  return *value;
}

// No rule fires here.
class NoTargets final : public events::Targets {
 public:
  void Deliver(const events::Target&, const std::string&, std::string,
               std::function<void(absl::Status)>) override {}
};

class CloudSourceTest : public testing::Test {
 protected:
  CloudSourceTest() {
    lambda_ = *lambda::Lambda::Open(
        {.store = *lambda_store_,
         .clock = clock_,
         .queues = queues_,
         .sink = sqs_queues_},
        {.folder = folder_,
         .credentials = [](const std::string&) { return aws::Credentials{}; },
         .endpoint_url = [] { return "http://x"; },
         .timer = &timer_});
    events_ = *events::Events::Open({.store = *events_store_,
                                     .clock = clock_,
                                     .targets = targets_,
                                     .sink = sqs_queues_,
                                     .timer = timer_});
    source_ = std::make_unique<CloudSource>(CloudSource::World{
        .clock = clock_,
        .sqs = *sqs_,
        .lambda = *lambda_,
        .events = *events_,
        .queues = queues_,
        .changes = changes_,
        .region = kRegion,
        .endpoint = [] { return "http://x"; },
        .key_value =
            [](absl::string_view id) { return absl::StrCat("value of ", id); },
        .remove_stack = nullptr});
    for (const char* queue : {"jobs", "dead", "unsent", "unfired"}) {
      Call(*sqs_, "CreateQueue",
           absl::StrCat(R"({"QueueName":")", queue, "\"}"));
    }
    Json::Value policy;
    policy["deadLetterTargetArn"] = ArnOf("dead");
    policy["maxReceiveCount"] = 5;
    Json::Value attributes;
    attributes["QueueUrl"] = "/000000000000/jobs";
    attributes["Attributes"]["RedrivePolicy"] = json::WriteValue(policy);
    Call(*sqs_, "SetQueueAttributes", json::WriteValue(attributes));
    source_->Load(TestStack());
  }
  // While the services are there.
  ~CloudSourceTest() override { source_->Stop(); }

  Json::Value Call(Service& service, const std::string& operation,
                   absl::string_view request) {
    const absl::StatusOr<Json::Value> answer = CallInProcess(
        service, {.operation = operation, .region = kRegion}, Parse(request));
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.value_or(Json::Value());
  }
  void Send(absl::string_view queue, absl::string_view body) {
    Call(*sqs_, "SendMessage",
         absl::StrCat(R"({"QueueUrl":"/000000000000/)", queue,
                      R"(","MessageBody":")", body, "\"}"));
  }
  // Of the first so many intervals from kMinute on, once they have passed.
  std::vector<dashboard::QueueSample> SamplesOf(int intervals) {
    clock_.RunUntil(kMinute + intervals * dashboard::kSampleInterval);
    std::vector<dashboard::QueueSample> samples;
    const absl::Status visited =
        source_->VisitSamples({kMinute, absl::InfiniteFuture()},
                              [&](const dashboard::QueueSample& sample) {
                                samples.push_back(sample);
                              });
    EXPECT_TRUE(visited.ok()) << visited;
    return samples;
  }
  void ReceiveAndGiveBack(absl::string_view queue) {
    const std::string arn = ArnOf(queue);
    const auto messages =
        async::Await<absl::StatusOr<std::vector<queues::QueueMessage>>>(
            [&](auto done) { queues_.Receive(arn, 1, done); });
    ASSERT_TRUE(messages.ok() && messages->size() == 1) << messages.status();
    const absl::Status given_back = async::Await<absl::Status>([&](auto done) {
      queues_.GiveBack(arn, {messages->front().receipt_handle}, done);
    });
    EXPECT_TRUE(given_back.ok()) << given_back;
  }
  // A queue with dead letters, a function with a queue for what it fails with
  // when it is invoked asynchronously, and a rule with one for events that it
  // could not deliver.
  static cloudformation::Stack TestStack() {
    cloudformation::Stack stack{.name = "shop"};
    for (const auto& [id, queue] :
         {std::pair("Jobs", "jobs"), std::pair("Dead", "dead"),
          std::pair("Unsent", "unsent"), std::pair("Unfired", "unfired")}) {
      cloudformation::StackResource& resource = stack.resources[id];
      resource.type = "AWS::SQS::Queue";
      resource.state.attributes["Arn"] = ArnOf(queue);
    }
    stack.resources["Jobs"].properties["RedrivePolicy"]["deadLetterTargetArn"] =
        ArnOf("dead");
    stack.resources["Config"].type = "AWS::Lambda::EventInvokeConfig";
    stack.resources["Config"]
        .properties["DestinationConfig"]["OnFailure"]["Destination"] =
        ArnOf("unsent");
    stack.resources["Rule"].type = "AWS::Events::Rule";
    Json::Value target;
    target["DeadLetterConfig"]["Arn"] = ArnOf("unfired");
    stack.resources["Rule"].properties["Targets"].append(target);
    stack.resources["Log"].type = "AWS::Logs::LogGroup";
    stack.resources["Log"].state.physical_id = kLogGroup;
    return stack;
  }

  time::SimulatedClock clock_{kMinute};
  time::testing::ManualTimer timer_;
  const TestFolder test_folder_;
  const std::string& folder_ = test_folder_.path();
  std::unique_ptr<Store> sqs_store_ = *OpenSqliteStore({});
  std::unique_ptr<Store> lambda_store_ = *OpenSqliteStore({});
  std::unique_ptr<Store> events_store_ = *OpenSqliteStore({});
  std::unique_ptr<sqs::Sqs> sqs_ = *sqs::Sqs::Open(*sqs_store_, clock_, {});
  lambda::SqsQueues sqs_queues_{*sqs_};
  lambda::CountingQueues queues_{sqs_queues_};
  NoTargets targets_;
  dashboard::Changes changes_;
  std::unique_ptr<lambda::Lambda> lambda_;
  std::unique_ptr<events::Events> events_;
  std::unique_ptr<CloudSource> source_;
};

TEST_F(CloudSourceTest, HasTheLogsOfFunctionsUnderTheirNames) {
  cloudformation::Stack stack = TestStack();
  for (const char* name : {"plain", "own"}) {
    cloudformation::StackResource& function = stack.resources[name];
    function.type = "AWS::Lambda::Function";
    function.state.physical_id = name;
    function.state.attributes["Arn"] = absl::StrCat("arn:", name);
  }
  stack.resources["own"].properties["LoggingConfig"]["LogGroup"] = kLogGroup;
  source_->Load(stack);
  lambda_->logs().Write(
      {.time = {}, .group = "/aws/lambda/plain", .stream = "s", .text = "one"});
  lambda_->logs().Write(
      {.time = {}, .group = kLogGroup, .stream = "s", .text = "two"});
  const auto lines = [&](const char* function) {
    const absl::StatusOr<dashboard::LogPage> page =
        source_->Logs({.limit = 10, .function = function});
    std::vector<std::string> texts;
    for (const dashboard::LogLine& line : page->lines) {
      texts.push_back(line.text);
    }
    return texts;
  };
  EXPECT_EQ(lines("plain"), std::vector<std::string>{"one"});
  EXPECT_EQ(lines("own"), std::vector<std::string>{"two"});
}

TEST_F(CloudSourceTest, CountsAndListsWhateverHasFailed) {
  Send("jobs", "to do");
  Send("unfired", "a minute");
  Send("unsent", "another minute");
  Send("dead", "a slot");
  const absl::StatusOr<dashboard::Status> status = source_->GetStatus();
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status->dead_letters, 3);
  std::vector<std::string> holders;
  for (const dashboard::QueueStatus& queue : status->queues) {
    if (queue.holds_dead_letters) holders.push_back(queue.name);
  }
  EXPECT_EQ(holders, (std::vector<std::string>{"Dead", "Unfired", "Unsent"}));

  const absl::StatusOr<dashboard::DeadLetters> letters =
      source_->GetDeadLetters(10);
  ASSERT_TRUE(letters.ok()) << letters.status();
  EXPECT_EQ(letters->total, 3);
  EXPECT_EQ(letters->redrivable, 1);
  std::vector<std::string> shown;
  for (const dashboard::DeadLetter& letter : letters->messages) {
    shown.push_back(
        absl::StrCat(letter.queue, "<", letter.source, ": ", letter.body));
  }
  EXPECT_EQ(shown,
            (std::vector<std::string>{"Dead<Jobs: a slot", "Unfired<: a minute",
                                      "Unsent<: another minute"}));
}

TEST_F(CloudSourceTest, MovesBackOnlyWhatCameFromAQueue) {
  Send("unsent", "a minute");
  for (const std::optional<std::vector<std::string>>& ids :
       {std::optional<std::vector<std::string>>(),
        std::optional(std::vector<std::string>{"id"})}) {
    const absl::Status refused =
        source_->Redrive({.queue = "Unsent"}, ids).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_TRUE(absl::StartsWith(
        refused.message(),
        "there is no queue to move what is in \"Unsent\" back to: it holds "))
        << refused;
  }
  EXPECT_EQ(source_->GetDeadLetters(1)->total, 1);
  Send("dead", "a slot");
  EXPECT_EQ(source_->Redrive({.queue = "Dead"}, std::nullopt).value_or(0), 1);
  EXPECT_EQ(source_->Redrive({.queue = "Jobs"}, std::nullopt).status(),
            absl::NotFoundError(
                "there is no dead-letter queue \"Jobs\"; there are: Dead, "
                "Unfired, Unsent"));
}

TEST_F(CloudSourceTest, MovesALetterOfAFifoQueueBackToItsGroup) {
  const auto send = [this](absl::string_view queue) {
    return Call(*sqs_, "SendMessage",
                absl::StrCat(R"({"QueueUrl":"/000000000000/)", queue,
                             R"(","MessageBody":"a","MessageGroupId":"g",)",
                             R"("MessageDeduplicationId":"d"})"))["MessageId"]
        .asString();
  };
  const auto receive = [this] {
    return async::Await<absl::StatusOr<std::vector<queues::QueueMessage>>>(
        [&](auto done) { queues_.Receive(ArnOf("jobs.fifo"), 1, done); });
  };
  cloudformation::Stack stack{.name = "shop"};
  for (const auto& [id, queue] :
       {std::pair("Jobs", "jobs.fifo"), std::pair("Dead", "dead.fifo")}) {
    Call(*sqs_, "CreateQueue",
         absl::StrCat(R"({"QueueName":")", queue,
                      R"(","Attributes":{"FifoQueue":"true"}})"));
    stack.resources[id].type = "AWS::SQS::Queue";
    stack.resources[id].state.attributes["Arn"] = ArnOf(queue);
  }
  stack.resources["Jobs"].properties["RedrivePolicy"]["deadLetterTargetArn"] =
      ArnOf("dead.fifo");
  source_->Load(stack);
  // It was sent, received and given up a moment ago.
  send("jobs.fifo");
  const std::string handle = receive()->front().receipt_handle;
  EXPECT_TRUE(async::Await<absl::Status>([&](auto done) {
                queues_.Delete(ArnOf("jobs.fifo"), {handle}, done);
              }).ok());
  const std::string letter = send("dead.fifo");

  const absl::StatusOr<std::int64_t> moved =
      source_->Redrive({.queue = "Dead"}, std::vector<std::string>{letter});
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(*moved, 1);
  const auto back = receive();
  ASSERT_TRUE(back.ok() && back->size() == 1) << back.status();
  EXPECT_EQ(back->front().attributes.at("MessageGroupId"), "g");
}

TEST_F(CloudSourceTest, SamplesDeadLettersApartFromWhatWaits) {
  Send("jobs", "to do");
  Send("unsent", "a minute");
  const std::vector<dashboard::QueueSample> samples = SamplesOf(1);
  ASSERT_EQ(samples.size(), 1);
  EXPECT_EQ(samples[0].waiting, 1);
  EXPECT_EQ(samples[0].dead_letters, 1);
}

TEST_F(CloudSourceTest, SamplesEveryIntervalThoughNothingHappens) {
  const std::vector<dashboard::QueueSample> samples = SamplesOf(12);
  ASSERT_EQ(samples.size(), 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(time::FloorTo(samples[i].time, dashboard::kSampleInterval),
              kMinute + i * dashboard::kSampleInterval);
  }
}

TEST_F(CloudSourceTest, CountsRetriesInTheIntervalInWhichTheyHappen) {
  Send("jobs", "fails");
  for (int i = 0; i < 4; ++i) {
    clock_.RunUntil(kMinute + i * dashboard::kSampleInterval);
    ReceiveAndGiveBack("jobs");
    if (i == 2) ReceiveAndGiveBack("jobs");
  }
  std::vector<std::int64_t> retries;
  for (const dashboard::QueueSample& sample : SamplesOf(4)) {
    retries.push_back(sample.retries);
  }
  // The first time is none.
  EXPECT_EQ(retries, (std::vector<std::int64_t>{0, 1, 2, 1}));
}

TEST_F(CloudSourceTest, ShowsEveryStackAndForgetsTheDeleted) {
  cloudformation::Stack other{.name = "blog",
                              .status = "CREATE_COMPLETE",
                              .template_text = R"({"Description":"Posts"})"};
  cloudformation::StackResource& queue = other.resources["Jobs"];
  queue.type = "AWS::SQS::Queue";
  queue.state.attributes["Arn"] = ArnOf("unsent");
  source_->Load(other);
  const auto shown = [this] {
    std::vector<std::string> queues;
    const absl::StatusOr<dashboard::Status> status = source_->GetStatus();
    for (const dashboard::QueueStatus& row : status->queues) {
      queues.push_back(absl::StrCat(row.stack, "/", row.name));
    }
    return queues;
  };
  EXPECT_EQ(shown(),
            (std::vector<std::string>{"blog/Jobs", "shop/Dead", "shop/Jobs",
                                      "shop/Unfired", "shop/Unsent"}));
  const absl::StatusOr<dashboard::Status> status = source_->GetStatus();
  ASSERT_EQ(status->stacks.size(), 2);
  EXPECT_EQ(status->stacks[0].description, "Posts");
  EXPECT_EQ(Parse(*source_->DescribeStacks())["stacks"].size(), 2);
  other.status = cloudformation::status::kDeleteComplete;
  source_->Load(other);
  EXPECT_EQ(shown().size(), 4);
}

TEST_F(CloudSourceTest, AsksWhichStackIsMeantWhereTwoHaveAQueueOfOneName) {
  cloudformation::Stack other = TestStack();
  other.name = "blog";
  source_->Load(other);
  EXPECT_EQ(source_->Redrive({.queue = "Dead"}, std::nullopt).status(),
            absl::InvalidArgumentError("several stacks have a dead-letter "
                                       "queue \"Dead\"; say which stack is "
                                       "meant"));
  EXPECT_TRUE(
      source_->Redrive({.stack = "blog", .queue = "Dead"}, std::nullopt).ok());
}

TEST_F(CloudSourceTest, ResetsAsOftenAsIsWanted) {
  for (int round = 0; round < 2; ++round) {
    Send("jobs", "a");
    Send("dead", "b");
    lambda_->logs().Write(
        {.time = {}, .group = kLogGroup, .text = "of the template"});
    lambda_->logs().Write(
        {.time = {}, .group = "/aws/lambda/f", .text = "of its own"});

    const absl::StatusOr<std::int64_t> messages = source_->Reset();
    ASSERT_TRUE(messages.ok()) << messages.status();
    EXPECT_EQ(*messages, 2);
    const absl::StatusOr<dashboard::Status> status = source_->GetStatus();
    ASSERT_TRUE(status.ok()) << status.status();
    EXPECT_EQ(status->dead_letters, 0);
    EXPECT_TRUE(lambda_->logs().Tail(kLogGroup, 10).empty());
    EXPECT_TRUE(lambda_->logs().Tail("/aws/lambda/f", 10).empty());
    EXPECT_TRUE(source_->Logs({.limit = 10})->lines.empty());
  }
}

TEST_F(CloudSourceTest, ResetsLogsThatAnEarlierRunHasWritten) {
  const std::string file =
      absl::StrCat(folder_, "/logs/+byoshin+collector.log");
  std::ofstream(file) << "2025-12-02T10:23:00.000Z\ts\tof before\n";
  ASSERT_TRUE(source_->Reset().ok());
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace byoshin::local::stack
