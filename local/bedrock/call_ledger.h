// The latest calls of models, and their totals: what a panel shows. It has no
// prompts and no answers.
//
//   for (const ModelCall& call : host.Get<CallLedger>().Latest()) …
#ifndef BYOSHIN_LOCAL_BEDROCK_CALL_LEDGER_H_
#define BYOSHIN_LOCAL_BEDROCK_CALL_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/bedrock/model.h"

namespace byoshin::local::bedrock {

// How many calls are kept.
inline constexpr std::size_t kLedgerSize = 1000;

struct ModelCall {
  absl::Time time{};        // when it began
  std::string operation{};  // "Converse"
  std::string model_id{};   // as in the request
  // The role of the caller; empty for credentials of the account.
  std::string role_arn{};
  Usage usage{};
  absl::Duration duration{};  // on the cloud's clock
  // The code of the error; empty if it succeeded.
  std::string error{};
};

struct ModelTotals {
  std::int64_t calls = 0;
  std::map<std::string, std::int64_t> errors{};  // by code
  Usage usage{};
};

// Thread-safe.
class CallLedger {
 public:
  void Add(ModelCall call);

  // Oldest first.
  std::vector<ModelCall> Latest() const;
  // Since the start of the cloud, by model id.
  std::map<std::string, ModelTotals> Totals() const;
  // The same by the role of the caller; calls with credentials of the account
  // are not among them.
  std::map<std::string, ModelTotals> TotalsByRole() const;
  // Changes with every call.
  std::uint64_t version() const;

 private:
  using TotalsMap = std::map<std::string, ModelTotals>;

  static void Count(const std::string& key, const ModelCall& call,
                    TotalsMap& totals);

  mutable sync::Mutex mutex_;
  std::deque<ModelCall> calls_ ABSL_GUARDED_BY(mutex_);
  TotalsMap totals_ ABSL_GUARDED_BY(mutex_);
  TotalsMap totals_by_role_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_CALL_LEDGER_H_
