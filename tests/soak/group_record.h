// What the nodes of a group have reported, beside what its subscribers were
// sent of it: finds what is lost, doubled or out of order.
//
//   GroupRecord record(/*nodes=*/4);
//   const int member = record.Join();
//   record.Admit(member);                   // its subscription is acknowledged
//   const int number = record.Send(0);      // of node 0, from 1
//   record.Take(member, {.node = 0, .number = number});  // an absl::Status
//   record.Answer(0);
//   record.complete();
//
// All subscribers see the same order, so one sequence of reports is kept for
// the group, and each subscriber has a place in it. Who is admitted before the
// first report gets all of them; there must be one such subscriber. Who comes
// later may or may not get the reports under way then: it begins at some place
// in the sequence, after everything that was answered before it joined, and
// not after anything sent since it was admitted.
#ifndef BYOSHIN_TESTS_SOAK_GROUP_RECORD_H_
#define BYOSHIN_TESTS_SOAK_GROUP_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/status.h"

namespace byoshin::tests {

struct NodeReport {
  int node = 0;
  int number = 0;  // the first one's is 1

  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

// Not thread-safe.
class GroupRecord {
 public:
  explicit GroupRecord(int nodes);

  // A node is about to send its next report, whose number is returned. It sends
  // another when this one is answered.
  int Send(int node);
  void Answer(int node);

  // A subscriber is about to subscribe. Returns its number.
  int Join();
  // Its subscription was acknowledged.
  void Admit(int subscriber);
  // It was sent this report. An error if it should have been sent another.
  absl::Status Take(int subscriber, const NodeReport& report);
  // It is sent no more.
  void Leave(int subscriber);

  // Whether every report was answered and has arrived at all subscribers that
  // have not left.
  bool complete() const;

  // Reports sent.
  std::int64_t sent() const;

 private:
  struct Subscriber {
    // By node: how many reports were answered when it joined, and how many were
    // sent when it was admitted.
    std::vector<int> answered{};
    std::vector<int> sent{};
    // Its place in the sequence, once it is known.
    std::optional<std::size_t> next{};
    // What it was sent and can't be compared yet: others were sent less.
    std::deque<NodeReport> waiting{};
    bool left = false;
  };

  std::optional<std::size_t> PlaceOf(const NodeReport& report) const;
  // An error if a subscriber can't begin at this place.
  absl::Status CheckBeginning(const Subscriber& subscriber,
                              std::size_t place) const;
  absl::Status Append(const NodeReport& report);
  // Compares what waits, as far as the sequence is known.
  absl::Status Compare(Subscriber& subscriber);
  bool UpToDate(const Subscriber& subscriber) const;

  std::vector<int> sent_;      // by node
  std::vector<int> answered_;  // by node
  std::vector<NodeReport> sequence_;
  // By node and number: places in the sequence.
  std::vector<std::vector<std::size_t>> places_;
  std::map<int, Subscriber> subscribers_;
  int joined_ = 0;
};

}  // namespace byoshin::tests

#endif  // BYOSHIN_TESTS_SOAK_GROUP_RECORD_H_
