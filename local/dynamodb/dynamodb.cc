#include "local/dynamodb/dynamodb.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/expiry.h"
#include "local/dynamodb/permissions.h"
#include "local/dynamodb/wire/errors.h"
#include "local/gateway/error.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr ServiceTraits kTraits = {.name = "dynamodb",
                                   .target_prefix = "DynamoDB_20120810",
                                   .request_id_form = RequestIdForm::kUpperCase,
                                   .front_end = FrontEnd::kDynamoDb,
                                   .access_denied_status = 400,
                                   .access_denied_message_member = "Message"};

// The maximum of expired items removed in one transaction, so that requests are
// not delayed.
constexpr int kExpiredAtATime = 500;
// The pause after an item could not be removed or a commit has failed: an
// immediate retry would fail again, and with it all work that shares its
// commit.
constexpr absl::Duration kExpiryRetryPause = absl::Minutes(1);

// These handle one item, or one page of items. Others may occupy the caller's
// thread for too long.
constexpr const Operation* kShortOperations[] = {
    &kGetItem, &kPutItem, &kUpdateItem, &kDeleteItem, &kQuery};

bool IsShort(const Operation* operation) {
  return std::find(std::begin(kShortOperations), std::end(kShortOperations),
                   operation) != std::end(kShortOperations);
}

Answer ToAnswer(absl::StatusOr<std::string> result) {
  if (!result.ok()) {
    const ErrorAnswer error = ErrorAnswerOf(result.status());
    return JsonErrorAnswer(result.status(), TypePrefix(error.code),
                           MessageMember(error));
  }
  return {.content_type = std::string(kJson10ContentType),
          .body = *std::move(result)};
}

// "http://127.0.0.1:4566" without the scheme.
std::string HostOf(absl::string_view endpoint) {
  const size_t begin = endpoint.find("//");
  return std::string(
      begin == absl::string_view::npos ? endpoint : endpoint.substr(begin + 2));
}

absl::StatusOr<Work> PrepareCall(Call& call, const Operation* operation) {
  if (operation == nullptr) {
    if (absl::Status status = CheckSupported(call.operation); !status.ok()) {
      return status;
    }
    return ServiceError({.code = "UnknownOperationException"});
  }
  return Prepare(*operation, call.TakeJsonBody(),
                 {.region = call.region, .host = HostOf(call.endpoint)});
}

}  // namespace

absl::StatusOr<std::unique_ptr<DynamoDb>> DynamoDb::Open(
    Store& store, time::Clock& clock, DynamoDbOptions options) {
  std::unique_ptr<DynamoDb> service(
      new DynamoDb(store, clock, std::move(options)));
  if (absl::Status status = service->database_.Load(); !status.ok()) {
    return status;
  }
  DynamoDb* self = service.get();
  service->loop_ = std::make_unique<WorkLoop>(
      store, clock,
      WorkLoop::Options{.on_rollback = [self] { self->Reload(); }});
  service->loop_->Submit([self]() -> AfterCommit {
    self->ExpireNext();
    return nullptr;
  });
  return service;
}

DynamoDb::DynamoDb(Store& store, time::Clock& clock, DynamoDbOptions options)
    : clock_(clock),
      database_(store, clock, {.account_id = std::move(options.account_id)}) {
  database_.set_on_expiry([this](absl::Time time) { ExpireAt(time); });
}

DynamoDb::~DynamoDb() {
  if (loop_ != nullptr) loop_->Stop();
}

const ServiceTraits& DynamoDb::traits() const { return kTraits; }

std::vector<NeededPermission> DynamoDb::PermissionsFor(const Call& call) const {
  return dynamodb::PermissionsFor(call);
}

void DynamoDb::Handle(Call call, AnswerFunction answer) {
  const Operation* operation = FindOperation(call.operation);
  absl::StatusOr<Work> work = PrepareCall(call, operation);
  if (!work.ok()) {
    answer(ToAnswer(work.status()));
    return;
  }
  WorkLoop::Work for_loop =
      ForLoop(*std::move(work),
              [answer = std::move(answer)](absl::StatusOr<std::string> result) {
                answer(ToAnswer(std::move(result)));
              });
  if (IsShort(operation)) {
    loop_->SubmitOrRun(std::move(for_loop));
  } else {
    loop_->Submit(std::move(for_loop));
  }
}

void DynamoDb::Submit(Work work, Done done) {
  loop_->Submit(ForLoop(std::move(work), std::move(done)));
}

WorkLoop::Work DynamoDb::ForLoop(Work work, Done done) {
  return [this, work = std::move(work),
          done = std::move(done)]() mutable -> AfterCommit {
    if (!loaded_.ok()) Reload();
    absl::StatusOr<std::string> result =
        loaded_.ok() ? work(database_) : loaded_;
    return [done = std::move(done),
            result = std::move(result)](const absl::Status& committed) mutable {
      if (!committed.ok()) {
        done(committed);
      } else {
        done(std::move(result));
      }
    };
  };
}

void DynamoDb::Reload() {
  loaded_ = database_.Load();
  expiry_not_before_ = clock_.Now() + kExpiryRetryPause;
  StopExpiryTimer();
  if (loaded_.ok()) ExpireNext();
}

void DynamoDb::StopExpiryTimer() {
  if (expiry_timer_ != 0) loop_->Cancel(expiry_timer_);
  expiry_timer_ = 0;
  expiry_time_ = absl::InfiniteFuture();
}

void DynamoDb::ExpireAt(absl::Time time) {
  if (time < clock_.Now() - kOldestExpiry) return;
  time = std::max(time, expiry_not_before_);
  if (time >= expiry_time_) return;
  StopExpiryTimer();
  expiry_time_ = time;
  expiry_timer_ = loop_->At(time, [this] { return OnExpiry(); });
}

void DynamoDb::ExpireNext() {
  absl::StatusOr<absl::Time> next = NextExpiry(database_);
  const absl::Time time = next.ok() ? *next : clock_.Now() + kExpiryRetryPause;
  if (time < absl::InfiniteFuture()) ExpireAt(time);
}

AfterCommit DynamoDb::OnExpiry() {
  expiry_timer_ = 0;
  expiry_time_ = absl::InfiniteFuture();
  absl::StatusOr<int> removed = RemoveExpired(database_, kExpiredAtATime);
  if (!removed.ok()) {
    ExpireAt(clock_.Now() + kExpiryRetryPause);
  } else {
    ExpireNext();
  }
  return nullptr;
}

}  // namespace byoshin::local::dynamodb
