// A dynamodb::TableClient for tests: the mesh's table in memory, with its keys
// and the conditions that the store puts on writes.
//
//   FakeTable table;
//   table.LeaveUnprocessed(3);  // by the next batch
//   ...
//   EXPECT_THAT(table.items(), SizeIs(2));
#ifndef BYOSHIN_CORE_MESH_TESTING_FAKE_TABLE_H_
#define BYOSHIN_CORE_MESH_TESTING_FAKE_TABLE_H_

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/error.h"
#include "core/mesh/constants.h"

namespace byoshin::mesh::testing {

// Not thread-safe.
class FakeTable final : public aws::dynamodb::TableClient {
 public:
  using Item = aws::dynamodb::Item;
  // The partition key and the sort key.
  using Key = std::pair<std::string, std::string>;

  // The next batch writes all but this many; then the one after it, and so on.
  void LeaveUnprocessed(std::size_t writes) { unprocessed_.push_back(writes); }
  // Query returns pages of so many items.
  void SetPageSize(std::size_t items) { page_size_ = items; }
  void Add(const Item& item) { items_[KeyOf(item)] = item; }

  const std::map<Key, Item>& items() const { return items_; }
  // The number of writes in each batch.
  const std::vector<std::size_t>& batches() const { return batches_; }
  const std::vector<aws::dynamodb::TransactWriteItemsRequest>& transactions()
      const {
    return transactions_;
  }

  absl::Status PutItem(const aws::dynamodb::PutItemRequest& request,
                       absl::Time /*deadline*/) override {
    if (!Holds(request.condition_expression, request.placeholders,
               KeyOf(request.item))) {
      return Error(aws::dynamodb::kConditionalCheckFailed);
    }
    Add(request.item);
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<Item>> GetItem(
      const aws::dynamodb::GetItemRequest& request,
      absl::Time /*deadline*/) override {
    const auto found = items_.find(KeyOf(request.key));
    if (found == items_.end()) return std::nullopt;
    return found->second;
  }

  absl::Status DeleteItem(const aws::dynamodb::DeleteItemRequest& request,
                          absl::Time /*deadline*/) override {
    const Key key = KeyOf(request.key);
    if (!Holds(request.condition_expression, request.placeholders, key)) {
      return Error(aws::dynamodb::kConditionalCheckFailed);
    }
    items_.erase(key);
    return absl::OkStatus();
  }

  absl::StatusOr<aws::dynamodb::QueryPage> Query(
      const aws::dynamodb::QueryRequest& request,
      absl::Time /*deadline*/) override {
    const std::string partition =
        std::get<std::string>(request.placeholders.values.at(":partition"));
    auto next = request.exclusive_start_key.empty()
                    ? items_.lower_bound({partition, ""})
                    : items_.upper_bound(KeyOf(request.exclusive_start_key));
    aws::dynamodb::QueryPage page;
    for (; next != items_.end() && next->first.first == partition; ++next) {
      page.items.push_back(
          {{kPartitionKey, next->first.first}, {kSortKey, next->first.second}});
      if (page.items.size() == page_size_) {
        page.last_evaluated_key = page.items.back();
        break;
      }
    }
    return page;
  }

  absl::StatusOr<aws::dynamodb::BatchWrites> BatchWriteItem(
      const aws::dynamodb::BatchWriteItemRequest& request,
      absl::Time /*deadline*/) override {
    const std::size_t size =
        request.writes.puts.size() + request.writes.deletes.size();
    batches_.push_back(size);
    if (size == 0 || size > aws::dynamodb::kMaxBatchWrites) {
      return Error("ValidationException");
    }
    std::size_t left = 0;
    if (!unprocessed_.empty()) {
      left = unprocessed_.front();
      unprocessed_.pop_front();
    }
    aws::dynamodb::BatchWrites rest;
    for (const Item& item : request.writes.puts) {
      if (left > 0) {
        --left;
        rest.puts.push_back(item);
      } else {
        Add(item);
      }
    }
    for (const Item& key : request.writes.deletes) {
      if (left > 0) {
        --left;
        rest.deletes.push_back(key);
      } else {
        items_.erase(KeyOf(key));
      }
    }
    return rest;
  }

  absl::Status TransactWriteItems(
      const aws::dynamodb::TransactWriteItemsRequest& request,
      absl::Time /*deadline*/) override {
    transactions_.push_back(request);
    for (const aws::dynamodb::PutItemRequest& put : request.puts) {
      if (!Holds(put.condition_expression, put.placeholders, KeyOf(put.item))) {
        return Error("TransactionCanceledException");
      }
    }
    for (const aws::dynamodb::PutItemRequest& put : request.puts) {
      Add(put.item);
    }
    return absl::OkStatus();
  }

 private:
  static Key KeyOf(const Item& item) {
    return {std::get<std::string>(item.at(kPartitionKey)),
            std::get<std::string>(item.at(kSortKey))};
  }
  static absl::Status Error(const char* code) {
    return aws::ToStatus({.code = code, .http_status = 400}, "DynamoDB");
  }

  bool Holds(const std::string& condition,
             const aws::dynamodb::Placeholders& placeholders,
             const Key& key) const {
    if (condition.empty()) return true;
    const auto found = items_.find(key);
    if (condition == "attribute_exists(pk)") return found != items_.end();
    if (absl::StartsWith(condition, "attribute_not_exists(pk)") &&
        found == items_.end()) {
      return true;
    }
    if (found == items_.end()) return false;
    const auto equals = [&](const char* attribute, const char* value) {
      const auto expected = placeholders.values.find(value);
      const auto actual = found->second.find(attribute);
      return expected != placeholders.values.end() &&
             actual != found->second.end() &&
             actual->second == expected->second;
    };
    if (absl::EndsWith(condition, "groupId = :claimed")) {
      return equals(kGroupIdAttribute, ":claimed");
    }
    return condition == "groupId = :groupId AND #domain = :domain" &&
           equals(kGroupIdAttribute, ":groupId") &&
           equals(kDomainAttribute, ":domain");
  }

  std::map<Key, Item> items_;
  std::deque<std::size_t> unprocessed_;
  std::size_t page_size_ = 1000;
  std::vector<std::size_t> batches_;
  std::vector<aws::dynamodb::TransactWriteItemsRequest> transactions_;
};

}  // namespace byoshin::mesh::testing

#endif  // BYOSHIN_CORE_MESH_TESTING_FAKE_TABLE_H_
