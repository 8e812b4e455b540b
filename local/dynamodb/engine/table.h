// A table in memory: its schema, settings and counters. Items are only in the
// store (see items.h).
//
//   Table* table = database.FindTable(region, "orders");
//   if (table == nullptr) return ResourceNotFound();
//   for (const Index& index : table->indexes) ...
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_TABLE_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_TABLE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/expressions/key_condition.h"

namespace byoshin::local::dynamodb {

enum class BillingMode { kProvisioned, kPayPerRequest };
enum class ProjectionType { kAll, kKeysOnly, kInclude };
enum class IndexKind { kGlobal, kLocal };

// All zero for a table with on-demand billing.
struct Throughput {
  int64_t read_units = 0;
  int64_t write_units = 0;
  std::optional<absl::Time> last_increase{};
  std::optional<absl::Time> last_decrease{};
  // On the day of last_decrease, in UTC.
  int decreases_that_day = 0;

  int DecreasesOnDayOf(absl::Time time) const;
};

// Upper limits of a table with on-demand billing; -1 if there is none.
struct OnDemandThroughput {
  std::optional<int64_t> max_read_units{};
  std::optional<int64_t> max_write_units{};
};

// What a table or index can serve at once. It is only described: nothing is
// throttled. Never decreases.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
struct WarmThroughput {
  int64_t read_units = 0;
  int64_t write_units = 0;

  void RaiseTo(const WarmThroughput& other);

  friend bool operator==(const WarmThroughput&,
                         const WarmThroughput&) = default;
};

// What every table or index with on-demand billing has.
inline constexpr WarmThroughput kOnDemandWarmThroughput = {12'000, 4'000};

struct Counters {
  int64_t items = 0;
  int64_t bytes = 0;
};

struct Index {
  IndexKind kind = IndexKind::kGlobal;
  std::string name{};
  // Part of the keys of its entries; never reused within the table.
  uint32_t id = 0;
  KeySchema keys{};
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> included{};  // NonKeyAttributes
  Throughput throughput{};
  std::optional<OnDemandThroughput> on_demand{};
  WarmThroughput warm{};
  Counters counters{};
};

struct TimeToLive {
  bool enabled = false;
  std::string attribute{};
};

// As requested; nothing is encrypted.
struct Encryption {
  bool enabled = false;
  std::string kms_key_arn{};
};

struct Table {
  std::string region{};
  std::string name{};
  std::string arn{};
  // Part of the keys of its items; never reused.
  uint64_t id = 0;
  uint32_t last_index_id = 0;
  std::string uuid{};  // TableId
  absl::Time created = absl::UnixEpoch();

  KeySchema keys{};
  std::vector<KeyAttribute> attributes{};  // AttributeDefinitions
  std::vector<Index> indexes{};            // in the order they were given

  BillingMode billing = BillingMode::kProvisioned;
  // Since when it has on-demand billing, if it ever had.
  std::optional<absl::Time> pay_per_request_since{};
  Throughput throughput{};
  std::optional<OnDemandThroughput> on_demand{};
  WarmThroughput warm{};
  bool deletion_protection = false;
  std::optional<std::string> table_class{};
  std::optional<Encryption> encryption{};
  std::map<std::string, std::string> tags{};
  TimeToLive time_to_live{};
  // Since when, if PointInTimeRecovery is on.
  std::optional<absl::Time> point_in_time_since{};
  int recovery_period_days = 35;

  Counters counters{};

  const Index* FindIndex(absl::string_view index_name) const;
  Index* FindIndex(absl::string_view index_name);
  std::string IndexArn(const Index& index) const;
  // Raises the warm throughput of the table and its global indexes to what
  // their billing implies.
  void WarmUp();
};

// What the billing of a table implies for it.
WarmThroughput ImpliedWarmThroughput(const Table& table);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_TABLE_H_
