#include "local/stepfunctions/announcements.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/keys.h"
#include "local/store/work_loop.h"

namespace byoshin::local::stepfunctions {
namespace {

std::string AnnouncementKey(std::uint64_t id) {
  return absl::StrFormat("%s%020d", kAnnouncementPrefix, id);
}

}  // namespace

absl::Status Announcements::Load() {
  ++epoch_;
  waiting_.clear();
  absl::Status damage;
  absl::Status scanned = store_.Scan(
      PrefixRange(kAnnouncementPrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        std::uint64_t id = 0;
        Waiting waiting;
        if (!absl::SimpleAtoi(absl::StripPrefix(key, kAnnouncementPrefix),
                              &id) ||
            !waiting.execution.ParseFromString(std::string(value))) {
          damage = absl::DataLossError(
              absl::StrCat("the record ", key, " is damaged"));
          return Store::Visit::kStop;
        }
        waiting_.emplace(id, std::move(waiting));
        last_id_ = std::max(last_id_, id);
        return Store::Visit::kContinue;
      });
  scanned.Update(damage);
  if (scanned.ok()) Send();
  return scanned;
}

void Announcements::Begin() {
  begun_ = true;
  Send();
}

void Announcements::Add(const kept::Execution& execution) {
  if (!sink_.send || !sink_.wanted()) return;
  const std::uint64_t id = ++last_id_;
  // Failures show in the commit.
  store_.Put(AnnouncementKey(id), execution.SerializeAsString()).IgnoreError();
  waiting_.emplace(id, Waiting{.execution = execution});
}

void Announcements::Send() {
  if (!begun_ || !sink_.send) return;
  for (auto& [id, waiting] : waiting_) {
    if (waiting.under_way) continue;
    waiting.under_way = true;
    sink_.send(StatusChangeOf(waiting.execution),
               [this, gate = gate_, id = id,
                epoch = epoch_](const absl::Status& status) {
                 gate->Submit([this, id, epoch, status]() -> AfterCommit {
                   if (epoch == epoch_) HandleSent(id, status);
                   return nullptr;
                 });
               });
  }
}

void Announcements::HandleSent(std::uint64_t id, const absl::Status& status) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  // EventBridge could not store it: it is sent again with the next one.
  found->second.under_way = false;
  if (!status.ok()) return;
  waiting_.erase(found);
  store_.Delete(AnnouncementKey(id)).IgnoreError();
}

}  // namespace byoshin::local::stepfunctions
