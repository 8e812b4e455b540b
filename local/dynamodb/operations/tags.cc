// TagResource, UntagResource and ListTagsOfResource
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UntagResource.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html
#include <json/json.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/table_definition.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"
#include "local/gateway/constraints.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& TagShape() {
  static const auto* shape = new Shape(Struct(
      "TagResourceInput", {{"ResourceArn", String()}, {"Tags", TagsShape()}}));
  return *shape;
}

const Shape& UntagShape() {
  static const auto* shape = new Shape(
      Struct("UntagResourceInput",
             {{"ResourceArn", String()}, {"TagKeys", List(TagKeyShape())}}));
  return *shape;
}

const Shape& ListShape() {
  static const auto* shape =
      new Shape(Struct("ListTagsOfResourceInput",
                       {{"ResourceArn", String()}, {"NextToken", String()}}));
  return *shape;
}

// arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
bool IsTableArn(absl::string_view arn) {
  const std::vector<absl::string_view> parts = absl::StrSplit(arn, ':');
  return parts.size() == 6 && absl::StartsWith(arn, "arn:aws:dynamodb:") &&
         absl::StartsWith(parts[5], "table/") && parts[5].size() >= 9 &&
         !absl::StrContains(parts[5].substr(6), "/");
}

// Whether it names something of another account. AWS answers such a request
// before it looks at the rest of it.
bool IsOfAnotherAccount(absl::string_view arn) {
  const std::vector<absl::string_view> parts = absl::StrSplit(arn, ':');
  return parts.size() == 6 && parts[4] != kLocalAccountId;
}

// `list` must be present and have elements, or the error is `empty_message`.
absl::Status CheckRequest(const Json::Value& json, absl::string_view operation,
                          const char* list, absl::string_view empty_message) {
  if (!Has(json, "ResourceArn")) return ValidationError("Invalid TableArn");
  const std::string arn = json["ResourceArn"].asString();
  if (IsOfAnotherAccount(arn)) {
    return ServiceError({.code = "AccessDeniedException",
                         .message = absl::StrCat(
                             "User: arn:aws:iam::", kLocalAccountId,
                             ":root is not authorized to perform: dynamodb:",
                             operation, " on resource: ", arn)});
  }
  if (list != nullptr && !Has(json, list)) {
    ConstraintErrors errors;
    errors.Add(MemberPath("", list), Json::Value(), kMustNotBeNull);
    return ValidationError(errors.Message());
  }
  if (!IsTableArn(arn)) {
    return ValidationError(absl::StrCat(
        "Invalid TableArn: Invalid ResourceArn provided as input ", arn));
  }
  if (list != nullptr && json[list].empty()) {
    return ValidationError(empty_message);
  }
  return absl::OkStatus();
}

absl::StatusOr<Table*> FindTable(Database& database, const std::string& region,
                                 const std::string& arn) {
  Table* table = database.FindTable(region, arn);
  if (table != nullptr) return table;
  return ServiceError(
      {.code = "ResourceNotFoundException",
       .message = absl::StrCat(
           "Requested resource not found: ResourcArn: ", arn, " not found")});
}

// Changes the tags of a table. An error if there would be too many.
absl::StatusOr<std::string> ChangeTags(
    Database& database, const std::string& region, const std::string& arn,
    absl::FunctionRef<void(std::map<std::string, std::string>&)> change) {
  absl::StatusOr<Table*> table = FindTable(database, region, arn);
  if (!table.ok()) return table.status();
  std::map<std::string, std::string> tags = (*table)->tags;
  change(tags);
  absl::Status status = CheckTagCount(tags.size());
  if (!status.ok()) return status;
  (*table)->tags = std::move(tags);
  database.SaveTable(**table);
  return std::string();
}

// All tags at once: AWS has no second page.
absl::StatusOr<std::string> RunList(Database& database,
                                    const std::string& region,
                                    const std::string& arn) {
  absl::StatusOr<Table*> table = FindTable(database, region, arn);
  if (!table.ok()) return table.status();
  std::string list;
  for (const auto& [key, value] : (*table)->tags) {
    list += "{\"Key\":";
    json::AppendQuoted(key, list);
    list += ",\"Value\":";
    json::AppendQuoted(value, list);
    list += "},";
  }
  if (!list.empty()) list.pop_back();
  return absl::StrCat("{\"Tags\":[", list, "]}");
}

absl::StatusOr<Work> PrepareTag(const Json::Value& json,
                                const RequestContext& context) {
  absl::Status status =
      CheckRequest(json, "TagResource", "Tags",
                   "Atleast one Tag needs to be provided as Input.");
  if (status.ok()) status = CheckTags(json["Tags"]);
  if (!status.ok()) return status;
  std::map<std::string, std::string> added;
  for (const Json::Value& tag : json["Tags"]) {
    added[tag["Key"].asString()] = tag["Value"].asString();
  }
  return [region = context.region, arn = json["ResourceArn"].asString(),
          added](Database& database) {
    return ChangeTags(database, region, arn,
                      [&](std::map<std::string, std::string>& tags) {
                        for (const auto& [key, value] : added) {
                          tags[key] = value;
                        }
                      });
  };
}

absl::StatusOr<Work> PrepareUntag(const Json::Value& json,
                                  const RequestContext& context) {
  absl::Status status =
      CheckRequest(json, "UntagResource", "TagKeys",
                   "Atleast one Tag Key needs to be provided as Input.");
  if (!status.ok()) return status;
  std::vector<std::string> keys;
  for (const Json::Value& key : json["TagKeys"]) {
    keys.push_back(key.asString());
  }
  return [region = context.region, arn = json["ResourceArn"].asString(),
          keys](Database& database) {
    return ChangeTags(database, region, arn,
                      [&](std::map<std::string, std::string>& tags) {
                        for (const std::string& key : keys) tags.erase(key);
                      });
  };
}

absl::StatusOr<Work> PrepareList(const Json::Value& json,
                                 const RequestContext& context) {
  absl::Status status = CheckRequest(json, "ListTagsOfResource", nullptr, "");
  if (!status.ok()) return status;
  return [region = context.region, arn = json["ResourceArn"].asString()](
             Database& database) { return RunList(database, region, arn); };
}

}  // namespace

const Operation kTagResource = {"TagResource", TagShape, PrepareTag};
const Operation kUntagResource = {"UntagResource", UntagShape, PrepareUntag};
const Operation kListTagsOfResource = {"ListTagsOfResource", ListShape,
                                       PrepareList};

}  // namespace byoshin::local::dynamodb
