// Items of the table: their keys, and groups as items. constants.h has the
// layout.
#ifndef BYOSHIN_CORE_MESH_KEYS_H_
#define BYOSHIN_CORE_MESH_KEYS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/aws/dynamodb/client.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {

aws::dynamodb::Item GroupItemKey(const GroupKey& key);
aws::dynamodb::Item ClaimItemKey(absl::string_view host_id,
                                 absl::string_view domain);
aws::dynamodb::Item NodeItemKey(const GroupKey& key, absl::string_view node_id);
aws::dynamodb::Item GroupStatusItemKey(const GroupKey& key,
                                       absl::string_view node_id);
aws::dynamodb::Item LatestStatusItemKey(absl::string_view node_id);

// The partition of a group's nodes, events and statuses.
std::string GroupPartition(const GroupKey& key);

aws::dynamodb::Item ToItem(const Group& group);
// nullopt if an attribute is missing.
std::optional<Group> GroupOf(const aws::dynamodb::Item& item);

aws::dynamodb::Item ClaimItem(const Group& group);

struct EventOfBatch {
  const EventBatch& batch;
  const Event& event;
};
aws::dynamodb::Item EventItemKey(const EventOfBatch& event);
aws::dynamodb::Item EventItem(const Group& group, const EventOfBatch& event);

// An attribute as text or number; nullopt if there is none of this type.
std::optional<std::string> TextOf(const aws::dynamodb::Item& item,
                                  absl::string_view name);
std::optional<int64_t> NumberOf(const aws::dynamodb::Item& item,
                                absl::string_view name);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_KEYS_H_
