// Activities, and the tags of activities and state machines.

#include <json/json.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/operations.h"

namespace byoshin::local::stepfunctions {
namespace {

Json::Value ActivityJson(const kept::Activity& activity) {
  Json::Value value(Json::objectValue);
  value["activityArn"] = activity.arn();
  value["creationDate"] = TimeJson(activity.created_us());
  return value;
}

using Tags = std::map<std::string, std::string>;

template <typename Message>
Tags TagsOf(const Message& message) {
  return Tags(message.tags().begin(), message.tags().end());
}

template <typename Message>
void SetTags(const Tags& tags, Message& message) {
  message.mutable_tags()->clear();
  message.mutable_tags()->insert(tags.begin(), tags.end());
}

absl::Status NoTaggedResource(const std::string& arn) {
  return ApiError("ResourceNotFound",
                  absl::StrCat("Resource not found: '", arn, "'"));
}

absl::StatusOr<Tags> FindTags(const Catalog& catalog, const std::string& arn) {
  if (const kept::Machine* machine = catalog.FindMachine(arn)) {
    return TagsOf(*machine);
  }
  if (const kept::Activity* activity = catalog.FindActivity(arn)) {
    return TagsOf(*activity);
  }
  if (!absl::StartsWith(arn, "arn:")) {
    return InvalidArnError(absl::StrCat("Invalid ARN prefix: ", arn));
  }
  return NoTaggedResource(arn);
}

absl::Status PutTags(Catalog& catalog, const std::string& arn,
                     const Tags& tags) {
  if (tags.size() > kMaxTags) {
    return ApiError("TooManyTags",
                    "You've exceeded the number of tags allowed "
                    "for a resource.");
  }
  if (const kept::Machine* machine = catalog.FindMachine(arn)) {
    kept::Machine tagged = *machine;
    SetTags(tags, tagged);
    catalog.PutMachine(std::move(tagged));
  } else if (const kept::Activity* activity = catalog.FindActivity(arn)) {
    kept::Activity tagged = *activity;
    SetTags(tags, tagged);
    catalog.PutActivity(std::move(tagged));
  }
  return absl::OkStatus();
}

}  // namespace

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateActivity.html
absl::StatusOr<Json::Value> CreateActivity(OperationContext& context,
                                           JsonFields& fields) {
  kept::Activity activity;
  activity.set_name(fields.Text("name"));
  if (absl::Status good = CheckName(activity.name()); !good.ok()) return good;
  const absl::StatusOr<Tags> tags = ReadTags(fields);
  if (!tags.ok()) return tags.status();
  SetTags(*tags, activity);
  absl::StatusOr<std::string> encryption = ReadEncryption(fields);
  if (!encryption.ok()) return encryption.status();
  activity.set_encryption(*std::move(encryption));
  activity.set_arn(
      StatesArn(PlaceOf(context.call), kActivityResource, activity.name()));
  if (const kept::Activity* existing =
          context.catalog.FindActivity(activity.arn())) {
    if (existing->encryption() == activity.encryption()) {
      return ActivityJson(*existing);
    }
    return ApiError("ActivityAlreadyExists", "Activity already exists.");
  }
  if (context.catalog.activities().size() >= kMaxActivities) {
    return ApiError("ActivityLimitExceeded",
                    "The maximum number of activities has been reached.");
  }
  activity.set_created_us(absl::ToUnixMicros(context.now));
  Json::Value answer = ActivityJson(activity);
  context.catalog.PutActivity(std::move(activity));
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteActivity.html
absl::StatusOr<Json::Value> DeleteActivity(OperationContext& context,
                                           JsonFields& fields) {
  const std::string arn = fields.Text("activityArn");
  if (absl::Status good = CheckActivityArn(arn); !good.ok()) return good;
  context.catalog.RemoveActivity(arn);
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeActivity.html
absl::StatusOr<Json::Value> DescribeActivity(OperationContext& context,
                                             JsonFields& fields) {
  const std::string arn = fields.Text("activityArn");
  if (absl::Status good = CheckActivityArn(arn); !good.ok()) return good;
  const kept::Activity* activity = context.catalog.FindActivity(arn);
  if (activity == nullptr) return ActivityNotFoundError(arn);
  Json::Value answer = ActivityJson(*activity);
  answer["name"] = activity->name();
  AddEncryption(activity->encryption(), answer);
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListActivities.html
absl::StatusOr<Json::Value> ListActivities(OperationContext& context,
                                           JsonFields& fields) {
  const PageFields page = ReadPage(fields);
  const std::string prefix =
      StatesArn(PlaceOf(context.call), kActivityResource, "");
  const auto& activities = context.catalog.activities();
  std::vector<std::string> keys;
  for (auto it = activities.lower_bound(prefix);
       it != activities.end() && absl::StartsWith(it->first, prefix); ++it) {
    keys.push_back(it->first);
  }
  return PageAnswer("activities", keys, KeyOrder::kAscending, page,
                    [&](std::size_t i) {
                      const kept::Activity& activity = activities.at(keys[i]);
                      Json::Value entry = ActivityJson(activity);
                      entry["name"] = activity.name();
                      return entry;
                    });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListTagsForResource.html
absl::StatusOr<Json::Value> ListTagsForResource(OperationContext& context,
                                                JsonFields& fields) {
  const std::string arn = fields.Text("resourceArn");
  const absl::StatusOr<Tags> tags = FindTags(context.catalog, arn);
  if (!tags.ok()) return tags.status();
  Json::Value answer(Json::objectValue);
  answer["tags"] = Json::arrayValue;
  for (const auto& [key, value] : *tags) {
    Json::Value tag(Json::objectValue);
    tag["key"] = key;
    tag["value"] = value;
    answer["tags"].append(std::move(tag));
  }
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_TagResource.html
absl::StatusOr<Json::Value> TagResource(OperationContext& context,
                                        JsonFields& fields) {
  const std::string arn = fields.Text("resourceArn");
  const absl::StatusOr<Tags> added = ReadTags(fields);
  if (!added.ok()) return added.status();
  absl::StatusOr<Tags> tags = FindTags(context.catalog, arn);
  if (!tags.ok()) return tags.status();
  for (const auto& [key, value] : *added) tags->insert_or_assign(key, value);
  if (absl::Status put = PutTags(context.catalog, arn, *tags); !put.ok()) {
    return put;
  }
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_UntagResource.html
absl::StatusOr<Json::Value> UntagResource(OperationContext& context,
                                          JsonFields& fields) {
  const std::string arn = fields.Text("resourceArn");
  absl::StatusOr<Tags> tags = FindTags(context.catalog, arn);
  if (!tags.ok()) return tags.status();
  for (const std::string& key : fields.Texts("tagKeys")) tags->erase(key);
  if (absl::Status put = PutTags(context.catalog, arn, *tags); !put.ok()) {
    return put;
  }
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::stepfunctions
