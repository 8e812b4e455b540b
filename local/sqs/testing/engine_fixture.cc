#include "local/sqs/testing/engine_fixture.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/error.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/message.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

std::string Describe(const absl::Status& status) {
  if (status.ok()) return "OK";
  const ErrorAnswer error = ErrorAnswerOf(status);
  return absl::StrCat(error.code, ": ", error.message);
}

PreparedMessage Prepared(const NewMessage& message) {
  absl::StatusOr<PreparedMessage> prepared = Prepare(message, "000000000000");
  EXPECT_EQ(Describe(prepared.status()), "OK");
  return prepared.value_or(PreparedMessage());
}

EngineFixture::EngineFixture() : clock(kStart) {
  absl::StatusOr<std::unique_ptr<Store>> opened = OpenSqliteStore({});
  EXPECT_TRUE(opened.ok()) << opened.status();
  store = *std::move(opened);
  Reopen();
}

void EngineFixture::Reopen() {
  engine = std::make_unique<Engine>(*store, clock, EngineOptions{});
  const absl::Status loaded = engine->Load();
  EXPECT_TRUE(loaded.ok()) << loaded;
  Commit();
}

void EngineFixture::Commit() {
  const auto finish = engine->Finish();
  const absl::Status committed = store->Commit();
  EXPECT_TRUE(committed.ok()) << committed;
  finish(committed);
}

void EngineFixture::Advance(absl::Duration duration) {
  const absl::Time end = clock.Now() + duration;
  while (engine->NextDue() <= end) {
    clock.AdvanceTo(engine->NextDue());
    engine->RunDue();
    Commit();
  }
  clock.AdvanceTo(end);
}

absl::Status EngineFixture::TryCreate(const QueueAddress& queue,
                                      const StringMap& attributes,
                                      const StringMap& tags) {
  absl::Status status = engine->CreateQueue(
      {.queue = queue, .attributes = attributes, .tags = tags});
  Commit();
  return status;
}

void EngineFixture::Create(const QueueAddress& queue,
                           const StringMap& attributes) {
  EXPECT_EQ(Describe(TryCreate(queue, attributes)), "OK");
}

absl::Status EngineFixture::Set(const QueueAddress& queue,
                                const StringMap& attributes) {
  absl::Status status =
      engine->SetQueueAttributes({.queue = queue, .attributes = attributes});
  Commit();
  return status;
}

std::string EngineFixture::Attribute(const QueueAddress& queue,
                                     const std::string& name) {
  const absl::StatusOr<StringMap> map =
      engine->GetQueueAttributes({.queue = queue, .names = {name}});
  Commit();
  if (!map.ok()) return Describe(map.status());
  const auto found = map->find(name);
  return found == map->end() ? "(none)" : found->second;
}

std::string EngineFixture::Send(absl::string_view body,
                                std::optional<absl::Duration> delay,
                                const QueueAddress& queue) {
  const absl::StatusOr<SendMessageResult> sent = engine->SendMessage(
      {.queue = queue,
       .message = Prepared({.body = std::string(body), .delay = delay})});
  EXPECT_EQ(Describe(sent.status()), "OK");
  Commit();
  return sent.ok() ? sent->message_id : "";
}

ReceiveResult EngineFixture::TryReceive(const ReceiveOptions& options) {
  ReceiveResult result = absl::UnknownError("no answer");
  engine->ReceiveMessage({.queue = options.queue,
                          .max_messages = options.max_messages,
                          .visibility_timeout = options.visibility_timeout,
                          .wait = absl::ZeroDuration()},
                         [&](const ReceiveResult& answer) { result = answer; });
  Commit();
  return result;
}

std::vector<ReceivedMessage> EngineFixture::Receive(
    const ReceiveOptions& options) {
  ReceiveResult result = TryReceive(options);
  EXPECT_EQ(Describe(result.status()), "OK");
  return std::move(result).value_or(std::vector<ReceivedMessage>());
}

std::vector<std::string> EngineFixture::ReceiveBodies(
    const ReceiveOptions& options) {
  std::vector<std::string> bodies;
  for (const ReceivedMessage& received : Receive(options)) {
    bodies.push_back(received.message.content.body);
  }
  return bodies;
}

std::string EngineFixture::ReceiveError(const ReceiveOptions& options) {
  return Describe(TryReceive(options).status());
}

absl::Status EngineFixture::Delete(absl::string_view handle,
                                   const QueueAddress& queue) {
  absl::Status status = engine->DeleteMessage(queue, handle);
  Commit();
  return status;
}

absl::Status EngineFixture::Change(const std::string& handle,
                                   absl::Duration timeout,
                                   const QueueAddress& queue) {
  absl::Status status = engine->ChangeMessageVisibility(
      queue, {.receipt_handle = handle, .timeout = timeout});
  Commit();
  return status;
}

QueueDepth EngineFixture::Depth(const QueueAddress& queue) {
  const absl::StatusOr<QueueDepth> depth = engine->Depth(queue);
  EXPECT_EQ(Describe(depth.status()), "OK");
  Commit();
  return depth.value_or(QueueDepth());
}

}  // namespace byoshin::local::sqs
