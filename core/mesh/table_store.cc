#include "core/mesh/table_store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/error.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"
#include "core/mesh/keys.h"

namespace byoshin::mesh {
namespace {

using aws::dynamodb::BatchWrites;
using aws::dynamodb::Item;
using aws::dynamodb::QueryPage;

bool IsFalseCondition(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  return error.has_value() &&
         error->code == aws::dynamodb::kConditionalCheckFailed;
}

std::string IfAbsent() {
  return absl::StrCat("attribute_not_exists(", kPartitionKey, ")");
}

absl::Status Damaged(const GroupKey& key) {
  return absl::DataLossError(absl::StrCat(
      "the item of the group ", key.group_id,
      " lacks attributes; it was written by something else, and must go"));
}

// The first of `items`, up to `count`, which are removed from it.
std::vector<Item> TakeFirst(std::vector<Item>& items, std::size_t count) {
  const auto end = items.begin() +
                   static_cast<std::ptrdiff_t>(std::min(count, items.size()));
  std::vector<Item> first(std::make_move_iterator(items.begin()),
                          std::make_move_iterator(end));
  items.erase(items.begin(), end);
  return first;
}

}  // namespace

TableStore::TableStore(Dependencies dependencies)
    : dependencies_(std::move(dependencies)) {}

absl::StatusOr<std::optional<Item>> TableStore::Get(Item key,
                                                    absl::Time deadline) {
  return dependencies_.table.GetItem(
      {.table_name = dependencies_.table_name, .key = std::move(key)},
      deadline);
}

absl::StatusOr<std::optional<Group>> TableStore::FindGroup(
    const GroupKey& key, absl::Time deadline) {
  const absl::StatusOr<std::optional<Item>> item =
      Get(GroupItemKey(key), deadline);
  if (!item.ok()) return item.status();
  if (!item->has_value()) return std::nullopt;
  std::optional<Group> group = GroupOf(**item);
  if (!group.has_value()) return Damaged(key);
  return group;
}

absl::StatusOr<std::optional<std::string>> TableStore::FindClaim(
    absl::string_view host_id, absl::string_view domain, absl::Time deadline) {
  const absl::StatusOr<std::optional<Item>> item =
      Get(ClaimItemKey(host_id, domain), deadline);
  if (!item.ok()) return item.status();
  if (!item->has_value()) return std::nullopt;
  return TextOf(**item, kGroupIdAttribute);
}

absl::Status TableStore::AddGroup(const Group& group,
                                  const std::optional<std::string>& claimed,
                                  absl::Time deadline) {
  aws::dynamodb::PutItemRequest claim = {.table_name = dependencies_.table_name,
                                         .item = ClaimItem(group),
                                         .condition_expression = IfAbsent()};
  if (claimed.has_value()) {
    // Unless DynamoDB has removed it meanwhile, or another call has replaced
    // it.
    claim.condition_expression =
        absl::StrCat(IfAbsent(), " OR ", kGroupIdAttribute, " = :claimed");
    claim.placeholders.values[":claimed"] = *claimed;
  }
  return dependencies_.table.TransactWriteItems(
      {.puts = {std::move(claim),
                {.table_name = dependencies_.table_name,
                 .item = ToItem(group),
                 .condition_expression = IfAbsent()}},
       .client_request_token = group.key.group_id},
      deadline);
}

absl::StatusOr<std::optional<int64_t>> TableStore::FindNode(
    const GroupKey& key, absl::string_view node_id, absl::Time deadline) {
  const absl::StatusOr<std::optional<Item>> item =
      Get(NodeItemKey(key, node_id), deadline);
  if (!item.ok()) return item.status();
  if (!item->has_value()) return std::nullopt;
  return NumberOf(**item, kTtlAttribute);
}

absl::Status TableStore::Delete(Item key, absl::Time deadline) {
  return dependencies_.table.DeleteItem(
      {.table_name = dependencies_.table_name, .key = std::move(key)},
      deadline);
}

absl::Status TableStore::DeleteIfOfGroup(Item key, const GroupKey& group,
                                         absl::Time deadline) {
  absl::Status status = dependencies_.table.DeleteItem(
      {.table_name = dependencies_.table_name,
       .key = std::move(key),
       .condition_expression =
           absl::StrCat(kGroupIdAttribute, " = :groupId AND #domain = :domain"),
       .placeholders = {.names = {{"#domain", kDomainAttribute}},
                        .values = {{":groupId", group.group_id},
                                   {":domain", group.domain}}}},
      deadline);
  return IsFalseCondition(status) ? absl::OkStatus() : status;
}

absl::Status TableStore::RemoveNode(const GroupKey& key,
                                    absl::string_view node_id,
                                    absl::Time deadline) {
  // If there is none, nothing is written: whoever watches the table sees nobody
  // leave.
  absl::Status status =
      DeleteIfOfGroup(NodeItemKey(key, node_id), key, deadline);
  // The node may have reported to another group since.
  if (status.ok()) {
    status = DeleteIfOfGroup(LatestStatusItemKey(node_id), key, deadline);
  }
  if (status.ok()) status = Delete(GroupStatusItemKey(key, node_id), deadline);
  return status;
}

absl::Status TableStore::CloseGroup(const Group& group, int64_t ttl,
                                    absl::Time deadline) {
  Group closed = group;
  closed.ttl = ttl;
  Item item = ToItem(closed);
  // No longer one of its domain's groups.
  item.erase(kIndexPartitionKey);
  item.erase(kIndexSortKey);
  absl::Status status = dependencies_.table.PutItem(
      {.table_name = dependencies_.table_name,
       .item = std::move(item),
       .condition_expression =
           absl::StrCat("attribute_exists(", kPartitionKey, ")")},
      deadline);
  return IsFalseCondition(status) ? absl::OkStatus() : status;
}

absl::Status TableStore::RemovePage(const Group& group, const QueryPage& page,
                                    absl::Time deadline) {
  BatchWrites writes;
  for (const Item& item : page.items) {
    const std::optional<std::string> sort = TextOf(item, kSortKey);
    if (!sort.has_value()) return Damaged(group.key);
    absl::string_view node_id = *sort;
    if (absl::ConsumePrefix(&node_id, kStatusPrefix)) {
      absl::Status status =
          DeleteIfOfGroup(LatestStatusItemKey(node_id), group.key, deadline);
      if (!status.ok()) return status;
    }
    writes.deletes.push_back(item);
  }
  return Write(std::move(writes), deadline);
}

absl::StatusOr<int64_t> TableStore::RemoveGroup(const Group& group,
                                                absl::Time deadline) {
  aws::dynamodb::QueryRequest query = {
      .table_name = dependencies_.table_name,
      .key_condition_expression = absl::StrCat(kPartitionKey, " = :partition"),
      .projection_expression = absl::StrCat(kPartitionKey, ", ", kSortKey),
      .placeholders = {.values = {{":partition", GroupPartition(group.key)}}}};
  int64_t removed = 1;  // the group
  do {
    absl::StatusOr<QueryPage> page = dependencies_.table.Query(query, deadline);
    if (!page.ok()) return page.status();
    absl::Status status = RemovePage(group, *page, deadline);
    if (!status.ok()) return status;
    removed += static_cast<int64_t>(page->items.size());
    query.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (!query.exclusive_start_key.empty());
  // The host may have another group by now, if this one was over.
  absl::Status claim = DeleteIfOfGroup(
      ClaimItemKey(group.host_id, group.key.domain), group.key, deadline);
  if (!claim.ok()) return claim;
  absl::Status status = Write({.deletes = {GroupItemKey(group.key)}}, deadline);
  if (!status.ok()) return status;
  return removed;
}

absl::Status TableStore::AddEvents(const Group& group, const EventBatch& batch,
                                   absl::Time deadline) {
  BatchWrites writes;
  for (const Event& event : batch.events) {
    writes.puts.push_back(EventItem(group, {.batch = batch, .event = event}));
  }
  return Write(std::move(writes), deadline);
}

absl::Status TableStore::RemoveEvents(const EventBatch& batch,
                                      absl::Time deadline) {
  BatchWrites writes;
  for (const Event& event : batch.events) {
    writes.deletes.push_back(EventItemKey({.batch = batch, .event = event}));
  }
  return Write(std::move(writes), deadline);
}

absl::Status TableStore::Write(BatchWrites writes, absl::Time deadline) {
  while (!writes.empty()) {
    BatchWrites batch;
    batch.puts = TakeFirst(writes.puts, aws::dynamodb::kMaxBatchWrites);
    batch.deletes = TakeFirst(
        writes.deletes, aws::dynamodb::kMaxBatchWrites - batch.puts.size());
    absl::Status status = WriteBatch(std::move(batch), deadline);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status TableStore::WriteBatch(BatchWrites batch, absl::Time deadline) {
  absl::Duration pause = kBatchRetryPause;
  while (true) {
    absl::StatusOr<BatchWrites> unprocessed =
        dependencies_.table.BatchWriteItem(
            {.table_name = dependencies_.table_name, .writes = batch},
            deadline);
    if (!unprocessed.ok()) return unprocessed.status();
    if (unprocessed->empty()) return absl::OkStatus();
    batch = *std::move(unprocessed);
    const absl::Time next = dependencies_.clock.Now() + pause;
    if (next >= deadline) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "DynamoDB has not written ", batch.puts.size() + batch.deletes.size(),
          " items in time; the table is overloaded, try again"));
    }
    dependencies_.clock.SleepUntil(next);
    pause = std::min(2 * pause, kMaxBatchRetryPause);
  }
}

}  // namespace byoshin::mesh
