#include "tests/soak/group_record.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace byoshin::tests {
namespace {

std::string Describe(const NodeReport& report) {
  return absl::StrCat("report ", report.number, " of node ", report.node);
}

}  // namespace

GroupRecord::GroupRecord(int nodes)
    : sent_(nodes, 0), answered_(nodes, 0), places_(nodes) {}

int GroupRecord::Send(int node) { return ++sent_[node]; }

void GroupRecord::Answer(int node) { ++answered_[node]; }

int GroupRecord::Join() {
  const int subscriber = joined_++;
  subscribers_[subscriber].answered = answered_;
  return subscriber;
}

void GroupRecord::Admit(int subscriber) {
  Subscriber& admitted = subscribers_.at(subscriber);
  admitted.sent = sent_;
  if (sent() == 0) admitted.next = 0;
}

absl::Status GroupRecord::Take(int subscriber, const NodeReport& report) {
  Subscriber& taker = subscribers_.at(subscriber);
  if (report.node < 0 || report.node >= static_cast<int>(sent_.size()) ||
      report.number < 1 || report.number > sent_[report.node]) {
    return absl::InternalError(
        absl::StrCat(Describe(report), " has not been sent"));
  }
  taker.waiting.push_back(report);
  const std::size_t known = sequence_.size();
  absl::Status status = Compare(taker);
  if (sequence_.size() > known) {
    for (auto& [number, other] : subscribers_) {
      if (status.ok()) status = Compare(other);
    }
    std::erase_if(subscribers_, [](const auto& entry) {
      return entry.second.left && entry.second.waiting.empty();
    });
  }
  return status;
}

void GroupRecord::Leave(int subscriber) {
  const auto leaving = subscribers_.find(subscriber);
  leaving->second.left = true;
  if (leaving->second.waiting.empty()) subscribers_.erase(leaving);
}

bool GroupRecord::complete() const {
  return answered_ == sent_ &&
         static_cast<std::int64_t>(sequence_.size()) == sent() &&
         std::all_of(
             subscribers_.begin(), subscribers_.end(),
             [this](const auto& entry) { return UpToDate(entry.second); });
}

std::int64_t GroupRecord::sent() const {
  return std::accumulate(sent_.begin(), sent_.end(), std::int64_t{0});
}

std::optional<std::size_t> GroupRecord::PlaceOf(
    const NodeReport& report) const {
  const std::vector<std::size_t>& places = places_[report.node];
  const auto index = static_cast<std::size_t>(report.number) - 1;
  if (index >= places.size()) return std::nullopt;
  return places[index];
}

absl::Status GroupRecord::CheckBeginning(const Subscriber& subscriber,
                                         std::size_t place) const {
  const NodeReport& first = sequence_[place];
  if (first.number <= subscriber.answered[first.node]) {
    return absl::InternalError(absl::StrCat(
        Describe(first), " was sent to one who subscribed after its answer"));
  }
  for (int node = 0; node < static_cast<int>(sent_.size()); ++node) {
    const NodeReport due = {.node = node, .number = subscriber.sent[node] + 1};
    const std::optional<std::size_t> due_place = PlaceOf(due);
    if (due_place.has_value() && *due_place < place) {
      return absl::InternalError(absl::StrCat(
          Describe(due), " was not sent to one who subscribed before it: ",
          Describe(first), " was the first"));
    }
  }
  return absl::OkStatus();
}

absl::Status GroupRecord::Append(const NodeReport& report) {
  std::vector<std::size_t>& places = places_[report.node];
  if (static_cast<std::size_t>(report.number) != places.size() + 1) {
    return absl::InternalError(absl::StrCat(Describe(report), " came after ",
                                            places.size(), " of this node"));
  }
  places.push_back(sequence_.size());
  sequence_.push_back(report);
  return absl::OkStatus();
}

absl::Status GroupRecord::Compare(Subscriber& subscriber) {
  while (!subscriber.waiting.empty()) {
    const NodeReport report = subscriber.waiting.front();
    if (!subscriber.next.has_value()) {
      const std::optional<std::size_t> place = PlaceOf(report);
      if (!place.has_value()) return absl::OkStatus();
      absl::Status begun = CheckBeginning(subscriber, *place);
      if (!begun.ok()) return begun;
      subscriber.next = place;
    }
    if (*subscriber.next == sequence_.size()) {
      absl::Status appended = Append(report);
      if (!appended.ok()) return appended;
    } else if (sequence_[*subscriber.next] != report) {
      return absl::InternalError(
          absl::StrCat(Describe(report), " came where others were sent ",
                       Describe(sequence_[*subscriber.next])));
    }
    ++*subscriber.next;
    subscriber.waiting.pop_front();
  }
  return absl::OkStatus();
}

bool GroupRecord::UpToDate(const Subscriber& subscriber) const {
  if (!subscriber.waiting.empty()) return false;
  if (subscriber.left) return true;
  return subscriber.next.has_value() ? *subscriber.next == sequence_.size()
                                     : subscriber.sent == sent_;
}

}  // namespace byoshin::tests
