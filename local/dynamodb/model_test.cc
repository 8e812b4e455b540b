// Random requests against the service and against a std::map that does the
// same: after each sequence, the table, its indexes and its counters say what
// the map says.
#include <json/json.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int kIds = 3;
constexpr int kTimes = 4;
constexpr int kValues = 3;

// Hash key id (S), range key at (N). The local index is on l (N) and has keys
// only; the global one on g (S) and v (N) has all.
constexpr absl::string_view kCreateTable = R"({"TableName":"model",
  "BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
    {"AttributeName":"id","AttributeType":"S"},
    {"AttributeName":"at","AttributeType":"N"},
    {"AttributeName":"l","AttributeType":"N"},
    {"AttributeName":"g","AttributeType":"S"},
    {"AttributeName":"v","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"id","KeyType":"HASH"},
               {"AttributeName":"at","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"local",
    "KeySchema":[{"AttributeName":"id","KeyType":"HASH"},
                 {"AttributeName":"l","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"KEYS_ONLY"}}],
  "GlobalSecondaryIndexes":[{"IndexName":"global",
    "KeySchema":[{"AttributeName":"g","KeyType":"HASH"},
                 {"AttributeName":"v","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}]})";

using Key = std::pair<std::string, int>;

struct Record {
  std::optional<std::string> g{};
  std::optional<int> l{};
  std::optional<int> v{};
};

using Model = std::map<Key, Record>;

std::string NumberJson(int value) {
  return absl::StrCat("{\"N\":\"", value, "\"}");
}
std::string Text(absl::string_view value) {
  return absl::StrCat("{\"S\":\"", value, "\"}");
}

std::string KeyJson(const Key& key) {
  return absl::StrCat("{\"at\":", NumberJson(key.second),
                      ",\"id\":", Text(key.first), "}");
}

// With the names in order, as the service and json::WriteValue write them.
std::string ItemJson(const Key& key, const Record& record) {
  std::string json = absl::StrCat("{\"at\":", NumberJson(key.second));
  if (record.g) absl::StrAppend(&json, ",\"g\":", Text(*record.g));
  absl::StrAppend(&json, ",\"id\":", Text(key.first));
  if (record.l) absl::StrAppend(&json, ",\"l\":", NumberJson(*record.l));
  if (record.v) absl::StrAppend(&json, ",\"v\":", NumberJson(*record.v));
  return json + "}";
}

// One change, as the members of a request and as a change of the model.
struct Write {
  enum class Kind { kPut, kUpdate, kDelete };
  enum class Condition { kNone, kExists, kNotExists };

  static constexpr int kRemoval = 3;

  Kind kind = Kind::kPut;
  Condition condition = Condition::kNone;
  Key key{};
  Record record{};  // to put
  int update = 0;   // which of the updates below; the last only removes
  int operand = 0;

  std::string Members() const {
    std::string members = R"("TableName":"model")";
    if (kind == Kind::kPut) {
      absl::StrAppend(&members, ",\"Item\":", ItemJson(key, record));
    } else {
      absl::StrAppend(&members, ",\"Key\":", KeyJson(key));
    }
    if (kind == Kind::kUpdate) absl::StrAppend(&members, ",", UpdateMembers());
    if (condition == Condition::kExists) {
      members += R"x(,"ConditionExpression":"attribute_exists(id)")x";
    } else if (condition == Condition::kNotExists) {
      members += R"x(,"ConditionExpression":"attribute_not_exists(id)")x";
    }
    return members;
  }

  std::string UpdateMembers() const {
    const std::string number = absl::StrCat(
        R"(","ExpressionAttributeValues":{":x":)", NumberJson(operand), "}");
    switch (update) {
      case 0:
        return absl::StrCat(R"("UpdateExpression":"ADD v :x)", number);
      case 1:
        return absl::StrCat(R"("UpdateExpression":"SET l = :x REMOVE g)",
                            number);
      case 2:
        return absl::StrCat(R"("UpdateExpression":"SET g = :x)",
                            R"(","ExpressionAttributeValues":{":x":)",
                            Text(absl::StrCat("g", operand)), "}");
      default:
        return R"("UpdateExpression":"REMOVE l, v")";
    }
  }

  bool Holds(const Model& model) const {
    const bool exists = model.count(key) > 0;
    return condition == Condition::kNone ||
           exists == (condition == Condition::kExists);
  }

  void Apply(Model& model) const {
    if (kind == Kind::kDelete) {
      model.erase(key);
      return;
    }
    // One that only takes away makes no item.
    if (kind == Kind::kUpdate && update == kRemoval && model.count(key) == 0) {
      return;
    }
    Record& target = model[key];
    if (kind == Kind::kPut) {
      target = record;
    } else if (update == 0) {
      target.v = target.v.value_or(0) + operand;
    } else if (update == 1) {
      target.l = operand;
      target.g.reset();
    } else if (update == 2) {
      target.g = absl::StrCat("g", operand);
    } else {
      target.l.reset();
      target.v.reset();
    }
  }
};

int Below(int end) { return *rc::gen::inRange(0, end); }

std::optional<int> MaybeNumber() {
  const int value = Below(kValues + 1);
  return value == 0 ? std::nullopt : std::optional<int>(value - 2);
}

Write AnyWrite() {
  Write write;
  write.kind = static_cast<Write::Kind>(Below(3));
  write.condition = static_cast<Write::Condition>(Below(3));
  write.key = {absl::StrCat("id", Below(kIds)), Below(kTimes)};
  if (Below(2) == 1) write.record.g = absl::StrCat("g", Below(kValues));
  write.record.l = MaybeNumber();
  write.record.v = MaybeNumber();
  write.update = Below(Write::kRemoval + 1);
  write.operand = Below(kValues);
  return write;
}

constexpr const char* kOperation[] = {"PutItem", "UpdateItem", "DeleteItem"};
constexpr const char* kAction[] = {"Put", "Update", "Delete"};

void RunSingle(TestService& service, Model& model) {
  const Write write = AnyWrite();
  const bool done = service.client()
                        .Execute(kOperation[static_cast<int>(write.kind)],
                                 absl::StrCat("{", write.Members(), "}"))
                        .ok();
  RC_ASSERT(done == write.Holds(model));
  if (done) write.Apply(model);
}

void RunTransaction(TestService& service, Model& model) {
  std::vector<Write> writes;
  std::set<Key> keys;
  bool expected = true;
  std::string items;
  for (int i = Below(3); i >= 0; --i) {
    writes.push_back(AnyWrite());
    const Write& write = writes.back();
    expected = expected && keys.insert(write.key).second && write.Holds(model);
    absl::StrAppend(&items, items.empty() ? "" : ",", "{\"",
                    kAction[static_cast<int>(write.kind)], "\":{",
                    write.Members(), "}}");
  }
  const bool done =
      service.client()
          .Execute("TransactWriteItems",
                   absl::StrCat("{\"TransactItems\":[", items, "]}"))
          .ok();
  RC_ASSERT(done == expected);
  if (!done) return;
  for (const Write& write : writes) write.Apply(model);
}

void RunBatch(TestService& service, Model& model) {
  const Write put = AnyWrite();
  const Write deleted = AnyWrite();
  const std::string request = absl::StrCat(
      R"({"RequestItems":{"model":[{"PutRequest":{"Item":)",
      ItemJson(put.key, put.record), R"(}},{"DeleteRequest":{"Key":)",
      KeyJson(deleted.key), "}}]}}");
  const bool done = service.client().Execute("BatchWriteItem", request).ok();
  RC_ASSERT(done == (put.key != deleted.key));
  if (!done) return;
  model[put.key] = put.record;
  model.erase(deleted.key);
}

// All pages of a Query or Scan, `limit` items each.
std::vector<std::string> ReadAll(TestService& service, const char* operation,
                                 const std::string& members) {
  std::vector<std::string> items;
  std::string start;
  const int limit = 1 + Below(4);
  while (true) {
    const absl::StatusOr<std::string> answer = service.client().Execute(
        operation, absl::StrCat(R"({"TableName":"model","Limit":)", limit,
                                members, start, "}"));
    RC_ASSERT(answer.ok());
    const Json::Value json = *json::ParseValue(*answer);
    for (const Json::Value& item : json["Items"]) {
      items.push_back(json::WriteValue(item));
    }
    if (json["LastEvaluatedKey"].isNull()) return items;
    start = absl::StrCat(",\"ExclusiveStartKey\":",
                         json::WriteValue(json["LastEvaluatedKey"]));
  }
}

std::vector<std::string> Query(TestService& service, const std::string& index,
                               const std::string& name,
                               const std::string& value) {
  return ReadAll(
      service, "Query",
      absl::StrCat(index.empty() ? "" : ",\"IndexName\":\"" + index + "\"",
                   R"(,"KeyConditionExpression":")", name,
                   R"( = :h","ExpressionAttributeValues":{":h":)", Text(value),
                   "}"));
}

std::vector<std::string> Sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

void CheckTable(TestService& service, const Model& model) {
  std::vector<std::string> all;
  std::map<std::string, std::vector<std::string>> partitions;
  for (const auto& [key, record] : model) {
    all.push_back(ItemJson(key, record));
    partitions[key.first].push_back(all.back());  // in order
  }
  RC_ASSERT(Sorted(ReadAll(service, "Scan", "")) == Sorted(all));
  std::vector<std::string> segments;
  for (const char* segment : {",\"TotalSegments\":2,\"Segment\":0",
                              ",\"TotalSegments\":2,\"Segment\":1"}) {
    for (std::string& item : ReadAll(service, "Scan", segment)) {
      segments.push_back(std::move(item));
    }
  }
  RC_ASSERT(Sorted(segments) == Sorted(all));
  for (int id = 0; id < kIds; ++id) {
    const std::string name = absl::StrCat("id", id);
    RC_ASSERT(Query(service, "", "id", name) == partitions[name]);
  }
}

void CheckIndexes(TestService& service, const Model& model) {
  std::map<std::string, std::vector<std::string>> local, global;
  for (const auto& [key, record] : model) {
    if (record.l) {
      local[key.first].push_back(ItemJson(key, {.l = record.l}));
    }
    if (record.g && record.v) {
      global[*record.g].push_back(ItemJson(key, record));
    }
  }
  for (int i = 0; i < kIds; ++i) {
    const std::string id = absl::StrCat("id", i);
    RC_ASSERT(Sorted(Query(service, "local", "id", id)) == Sorted(local[id]));
  }
  for (int i = 0; i < kValues; ++i) {
    const std::string g = absl::StrCat("g", i);
    RC_ASSERT(Sorted(Query(service, "global", "g", g)) == Sorted(global[g]));
  }
}

void CheckCounters(TestService& service, const Model& model) {
  int in_local = 0, in_global = 0;
  for (const auto& [key, record] : model) {
    in_local += record.l ? 1 : 0;
    in_global += record.g && record.v ? 1 : 0;
  }
  const Json::Value json = *json::ParseValue(
      *service.client().Execute("DescribeTable", R"({"TableName":"model"})"));
  const Json::Value& table = json["Table"];
  RC_ASSERT(table["ItemCount"].asInt() == static_cast<int>(model.size()));
  RC_ASSERT((table["TableSizeBytes"].asInt() > 0) == !model.empty());
  RC_ASSERT(table["LocalSecondaryIndexes"][0]["ItemCount"].asInt() == in_local);
  RC_ASSERT(table["GlobalSecondaryIndexes"][0]["ItemCount"].asInt() ==
            in_global);
  RC_ASSERT((table["GlobalSecondaryIndexes"][0]["IndexSizeBytes"].asInt() >
             0) == (in_global > 0));
}

RC_GTEST_PROP(ModelTest, SaysWhatAMapSays, ()) {
  TestService service;
  RC_ASSERT(service.client().CreateTable(kCreateTable).ok());
  Model model;
  for (int steps = 1 + Below(25); steps > 0; --steps) {
    switch (Below(6)) {
      case 0:
        RunTransaction(service, model);
        break;
      case 1:
        RunBatch(service, model);
        break;
      default:
        RunSingle(service, model);
    }
  }
  if (Below(2) == 1) service.Reopen();
  CheckTable(service, model);
  CheckIndexes(service, model);
  CheckCounters(service, model);
}

}  // namespace
}  // namespace byoshin::local::dynamodb
