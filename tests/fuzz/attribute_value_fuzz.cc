// Tries DynamoDB items on any JSON, and any bytes as an item of the store.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

std::string ToJson(const Item& item) {
  std::string json;
  AppendJson(item, json);
  return json;
}

void CheckItem(const Item& item) {
  const absl::StatusOr<Item> kept = DeserializeItem(Serialize(item));
  Require(kept.ok() && *kept == item, "an item can be kept");
  const absl::StatusOr<Json::Value> json = json::ParseValue(ToJson(item));
  Require(json.ok(), "an item is written as JSON");
  const absl::StatusOr<Item> read = ItemFromJson(*json);
  Require(read.ok() && *read == item, "an item can be read back");
  for (const Attribute& attribute : item) {
    Require(NestingLevels(attribute.value) <= kMaxNestingLevels,
            "nesting is limited");
    if (!IsKeyType(attribute.value.type())) continue;
    std::string key;
    AppendHashKey(attribute.value, key);
    Require(key.size() > sizeof(uint32_t), "a key has bytes");
  }
}

void CheckJson(absl::string_view text) {
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok()) return;
  const absl::StatusOr<Item> item = ItemFromJson(*json);
  if (item.ok()) return CheckItem(*item);
  Require(item.status().code() == absl::StatusCode::kInvalidArgument &&
              !ErrorMessageOf(item.status()).empty(),
          "the error is the caller's and says something");
}

void CheckBytes(absl::string_view bytes) {
  const absl::StatusOr<Item> item = DeserializeItem(bytes);
  if (item.ok()) {
    Require(Serialize(*item) == bytes, "an item has one form");
  } else {
    Require(item.status().code() == absl::StatusCode::kDataLoss,
            "damaged bytes are DataLoss");
  }
}

}  // namespace
}  // namespace byoshin::local::dynamodb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  byoshin::local::dynamodb::CheckJson(input);
  byoshin::local::dynamodb::CheckBytes(input);
  return 0;
}
