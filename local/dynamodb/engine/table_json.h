// Tables as JSON: for DescribeTable and for the store.
//
//   std::string answer = R"({"Table":)";
//   AppendDescription(table, DescriptionOf::kExisting, database.Now(), answer);
//   answer += "}";
//
//   store.Put(key, TableToJson(table));
//   absl::StatusOr<Table> table = TableFromJson(text);  // DataLoss if damaged
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_TABLE_JSON_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_TABLE_JSON_H_

#include <json/forwards.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/table.h"

namespace byoshin::local::dynamodb {

// AWS leaves out some members of a table that was just created or deleted.
enum class DescriptionOf { kCreated, kExisting, kDeleted };

// The TableDescription.
void AppendDescription(const Table& table, DescriptionOf state, absl::Time now,
                       std::string& out);

// Seconds since 1970, as AWS writes times.
void AppendTime(absl::Time time, std::string& out);

// Without counters, which change too often.
std::string TableToJson(const Table& table);
absl::StatusOr<Table> TableFromJson(absl::string_view text);

// These read the parameters of CreateTable and UpdateTable, which must have
// been checked (see CheckTypes, CheckTableDefinition). They read only members
// in the shapes of these requests: others may be of any type.
std::vector<KeyAttribute> ReadAttributeDefinitions(const Json::Value& json);
KeySchema ReadKeySchema(const Json::Value& json,
                        const std::vector<KeyAttribute>& attributes);
Index ReadIndex(const Json::Value& json, IndexKind kind,
                const std::vector<KeyAttribute>& attributes);
// AttributeDefinitions, KeySchema, indexes, billing and settings.
void ReadDefinition(const Json::Value& json, Table& table);
OnDemandThroughput ReadOnDemandThroughput(const Json::Value& json);
WarmThroughput ReadWarmThroughput(const Json::Value& json);
Encryption ReadEncryption(const Json::Value& json);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_TABLE_JSON_H_
