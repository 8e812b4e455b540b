#include "local/dynamodb/operations/range_read.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
constexpr int64_t kMaxPageBytes = 1024 * 1024;

// Reads one page, entry by entry.
class PageReader {
 public:
  PageReader(Database& database, const Source& source, const RangeRead& read)
      : database_(database),
        source_(source),
        read_(read),
        fetches_(FetchesFromTable()) {}

  Store::Visit Visit(absl::string_view value) {
    absl::StatusOr<Item> entry = DeserializeItem(value);
    if (!entry.ok()) return Fail(entry.status());
    ++scanned_;
    const int64_t bytes = SizeBytes(*entry);
    entry_bytes_ += bytes;
    page_bytes_ += bytes;
    const bool is_last = (read_.limit && scanned_ >= *read_.limit) ||
                         page_bytes_ >= kMaxPageBytes;
    if (is_last) last_ = StartKeyOf(*entry);
    if (fetches_) {
      if (absl::Status status = FetchFromTable(*entry); !status.ok()) {
        return Fail(status);
      }
    }
    if (!read_.filter || read_.filter->Evaluate(&*entry)) Add(*entry);
    return is_last ? Store::Visit::kStop : Store::Visit::kContinue;
  }

  absl::StatusOr<std::string> Finish(const Page& page) && {
    if (!failure_.ok()) return failure_;
    std::string answer = "{";
    if (read_.select != Select::kCount) {
      if (items_.empty()) items_ = "[";
      if (items_.back() == ',') items_.pop_back();
      absl::StrAppend(&answer, "\"Items\":", items_, "],");
    }
    absl::StrAppend(&answer, "\"Count\":", count_,
                    ",\"ScannedCount\":", scanned_, ",");
    if (last_ && page.may_continue) {
      answer += "\"LastEvaluatedKey\":";
      AppendJson(*last_, answer);
      answer += ',';
    }
    AppendCapacity(answer);
    CloseObject(answer);
    return answer;
  }

 private:
  // A local index reads missing attributes from the table.
  bool FetchesFromTable() const {
    if (source_.index == nullptr || source_.index->kind != IndexKind::kLocal ||
        source_.index->projection == ProjectionType::kAll) {
      return false;
    }
    if (read_.select == Select::kAll) return true;
    if (!read_.projection) return false;
    for (const DocumentPath& path : read_.projection->paths()) {
      const std::string& name = path[0].name;
      if (!IsProjected(name)) return true;
    }
    return false;
  }

  bool IsProjected(const std::string& name) const {
    if (source_.table->keys.Contains(name) || source_.keys->Contains(name)) {
      return true;
    }
    for (const std::string& included : source_.index->included) {
      if (name == included) return true;
    }
    return false;
  }

  absl::Status FetchFromTable(Item& entry) {
    absl::StatusOr<std::optional<Item>> item =
        ReadItem(database_, *source_.table, PlaceOf(*source_.table, entry));
    if (!item.ok()) return item.status();
    if (!item->has_value()) {
      return absl::DataLossError("an index has an entry without an item");
    }
    entry = **std::move(item);
    fetch_units_ += ReadUnits(SizeBytes(entry), read_.consistency);
    return absl::OkStatus();
  }

  void Add(const Item& item) {
    ++count_;
    if (read_.select == Select::kCount) return;
    if (items_.empty()) items_ = "[";
    if (read_.projection) {
      AppendJson(read_.projection->Project(item), items_);
    } else {
      AppendJson(item, items_);
    }
    items_ += ',';
  }

  Item StartKeyOf(const Item& entry) const {
    Item key = PrimaryKeyOf(*source_.table, entry);
    if (source_.index == nullptr) return key;
    for (const auto* keys : {&source_.keys->hash, &source_.keys->range}) {
      for (const KeyAttribute& attribute : *keys) {
        key.Set(attribute.name, *entry.Find(attribute.name));
      }
    }
    return key;
  }

  void AppendCapacity(std::string& answer) const {
    if (read_.capacity == CapacityDetail::kNone) return;
    Capacity capacity;
    const double units = ReadUnits(entry_bytes_, read_.consistency);
    if (source_.index == nullptr) {
      capacity.AddTable(units);
    } else {
      capacity.AddTable(fetch_units_);
      capacity.AddIndex(source_.index->name, source_.index->kind, units);
    }
    AppendCapacityMember(capacity, source_.table->name, read_.capacity, answer);
  }

  Store::Visit Fail(absl::Status status) {
    failure_ = std::move(status);
    return Store::Visit::kStop;
  }

  Database& database_;
  const Source& source_;
  const RangeRead& read_;
  const bool fetches_;
  absl::Status failure_;
  std::string items_;  // JSON, still open
  int64_t count_ = 0;
  int64_t scanned_ = 0;
  int64_t entry_bytes_ = 0;
  int64_t page_bytes_ = 0;
  double fetch_units_ = 0;
  std::optional<Item> last_;
};

}  // namespace

absl::StatusOr<std::string> ReadPage(Database& database, const Source& source,
                                     const RangeRead& read, const Page& page) {
  PageReader reader(database, source, read);
  // A start key may be after the end of the range.
  if (page.range.end.empty() || page.range.begin < page.range.end) {
    const absl::Status scanned =
        database.store().Scan(page.range, page.direction,
                              [&](absl::string_view, absl::string_view value) {
                                return reader.Visit(value);
                              });
    if (!scanned.ok()) return scanned;
  }
  return std::move(reader).Finish(page);
}

}  // namespace byoshin::local::dynamodb
