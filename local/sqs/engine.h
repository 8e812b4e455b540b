// The engine of Amazon SQS's queues.
//
//   Engine engine(store, clock, {.account_id = "000000000000"});
//   if (absl::Status status = engine.Load(); !status.ok()) return status;
//
//   loop.Submit([&]() -> AfterCommit {
//     absl::StatusOr<SendMessageResult> result = engine.SendMessage(request);
//     return [finish = engine.Finish(), ...](const absl::Status& committed) {
//       finish(committed);
//       ...
//     };
//   });
//
// It has no protocol, thread or timer: the owner calls Finish() at the end of
// each piece of work, and RunDue() at NextDue(). State is in the store; in
// memory are its indexes, which Load() builds, and the waiting receivers.
#ifndef BYOSHIN_LOCAL_SQS_ENGINE_H_
#define BYOSHIN_LOCAL_SQS_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/deduplication.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/receive_attempts.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

struct EngineOptions {
  std::string account_id = "000000000000";
  // Lower only in tests.
  int max_in_flight = kMaxInFlight;
  // Called with the policy of a queue when it is loaded, and after the commit
  // that has changed it; empty if the queue no longer has one. May be null.
  std::function<void(const std::string& queue_arn, const std::string& policy)>
      on_policy = nullptr;
};

// Not thread-safe. An operation that returns an error has changed nothing.
class Engine {
 public:
  // Both must outlive the engine.
  Engine(Store& store, const time::Clock& clock, EngineOptions options);

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Reads everything from the store: before the first use, and after a
  // rollback. Waiting receivers keep waiting. DataLoss if the store is damaged.
  absl::Status Load();

  const std::string& account_id() const { return options_.account_id; }

  // Queues; queues.cc and tags.cc.
  absl::Status CreateQueue(const CreateQueueRequest& request);
  absl::Status GetQueueUrl(const QueueAddress& queue);
  absl::StatusOr<StringMap> GetQueueAttributes(
      const GetQueueAttributesRequest& request);
  absl::Status SetQueueAttributes(const SetQueueAttributesRequest& request);
  absl::StatusOr<QueueList> ListQueues(const ListQueuesRequest& request);
  absl::StatusOr<QueueList> ListDeadLetterSourceQueues(
      const ListDeadLetterSourceQueuesRequest& request);
  absl::Status DeleteQueue(const QueueAddress& address);
  absl::Status PurgeQueue(const QueueAddress& address);
  absl::Status TagQueue(const TagQueueRequest& request);
  absl::Status UntagQueue(const UntagQueueRequest& request);
  absl::StatusOr<StringMap> ListQueueTags(const QueueAddress& address);

  // The queue's policy; queue_policy.cc.
  absl::Status AddPermission(const QueueAddress& address,
                             const Permission& permission);
  absl::Status RemovePermission(const QueueAddress& address,
                                absl::string_view label);

  // Messages; send.cc, receive.cc and receipts.cc.
  absl::StatusOr<SendMessageResult> SendMessage(
      const SendMessageRequest& request);
  absl::StatusOr<BatchResult<SendMessageResult>> SendMessageBatch(
      const SendMessageBatchRequest& request);
  // `done` is called once, with or without messages, after the commit of the
  // work that found them: the current work, or later work if the request waits.
  // If it gets an error, no message was received.
  void ReceiveMessage(const ReceiveMessageRequest& request,
                      ReceiveCallback done);
  absl::Status DeleteMessage(const QueueAddress& queue,
                             absl::string_view receipt_handle);
  absl::StatusOr<BatchResult<Nothing>> DeleteMessageBatch(
      const DeleteMessageBatchRequest& request);
  absl::Status ChangeMessageVisibility(const QueueAddress& queue,
                                       const VisibilityChange& change);
  absl::StatusOr<BatchResult<Nothing>> ChangeMessageVisibilityBatch(
      const ChangeMessageVisibilityBatchRequest& request);

  // Moving dead letters back; move_tasks.cc.
  // The result is the task's handle.
  absl::StatusOr<std::string> StartMessageMoveTask(
      const StartMessageMoveTaskRequest& request);
  absl::StatusOr<std::vector<MoveTask>> ListMessageMoveTasks(
      const ListMessageMoveTasksRequest& request);
  // The result is the number of messages moved.
  absl::StatusOr<int64_t> CancelMessageMoveTask(absl::string_view task_handle);
  static std::string TaskHandleOf(const MoveTask& task);
  // The ARN of the queue that the task takes messages from. nullopt if
  // TaskHandleOf() can't have written the handle.
  static std::optional<std::string> SourceArnIn(absl::string_view task_handle);

  // Not part of AWS's API; watch.cc.
  absl::StatusOr<QueueDepth> Depth(const QueueAddress& address);
  // Up to `limit` messages, visible or not, in the order they were sent.
  absl::StatusOr<std::vector<PeekedMessage>> Peek(const QueueAddress& address,
                                                  std::size_t limit);
  // Deletes all messages like PurgeQueue, but without its limit of once a
  // minute.
  absl::Status Empty(const QueueAddress& address);
  // Calls `available` after each commit that makes further messages visible,
  // and first if there are any. The queue need not exist yet. `subscription` is
  // a new number, for Unsubscribe().
  void Subscribe(uint64_t subscription, const QueueAddress& address,
                 std::function<void()> available);
  void Unsubscribe(uint64_t subscription);
  // Answers all waiting receivers, without messages.
  void EndAllWaits();

  // After a commit has failed, the next is likely to fail as well, and with it
  // all work that shares it. Until `time`, the engine therefore makes no
  // changes of its own: no message expires, no task moves messages. Waits still
  // end on time.
  void PauseUntil(absl::Time time) { paused_until_ = time; }

  // When RunDue() has something to do; absl::InfiniteFuture() if never.
  absl::Time NextDue() const;
  void RunDue();

  // Calls `committed` with the result of the commit of the current work.
  void OnCommit(std::function<void(const absl::Status& committed)> committed) {
    committed_.push_back(std::move(committed));
  }
  // Ends a piece of work: gives messages that have become visible to waiting
  // receivers. Call what it returns with the result of the commit.
  std::function<void(const absl::Status& committed)> Finish();

 private:
  struct Waiter {
    uint64_t queue = 0;
    ReceiveMessageRequest request{};
    ReceiveCallback done{};
    absl::Time deadline{};
  };
  struct RunningTask {
    MoveTask task{};
    uint64_t source = 0;
    absl::Time next_step = absl::InfiniteFuture();
  };
  struct Subscription {
    QueueAddress queue{};
    std::function<void()> available{};
  };
  // Where a message comes from and goes to.
  struct Transfer {
    Queue& from;
    uint64_t number = 0;
    Queue& to;
  };
  using Due = absl::btree_set<std::pair<absl::Time, uint64_t>>;
  using Committed = std::function<void(const absl::Status& committed)>;

  // Loads a record of a FIFO queue.
  using LoadFifoRecord = std::function<absl::Status(
      FifoIndexes& fifo, uint64_t number, absl::string_view record)>;

  // nullptr if there is none. Updates the queue to the current time.
  Queue* Find(const QueueAddress& address);
  Queue* FindByArn(absl::string_view arn);
  void CatchUp(Queue& queue);
  bool IsPaused() const { return clock_.Now() < paused_until_; }
  void Schedule(Queue& queue);

  absl::Status LoadQueues();
  absl::Status LoadMessages();
  absl::Status LoadMoveTasks();
  absl::Status LoadFifo();
  absl::Status ScanFifo(absl::string_view prefix, const LoadFifoRecord& load);

  absl::Status CheckRedrive(const QueueAddress& queue,
                            const StringMap& attributes,
                            const QueueSettings& settings);
  absl::Status SetPolicy(Queue& queue, absl::StatusOr<std::string> policy);
  // Has options_.on_policy called after the commit.
  void ReportPolicy(const QueueAddress& queue, std::string policy);
  void PutQueue(const Queue& queue);
  void DeleteMessages(Queue& queue);

  SendMessageResult Send(Queue& queue, const PreparedMessage& message);
  // Fills the rest of `header` in.
  void Enqueue(Queue& queue, const PreparedMessage& message,
               absl::Duration delay, MessageHeader& header);
  void Drop(Queue& queue, uint64_t number);
  void PutState(const Queue& queue, uint64_t number, const Message& message);

  ReceiveResult Take(Queue& queue, const ReceiveMessageRequest& request);
  absl::StatusOr<ReceivedMessage> TakeOne(Queue& queue, uint64_t number,
                                          absl::Duration visibility_timeout);
  absl::StatusOr<std::string> ReadRecord(const Queue& queue, uint64_t number);
  absl::StatusOr<StoredMessage> ReadMessage(const Queue& queue,
                                            uint64_t number);
  // The message as it was received last.
  absl::StatusOr<ReceivedMessage> ReadReceived(Queue& queue, uint64_t number);
  bool CanReceive(const Queue& queue) const;
  // The dead-letter queue that the message goes to instead of being received;
  // nullptr if it is to be received.
  Queue* DeadLetterQueueOf(Queue& queue, const Message& message);
  absl::Status MoveToDeadLetters(const Transfer& transfer);
  void Wait(const Queue& queue, const ReceiveMessageRequest& request,
            absl::Duration wait, ReceiveCallback done);
  void EndWait(uint64_t waiter, ReceiveResult result);
  void Serve(Queue& queue);
  void ServeReady();
  void Notify();
  void Answer(ReceiveCallback done, ReceiveResult result);

  // FIFO queues; fifo.cc.
  uint64_t NextSequence();
  void ForgetOld(Queue& queue);
  // The message that this one repeats; nullptr if it is to be sent.
  const AcceptedMessage* FindDuplicate(const Queue& queue,
                                       const PreparedMessage& message,
                                       const MessageHeader& header);
  void PutAttempt(const Queue& queue, const ReceiveAttempt& attempt);
  void RememberAttempt(Queue& queue, const std::string& id,
                       const std::vector<uint64_t>& numbers);
  // nullopt if the request is not a repetition.
  std::optional<ReceiveResult> RepeatAttempt(
      Queue& queue, const ReceiveMessageRequest& request);
  absl::Status ChangeDelay(Queue& queue, absl::Duration delay);

  absl::Status Delete(Queue& queue, absl::string_view receipt_handle);
  absl::Status ChangeVisibility(Queue& queue, const VisibilityChange& change);

  void RunMoveTasks();
  void Step(uint64_t number, RunningTask& running);
  absl::StatusOr<bool> MoveBack(Queue& source, const MoveTask& task);
  void PutTask(uint64_t number, const RunningTask& running);
  void ForgetOldTasks(uint64_t source);
  std::vector<uint64_t> TasksOf(uint64_t source) const;
  bool IsDeadLetterQueue(const Queue& queue) const;

  uint64_t Random();

  Store& store_;
  const time::Clock& clock_;
  const EngineOptions options_;

  std::map<QueueAddress, std::unique_ptr<Queue>> queues_;
  absl::flat_hash_map<uint64_t, Queue*> queues_by_id_;
  uint64_t next_queue_ = 1;
  uint64_t next_message_ = 1;
  uint64_t next_sequence_ = 0;
  uint64_t reserved_sequence_ = 0;  // stored

  // Queues by their time for RunDue(), each at most once. The time may be too
  // early, but never too late, so that most changes need not update it.
  Due due_;
  absl::flat_hash_map<uint64_t, absl::Time> scheduled_;
  absl::Time paused_until_ = absl::InfinitePast();

  std::map<uint64_t, Waiter> waiters_;
  std::map<uint64_t, std::set<uint64_t>> waiters_by_queue_;
  Due wait_deadlines_;
  uint64_t next_waiter_ = 1;

  std::map<uint64_t, RunningTask> tasks_;  // the finished ones, too
  uint64_t next_task_ = 1;

  std::map<uint64_t, Subscription> subscriptions_;

  // Of the current work.
  std::vector<Queue*> touched_;
  std::set<uint64_t> ready_;      // have new visible messages
  std::set<uint64_t> available_;  // still have some after those who waited
  std::vector<Committed> committed_;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_ENGINE_H_
