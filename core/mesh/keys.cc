#include "core/mesh/keys.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/aws/dynamodb/client.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {
namespace {

using aws::dynamodb::Item;

Item ItemKey(std::string partition, std::string sort) {
  return {{kPartitionKey, std::move(partition)}, {kSortKey, std::move(sort)}};
}

std::string DomainPartition(absl::string_view domain) {
  return absl::StrCat(kDomainPrefix, domain);
}

}  // namespace

Item GroupItemKey(const GroupKey& key) {
  return ItemKey(DomainPartition(key.domain),
                 absl::StrCat(kGroupPrefix, key.group_id, kGroupSuffix));
}

Item ClaimItemKey(absl::string_view host_id, absl::string_view domain) {
  return ItemKey(DomainPartition(domain), absl::StrCat(kHostPrefix, host_id));
}

Item NodeItemKey(const GroupKey& key, absl::string_view node_id) {
  return ItemKey(GroupPartition(key), absl::StrCat(kNodePrefix, node_id));
}

Item GroupStatusItemKey(const GroupKey& key, absl::string_view node_id) {
  return ItemKey(GroupPartition(key), absl::StrCat(kStatusPrefix, node_id));
}

Item LatestStatusItemKey(absl::string_view node_id) {
  return ItemKey(absl::StrCat(kNodePrefix, node_id), kLatestStatus);
}

std::string GroupPartition(const GroupKey& key) {
  return absl::StrCat(kGroupPrefix, key.FullId());
}

Item ToItem(const Group& group) {
  Item item = GroupItemKey(group.key);
  item[kIndexPartitionKey] = DomainPartition(group.key.domain);
  item[kIndexSortKey] = absl::StrCat(kGroupPrefix, group.created_at);
  item[kGroupIdAttribute] = group.key.group_id;
  item[kDomainAttribute] = group.key.domain;
  item[kNameAttribute] = group.name;
  item[kHostIdAttribute] = group.host_id;
  item[kCreatedAtAttribute] = group.created_at;
  item[kExpiresAtAttribute] = group.expires_at;
  item[kTtlAttribute] = group.ttl;
  return item;
}

std::optional<Group> GroupOf(const Item& item) {
  const std::optional<std::string> id = TextOf(item, kGroupIdAttribute);
  const std::optional<std::string> domain = TextOf(item, kDomainAttribute);
  const std::optional<std::string> name = TextOf(item, kNameAttribute);
  const std::optional<std::string> host = TextOf(item, kHostIdAttribute);
  const std::optional<std::string> created = TextOf(item, kCreatedAtAttribute);
  const std::optional<int64_t> expires = NumberOf(item, kExpiresAtAttribute);
  const std::optional<int64_t> ttl = NumberOf(item, kTtlAttribute);
  if (!id || !domain || !name || !host || !created || !expires || !ttl) {
    return std::nullopt;
  }
  return Group{.key = {.group_id = *id, .domain = *domain},
               .name = *name,
               .host_id = *host,
               .created_at = *created,
               .expires_at = *expires,
               .ttl = *ttl};
}

Item ClaimItem(const Group& group) {
  Item item = ClaimItemKey(group.host_id, group.key.domain);
  item[kGroupIdAttribute] = group.key.group_id;
  item[kDomainAttribute] = group.key.domain;
  item[kHostIdAttribute] = group.host_id;
  // Not that of the group, which every heartbeat changes.
  item[kTtlAttribute] = group.expires_at;
  return item;
}

Item EventItemKey(const EventOfBatch& event) {
  return ItemKey(GroupPartition(event.batch.group),
                 absl::StrCat(kEventPrefix, event.event.timestamp,
                              kEventSeparator, event.event.id));
}

Item EventItem(const Group& group, const EventOfBatch& event) {
  Item item = EventItemKey(event);
  item[kEventNameAttribute] = event.event.name;
  item[kFiredByAttribute] = event.batch.fired_by_node_id;
  item[kGroupIdAttribute] = group.key.group_id;
  item[kDomainAttribute] = group.key.domain;
  if (event.event.payload.has_value()) {
    item[kPayloadAttribute] = *event.event.payload;
  }
  item[kTimestampAttribute] = event.event.timestamp;
  item[kTtlAttribute] = group.expires_at;
  return item;
}

std::optional<std::string> TextOf(const Item& item, absl::string_view name) {
  const auto found = item.find(std::string(name));
  if (found == item.end()) return std::nullopt;
  const auto* text = std::get_if<std::string>(&found->second);
  return text == nullptr ? std::nullopt : std::optional<std::string>(*text);
}

std::optional<int64_t> NumberOf(const Item& item, absl::string_view name) {
  const auto found = item.find(std::string(name));
  if (found == item.end()) return std::nullopt;
  const auto* number = std::get_if<int64_t>(&found->second);
  return number == nullptr ? std::nullopt : std::optional<int64_t>(*number);
}

}  // namespace byoshin::mesh
