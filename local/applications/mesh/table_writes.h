// DynamoDB, watched for what is written to tables.
//
//   TableWriteObserver observer(dynamodb, [](const TableWrite& write) {
//     if (write.kind == TableWrite::Kind::kPut) Note(write.item);
//   });
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_TABLE_WRITES_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_TABLE_WRITES_H_

#include <json/json.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

struct TableWrite {
  enum class Kind { kPut, kUpdate, kDelete };
  Kind kind = Kind::kPut;
  // A name or an ARN.
  std::string table{};
  // In DynamoDB's JSON: the whole item of a put, the key of others.
  Json::Value item{};
};

// What the call writes; nothing if it only reads, or is malformed.
std::vector<TableWrite> WritesOf(const Call& call);

// Thread-safe.
class TableWriteObserver final : public ForwardingService {
 public:
  // Called after a successful call, before the caller gets its answer.
  using OnWrite = std::function<void(const TableWrite& write)>;

  TableWriteObserver(Service& dynamodb, OnWrite on_write)
      : ForwardingService(dynamodb), on_write_(std::move(on_write)) {}

  void Handle(Call call, AnswerFunction answer) override;

 private:
  const OnWrite on_write_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_TABLE_WRITES_H_
