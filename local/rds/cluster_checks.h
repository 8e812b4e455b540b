// What RDS accepts of a cluster's properties, in its words.
#ifndef BYOSHIN_LOCAL_RDS_CLUSTER_CHECKS_H_
#define BYOSHIN_LOCAL_RDS_CLUSTER_CHECKS_H_

#include <json/json.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rds {

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBCluster.html
inline constexpr int kMinBackupDays = 1;
inline constexpr int kMaxBackupDays = 35;
// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_ServerlessV2ScalingConfiguration.html
inline constexpr double kMinCapacity = 0;
inline constexpr double kMinMaxCapacity = 1;
inline constexpr double kMaxCapacity = 256;
inline constexpr double kCapacityStep = 0.5;

inline constexpr char kAuroraPostgres[] = "aurora-postgresql";
// If the template names none.
inline constexpr char kDefaultEngineVersion[] = "17.4";

// `parameter` names it in the error.
absl::Status CheckIdentifier(absl::string_view parameter,
                             absl::string_view identifier);

// The engine is one that the local cloud has.
absl::Status CheckEngine(absl::string_view engine);

// Whether the master user has a password already.
enum class MasterPassword { kNeeded, kSet };

// All properties of a cluster, as a template has them.
absl::Status CheckCluster(const Json::Value& properties,
                          MasterPassword password);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_CLUSTER_CHECKS_H_
