// A resource of RDS as it is stored: a cluster, an instance, a group.
#ifndef BYOSHIN_LOCAL_RDS_RECORD_H_
#define BYOSHIN_LOCAL_RDS_RECORD_H_

#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::rds {

// The values are in ARNs and in keys of the store.
inline constexpr char kClusterKind[] = "cluster";
inline constexpr char kInstanceKind[] = "db";
inline constexpr char kSubnetGroupKind[] = "subgrp";
inline constexpr char kClusterParameterGroupKind[] = "cluster-pg";

struct Record {
  std::string kind{};
  // In lower case, as RDS keeps it.
  std::string identifier{};
  std::string arn{};
  // "cluster-ABC…" or "db-ABC…"; empty for groups.
  std::string resource_id{};
  absl::Time created{};
  // As a template has them, without the password of the master user.
  Json::Value properties{Json::objectValue};
  // Of clusters: the ARN of the secret with the master user's password, if RDS
  // manages it, and whether StopDBCluster has stopped it.
  std::string secret_arn{};
  bool stopped = false;

  // A property, or else `otherwise`.
  std::string Text(absl::string_view path,
                   absl::string_view otherwise = "") const;
  bool Flag(absl::string_view path) const;

  // Of clusters.
  std::string database() const { return Text("DatabaseName", "postgres"); }
  std::string master_user() const { return Text("MasterUsername"); }
  // As DescribeDBClusters reports it.
  std::string status() const { return stopped ? "stopped" : "available"; }
};

std::string WriteRecord(const Record& record);
// DataLoss if the text is not a record.
absl::StatusOr<Record> ReadRecord(absl::string_view text);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_RECORD_H_
