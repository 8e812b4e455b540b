// DynamoDB as a service of the local cloud.
//
//   absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore({...});
//   absl::StatusOr<std::unique_ptr<DynamoDb>> dynamodb =
//       DynamoDb::Open(**store, clock, {});
//   gateway.Add(**dynamodb);
//
// A request becomes work in three steps: its JSON is checked against the
// operation's shape and prepared on the caller's thread (operations/), done one
// at a time in a shared transaction (engine/), and answered once that is
// durable. The service has a thread for the second step; short work on an idle
// service is done on the caller's.
#ifndef BYOSHIN_LOCAL_DYNAMODB_DYNAMODB_H_
#define BYOSHIN_LOCAL_DYNAMODB_DYNAMODB_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/operations/operation.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::dynamodb {

struct DynamoDbOptions {
  std::string account_id = "000000000000";
};

// Thread-safe.
class DynamoDb final : public Service {
 public:
  // Reads the tables from the store, which only the service may use from now
  // on. Store and clock must outlive it. DataLoss if the store is damaged.
  static absl::StatusOr<std::unique_ptr<DynamoDb>> Open(
      Store& store, time::Clock& clock, DynamoDbOptions options);

  // Finishes the work in progress.
  ~DynamoDb() override;

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

  // Runs `work` as Handle() does, and calls `done` with its result once it is
  // durable, on the service's thread or one that is in Handle().
  using Done = std::function<void(absl::StatusOr<std::string> answer)>;
  void Submit(Work work, Done done);

 private:
  DynamoDb(Store& store, time::Clock& clock, DynamoDbOptions options);

  WorkLoop::Work ForLoop(Work work, Done done);

  // Called by the loop.
  void Reload();
  // Schedules the removal of items that expire at `time`, or after a pause.
  void ExpireAt(absl::Time time);
  void StopExpiryTimer();
  void ExpireNext();
  AfterCommit OnExpiry();

  time::Clock& clock_;
  Database database_;
  // The result of the last Reload().
  absl::Status loaded_;
  absl::Time expiry_time_ = absl::InfiniteFuture();
  absl::Time expiry_not_before_ = absl::InfinitePast();
  WorkLoop::TimerId expiry_timer_ = 0;
  // Last, so that its thread ends first.
  std::unique_ptr<WorkLoop> loop_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_DYNAMODB_H_
