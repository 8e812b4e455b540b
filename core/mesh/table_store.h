// The store on DynamoDB: one table for everything; its keys are in constants.h.
//
//   aws::dynamodb::JsonClient client(...);
//   TableStore store({.table = client, .clock = clock, .table_name = "mesh"});
#ifndef BYOSHIN_CORE_MESH_TABLE_STORE_H_
#define BYOSHIN_CORE_MESH_TABLE_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/mesh/group.h"
#include "core/mesh/store.h"
#include "core/time/clock.h"

namespace byoshin::mesh {

// Not thread-safe. Its dependencies must outlive it.
class TableStore final : public Store {
 public:
  struct Dependencies {
    aws::dynamodb::TableClient& table;
    time::Clock& clock;
    std::string table_name{};
  };

  explicit TableStore(Dependencies dependencies);

  absl::StatusOr<std::optional<Group>> FindGroup(const GroupKey& key,
                                                 absl::Time deadline) override;
  absl::StatusOr<std::optional<std::string>> FindClaim(
      absl::string_view host_id, absl::string_view domain,
      absl::Time deadline) override;
  absl::Status AddGroup(const Group& group,
                        const std::optional<std::string>& claimed,
                        absl::Time deadline) override;
  absl::StatusOr<std::optional<int64_t>> FindNode(const GroupKey& key,
                                                  absl::string_view node_id,
                                                  absl::Time deadline) override;
  absl::Status RemoveNode(const GroupKey& key, absl::string_view node_id,
                          absl::Time deadline) override;
  absl::Status CloseGroup(const Group& group, int64_t ttl,
                          absl::Time deadline) override;
  absl::StatusOr<int64_t> RemoveGroup(const Group& group,
                                      absl::Time deadline) override;
  absl::Status AddEvents(const Group& group, const EventBatch& batch,
                         absl::Time deadline) override;
  absl::Status RemoveEvents(const EventBatch& batch,
                            absl::Time deadline) override;

 private:
  absl::StatusOr<std::optional<aws::dynamodb::Item>> Get(
      aws::dynamodb::Item key, absl::Time deadline);
  absl::Status Delete(aws::dynamodb::Item key, absl::Time deadline);
  // Deletes the item if it is of this group; no error if it is not.
  absl::Status DeleteIfOfGroup(aws::dynamodb::Item key, const GroupKey& group,
                               absl::Time deadline);
  // The page's items, and the latest statuses that some of them stand for.
  absl::Status RemovePage(const Group& group,
                          const aws::dynamodb::QueryPage& page,
                          absl::Time deadline);
  // Writes all of them, 25 at a time, in this order.
  absl::Status Write(aws::dynamodb::BatchWrites writes, absl::Time deadline);
  absl::Status WriteBatch(aws::dynamodb::BatchWrites batch,
                          absl::Time deadline);

  const Dependencies dependencies_;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_TABLE_STORE_H_
