#include <json/json.h>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tests/crash/writers.h"

namespace byoshin::crash {
namespace {

constexpr int kDeleteEvery = 5;
constexpr int kGroups = 7;
constexpr std::size_t kKeysAtOnce = 100;  // No more are allowed.

std::string DynamoDbTarget(absl::string_view operation) {
  return absl::StrCat("DynamoDB_20120810.", operation);
}

std::string KeyOf(absl::string_view id) {
  return absl::StrCat(R"({"id":{"S":")", id, "\"}}");
}

// The item, null if there is none.
absl::StatusOr<Json::Value> Find(Client& client, absl::string_view id) {
  absl::StatusOr<Json::Value> output = client.Call(
      DynamoDbTarget("GetItem"),
      absl::StrCat(R"({"TableName":")", kTable, R"(","ConsistentRead":true,)",
                   R"("Key":)", KeyOf(id), "}"));
  if (!output.ok()) return output.status();
  return (*output)["Item"];
}

// Those of `ids` that are there. Asks for many at once, because a test looks
// for thousands of them.
absl::StatusOr<std::map<std::string, Json::Value>> FindAll(
    Client& client, const std::set<std::string>& ids) {
  std::map<std::string, Json::Value> found;
  for (auto next = ids.begin(); next != ids.end();) {
    std::vector<std::string> keys;
    while (next != ids.end() && keys.size() < kKeysAtOnce) {
      keys.push_back(KeyOf(*next++));
    }
    absl::StatusOr<Json::Value> output =
        client.Call(DynamoDbTarget("BatchGetItem"),
                    absl::StrCat(R"({"RequestItems":{")", kTable,
                                 R"(":{"ConsistentRead":true,"Keys":[)",
                                 absl::StrJoin(keys, ","), "]}}}"));
    if (!output.ok()) return output.status();
    if (!(*output)["UnprocessedKeys"].empty()) {
      return absl::InternalError("BatchGetItem left keys out");
    }
    for (Json::Value& item : (*output)["Responses"][std::string(kTable)]) {
      found[item["id"]["S"].asString()] = std::move(item);
    }
  }
  return found;
}

absl::StatusOr<int> FindCount(Client& client, absl::string_view id) {
  absl::StatusOr<Json::Value> item = Find(client, id);
  if (!item.ok()) return item.status();
  if (item->isNull()) return 0;
  int count = 0;
  if (absl::SimpleAtoi((*item)["n"]["N"].asString(), &count)) return count;
  return absl::DataLossError(absl::StrCat(id, " has no number"));
}

class Putter final : public Writer {
 public:
  explicit Putter(int number) : name_(absl::StrCat("put", number, "-")) {}

  absl::Status Write(Client& client) override {
    ++written_;
    if (written_ % kDeleteEvery == 0 && !present_.empty()) {
      return Delete(client);
    }
    const std::string id = absl::StrCat(name_, written_);
    in_flight_ = id;
    absl::StatusOr<Json::Value> output = client.Call(
        DynamoDbTarget("PutItem"),
        absl::StrCat(R"({"TableName":")", kTable, R"(","Item":{"id":{"S":")",
                     id, R"("},"group":{"S":"g)", written_ % kGroups,
                     R"("},"payload":{"S":")", Payload(id),
                     R"json("}},"ConditionExpression":)json",
                     R"json("attribute_not_exists(id)"})json"));
    if (!output.ok()) return output.status();
    in_flight_.clear();
    present_.insert(id);
    return absl::OkStatus();
  }

  absl::Status Check(Client& client) override {
    if (!in_flight_.empty()) {
      absl::StatusOr<Json::Value> item = Find(client, in_flight_);
      if (!item.ok()) return item.status();
      present_.erase(in_flight_);
      absent_.erase(in_flight_);
      if (item->isNull()) {
        absent_.insert(in_flight_);
      } else {
        present_.insert(in_flight_);
      }
      in_flight_.clear();
    }
    absl::StatusOr<std::map<std::string, Json::Value>> found =
        FindAll(client, present_);
    if (!found.ok()) return found.status();
    for (const std::string& id : present_) {
      const Json::Value& item = (*found)[id];
      if (item["payload"]["S"].asString() != Payload(id)) {
        return absl::DataLossError(
            absl::StrCat("acknowledged item ", id, " is not there, or not ",
                         "whole: ", item.toStyledString()));
      }
    }
    found = FindAll(client, absent_);
    if (!found.ok()) return found.status();
    if (!found->empty()) {
      return absl::DataLossError(absl::StrCat(
          "deleted item ", found->begin()->first, " is there again"));
    }
    Forget();
    return absl::OkStatus();
  }

 private:
  absl::Status Delete(Client& client) {
    const std::string id = *present_.begin();
    in_flight_ = id;
    absl::StatusOr<Json::Value> output =
        client.Call(DynamoDbTarget("DeleteItem"),
                    absl::StrCat(R"({"TableName":")", kTable, R"(","Key":)",
                                 KeyOf(id), "}"));
    if (!output.ok()) return output.status();
    in_flight_.clear();
    present_.erase(id);
    absent_.insert(id);
    return absl::OkStatus();
  }

  // Bigger than a page of the database now and then.
  static std::string Payload(const std::string& id) {
    std::string payload = id;
    const std::size_t repeat = 1 + (id.back() == '7' ? 500 : 3);
    for (std::size_t i = 0; i < repeat; ++i) payload += id;
    return payload;
  }

  // Keeps the next checks short: what has been found is checked again a few
  // rounds long, and then only by CheckIndex().
  void Forget() {
    constexpr std::size_t kRemembered = 100;
    while (present_.size() > kRemembered) present_.erase(present_.begin());
    while (absent_.size() > kRemembered) absent_.erase(absent_.begin());
  }

  const std::string name_;
  int written_ = 0;
  std::string in_flight_;  // empty: none
  std::set<std::string> present_;
  std::set<std::string> absent_;
};

class Counter final : public Writer {
 public:
  explicit Counter(int number) : id_(absl::StrCat("counter", number)) {}

  absl::Status Write(Client& client) override {
    absl::StatusOr<Json::Value> output = client.Call(
        DynamoDbTarget("UpdateItem"),
        absl::StrCat(R"({"TableName":")", kTable, R"(","Key":)", KeyOf(id_),
                     R"(,"UpdateExpression":"ADD n :one",)",
                     R"("ExpressionAttributeValues":{":one":{"N":"1"}}})"));
    if (!output.ok()) return output.status();
    ++acknowledged_;
    return absl::OkStatus();
  }

  absl::Status Check(Client& client) override {
    absl::StatusOr<int> count = FindCount(client, id_);
    if (!count.ok()) return count.status();
    if (*count != acknowledged_ && *count != acknowledged_ + 1) {
      return absl::DataLossError(absl::StrCat(id_, " is ", *count, " after ",
                                              acknowledged_,
                                              " acknowledged additions"));
    }
    acknowledged_ = *count;
    return absl::OkStatus();
  }

 private:
  const std::string id_;
  int acknowledged_ = 0;
};

class Transactor final : public Writer {
 public:
  explicit Transactor(int number)
      : left_(absl::StrCat("left", number)),
        right_(absl::StrCat("right", number)) {}

  absl::Status Write(Client& client) override {
    absl::StatusOr<Json::Value> output =
        client.Call(DynamoDbTarget("TransactWriteItems"),
                    absl::StrCat(R"({"TransactItems":[)", Update(left_), ",",
                                 Update(right_), "]}"));
    if (!output.ok()) return output.status();
    ++acknowledged_;
    return absl::OkStatus();
  }

  absl::Status Check(Client& client) override {
    absl::StatusOr<int> left = FindCount(client, left_);
    if (!left.ok()) return left.status();
    absl::StatusOr<int> right = FindCount(client, right_);
    if (!right.ok()) return right.status();
    if (*left != *right ||
        (*left != acknowledged_ && *left != acknowledged_ + 1)) {
      return absl::DataLossError(
          absl::StrCat(left_, " is ", *left, " and ", right_, " is ", *right,
                       " after ", acknowledged_, " acknowledged transactions"));
    }
    acknowledged_ = *left;
    return absl::OkStatus();
  }

 private:
  static std::string Update(const std::string& id) {
    return absl::StrCat(R"({"Update":{"TableName":")", kTable, R"(","Key":)",
                        KeyOf(id), R"(,"UpdateExpression":"ADD n :one",)",
                        R"("ExpressionAttributeValues":{":one":{"N":"1"}}}})");
  }

  const std::string left_;
  const std::string right_;
  int acknowledged_ = 0;
};

// The ids of all items that have a group, by way of the table or the index.
absl::StatusOr<std::set<std::string>> GroupedIds(Client& client,
                                                 const std::string& index) {
  std::set<std::string> ids;
  std::string start;
  for (;;) {
    absl::StatusOr<Json::Value> page = client.Call(
        DynamoDbTarget("Scan"),
        absl::StrCat(R"({"TableName":")", kTable, "\"", index, start,
                     R"json(,"FilterExpression":"attribute_exists(#g)",)json",
                     R"("ProjectionExpression":"id",)",
                     R"("ExpressionAttributeNames":{"#g":"group"}})"));
    if (!page.ok()) return page.status();
    for (const Json::Value& item : (*page)["Items"]) {
      ids.insert(item["id"]["S"].asString());
    }
    if (!page->isMember("LastEvaluatedKey")) return ids;
    start = absl::StrCat(R"(,"ExclusiveStartKey":)",
                         (*page)["LastEvaluatedKey"].toStyledString());
  }
}

}  // namespace

std::unique_ptr<Writer> MakePutter(int number) {
  return std::make_unique<Putter>(number);
}

std::unique_ptr<Writer> MakeCounter(int number) {
  return std::make_unique<Counter>(number);
}

std::unique_ptr<Writer> MakeTransactor(int number) {
  return std::make_unique<Transactor>(number);
}

absl::Status CheckIndex(Client& client) {
  absl::StatusOr<std::set<std::string>> table = GroupedIds(client, "");
  if (!table.ok()) return table.status();
  absl::StatusOr<std::set<std::string>> index =
      GroupedIds(client, absl::StrCat(R"(,"IndexName":")", kIndex, "\""));
  if (!index.ok()) return index.status();
  if (*table == *index) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("the table has ", table->size(),
                                          " items with a group, its index ",
                                          index->size()));
}

}  // namespace byoshin::crash
