// Queues for tests: messages that a test puts in, with a visibility time-out on
// the test's clock, and what was sent.
#ifndef BYOSHIN_LOCAL_QUEUES_TESTING_FAKE_QUEUES_H_
#define BYOSHIN_LOCAL_QUEUES_TESTING_FAKE_QUEUES_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/queues/queues.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::queues {

// One queue, whatever the ARN. Thread-safe.
class FakeQueues final : public QueueSource, public QueueSink {
 public:
  struct Sent {
    std::string queue_arn;
    std::string body;
    std::vector<QueueMessageAttribute> attributes;
    std::string group_id;
  };

  explicit FakeQueues(time::Clock& clock,
                      absl::Duration visibility_timeout = absl::Seconds(180))
      : clock_(clock),
        visibility_timeout_(visibility_timeout),
        store_(*OpenSqliteStore({})),
        loop_(*store_, clock, {}) {}
  ~FakeQueues() override { loop_.Stop(); }

  // Puts a message in, visible at once.
  void Put(std::string id, std::string body) {
    loop_.Submit([this, id, body]() -> AfterCommit {
      messages_.push_back(
          {.message = {.id = id, .body = body}, .visible = clock_.Now()});
      Notify();
      return nullptr;
    });
  }

  absl::StatusOr<WatchId> Watch(const std::string& queue_arn,
                                std::function<void()> available) override {
    if (absl::StrContains(queue_arn, "missing")) {
      return absl::NotFoundError("no such queue");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    watches_.emplace(++last_watch_, std::move(available));
    loop_.Submit([this]() -> AfterCommit {
      Notify();
      return nullptr;
    });
    return last_watch_;
  }

  void Unwatch(WatchId id) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    watches_.erase(id);
  }

  void Receive(const std::string&, int max_messages,
               std::function<void(absl::StatusOr<std::vector<QueueMessage>>)>
                   done) override {
    loop_.Submit([this, max_messages, done]() -> AfterCommit {
      if (fail_receives_ > 0) {
        --fail_receives_;
        done(absl::UnavailableError("on purpose"));
        return nullptr;
      }
      std::vector<QueueMessage> received;
      for (Message& message : messages_) {
        if (message.visible > clock_.Now()) continue;
        if (static_cast<int>(received.size()) == max_messages) break;
        message.visible = clock_.Now() + visibility_timeout_;
        message.message.attributes["ApproximateReceiveCount"] =
            absl::StrCat(++message.receives);
        message.message.receipt_handle =
            absl::StrCat(message.message.id, "/", message.receives);
        received.push_back(message.message);
        loop_.At(message.visible, [this]() -> AfterCommit {
          Notify();
          return nullptr;
        });
      }
      largest_ = std::max(largest_, received.size());
      done(std::move(received));
      return nullptr;
    });
  }

  void Delete(const std::string&, std::vector<std::string> receipt_handles,
              std::function<void(absl::Status)> done) override {
    loop_.Submit([this, receipt_handles, done]() -> AfterCommit {
      for (const std::string& handle : receipt_handles) {
        messages_.remove_if([&](const Message& message) {
          return message.message.receipt_handle == handle;
        });
      }
      done(absl::OkStatus());
      return nullptr;
    });
  }

  void GiveBack(const std::string&, std::vector<std::string> receipt_handles,
                std::function<void(absl::Status)> done) override {
    loop_.Submit([this, receipt_handles, done]() -> AfterCommit {
      for (const std::string& handle : receipt_handles) {
        for (Message& message : messages_) {
          if (message.message.receipt_handle != handle) continue;
          message.visible = clock_.Now();
        }
      }
      Notify();
      done(absl::OkStatus());
      return nullptr;
    });
  }

  void Send(const std::string& queue_arn, OutgoingMessage message,
            std::function<void(absl::Status)> done) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      sent_.push_back({queue_arn, std::move(message.body),
                       std::move(message.attributes),
                       std::move(message.group_id)});
    }
    loop_.Submit([done]() -> AfterCommit {
      done(absl::OkStatus());
      return nullptr;
    });
  }

  // Once the clock is idle, these are not in motion.
  std::vector<std::string> remaining() const {
    std::vector<std::string> ids;
    for (const Message& message : messages_) ids.push_back(message.message.id);
    return ids;
  }
  std::vector<std::string> hidden() const {
    std::vector<std::string> ids;
    for (const Message& message : messages_) {
      if (message.visible > clock_.Now()) ids.push_back(message.message.id);
    }
    return ids;
  }
  int receives_of(const std::string& id) const {
    for (const Message& message : messages_) {
      if (message.message.id == id) return message.receives;
    }
    return 0;
  }
  std::size_t largest_receive() const { return largest_; }
  std::vector<Sent> sent() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return sent_;
  }
  void FailNextReceives(int count) { fail_receives_ = count; }

 private:
  struct Message {
    QueueMessage message;
    absl::Time visible;
    int receives = 0;
  };

  void Notify() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, available] : watches_) available();
  }

  time::Clock& clock_;
  const absl::Duration visibility_timeout_;
  std::unique_ptr<Store> store_;
  std::list<Message> messages_;
  std::size_t largest_ = 0;
  int fail_receives_ = 0;

  std::mutex mutex_;
  std::map<WatchId, std::function<void()>> watches_;
  WatchId last_watch_ = 0;
  std::vector<Sent> sent_;

  WorkLoop loop_;
};

}  // namespace byoshin::local::queues

#endif  // BYOSHIN_LOCAL_QUEUES_TESTING_FAKE_QUEUES_H_
