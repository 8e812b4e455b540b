#include "local/rds/cluster_checks.h"

#include <json/json.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"
#include "local/postgres/server.h"
#include "local/rds/password.h"

namespace byoshin::local::rds {
namespace {

using cloudformation::BoolProperty;
using cloudformation::IntegerProperty;
using cloudformation::NumberProperty;
using cloudformation::PropertyAt;
using cloudformation::TextProperty;

constexpr std::size_t kMaxIdentifierLength = 63;
constexpr std::size_t kMaxNameLength = 63;
constexpr char kMultiAzPostgres[] = "postgres";
constexpr absl::string_view kReservedDatabases[] = {"rdsadmin", "template0",
                                                    "template1"};

bool IsName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxNameLength &&
         absl::ascii_isalpha(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return c == '_' ||
                  absl::ascii_isalnum(static_cast<unsigned char>(c));
         });
}

absl::Status CheckMasterUser(absl::string_view user) {
  if (user.empty()) {
    return absl::InvalidArgumentError(
        "The parameter MasterUsername must be provided");
  }
  if (user == postgres::kSuperuser || absl::StartsWith(user, "rds_") ||
      absl::StartsWith(user, "pg_")) {
    return absl::InvalidArgumentError(
        absl::StrCat("MasterUsername ", user,
                     " cannot be used as it is a reserved word used by the "
                     "engine"));
  }
  if (IsName(user)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "The parameter MasterUsername must begin with a letter and contain only "
      "alphanumeric characters and underscores, ",
      kMaxNameLength, " at most: ", user));
}

absl::Status CheckDatabase(absl::string_view database) {
  if (database.empty()) return absl::OkStatus();
  if (std::find(std::begin(kReservedDatabases), std::end(kReservedDatabases),
                database) != std::end(kReservedDatabases)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "DatabaseName ", database, " cannot be used as it is a reserved word"));
  }
  if (IsName(database)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "DatabaseName must begin with a letter and contain only alphanumeric "
      "characters and underscores, ",
      kMaxNameLength, " at most: ", database));
}

absl::Status CheckPassword(const Json::Value& properties,
                           MasterPassword known) {
  const absl::StatusOr<std::string> password =
      TextProperty(properties, "MasterUserPassword");
  if (!password.ok()) return password.status();
  const absl::StatusOr<bool> managed =
      BoolProperty(properties, "ManageMasterUserPassword", false);
  if (!managed.ok()) return managed.status();
  if (*managed && !password->empty()) {
    return absl::InvalidArgumentError(
        "You can't specify MasterUserPassword for a cluster with "
        "ManageMasterUserPassword enabled.");
  }
  if (*managed) return absl::OkStatus();
  if (password->empty() && known == MasterPassword::kSet) {
    return absl::OkStatus();
  }
  if (password->empty()) {
    return absl::InvalidArgumentError(
        "The parameter MasterUserPassword must be provided and must not be "
        "blank, or ManageMasterUserPassword must be true.");
  }
  return CheckMasterPassword(*password);
}

absl::Status CheckScaling(const Json::Value& properties) {
  constexpr char kMember[] = "ServerlessV2ScalingConfiguration";
  if (PropertyAt(properties, kMember).isNull()) return absl::OkStatus();
  const absl::StatusOr<double> min = NumberProperty(
      properties, absl::StrCat(kMember, ".MinCapacity"), kMinMaxCapacity);
  if (!min.ok()) return min.status();
  const absl::StatusOr<double> max =
      NumberProperty(properties, absl::StrCat(kMember, ".MaxCapacity"), *min);
  if (!max.ok()) return max.status();
  const auto is_step = [](double value) {
    return std::fmod(value, kCapacityStep) == 0;
  };
  if (*min >= kMinCapacity && *min <= *max && *max >= kMinMaxCapacity &&
      *max <= kMaxCapacity && is_step(*min) && is_step(*max)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      kMember, ": MinCapacity must be from ", kMinCapacity, " to ",
      kMaxCapacity, ", MaxCapacity from ", kMinMaxCapacity, " to ",
      kMaxCapacity, " and not below it, both in steps of ", kCapacityStep));
}

}  // namespace

absl::Status CheckIdentifier(absl::string_view parameter,
                             absl::string_view identifier) {
  const bool valid =
      !identifier.empty() && identifier.size() <= kMaxIdentifierLength &&
      absl::ascii_isalpha(static_cast<unsigned char>(identifier.front())) &&
      identifier.back() != '-' && !absl::StrContains(identifier, "--") &&
      std::all_of(identifier.begin(), identifier.end(), [](char c) {
        return c == '-' || absl::ascii_isalnum(static_cast<unsigned char>(c));
      });
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "The parameter ", parameter,
      " is not a valid identifier. Identifiers must begin with a letter; must "
      "contain only ASCII letters, digits, and hyphens; must not end with a "
      "hyphen or contain two consecutive hyphens; and have ",
      kMaxIdentifierLength, " characters at most: ", identifier));
}

absl::Status CheckEngine(absl::string_view engine) {
  if (engine == kAuroraPostgres || engine == kMultiAzPostgres) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the engine ", engine,
                   " is not available: the local cloud has PostgreSQL only (",
                   kAuroraPostgres, ")"));
}

absl::Status CheckCluster(const Json::Value& properties,
                          MasterPassword password) {
  absl::Status status =
      CheckEngine(TextProperty(properties, "Engine").value_or(""));
  if (status.ok()) {
    status = CheckMasterUser(
        TextProperty(properties, "MasterUsername").value_or(""));
  }
  if (status.ok()) {
    status =
        CheckDatabase(TextProperty(properties, "DatabaseName").value_or(""));
  }
  if (status.ok()) status = CheckPassword(properties, password);
  if (status.ok()) status = CheckScaling(properties);
  for (const char* flag : {"EnableHttpEndpoint", "DeletionProtection"}) {
    if (status.ok()) status = BoolProperty(properties, flag, false).status();
  }
  if (!status.ok()) return status;
  const absl::StatusOr<std::int64_t> days =
      IntegerProperty(properties, "BackupRetentionPeriod", kMinBackupDays);
  if (!days.ok()) return days.status();
  if (*days >= kMinBackupDays && *days <= kMaxBackupDays) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Invalid backup retention period: ", *days, ". Must be between ",
      kMinBackupDays, " and ", kMaxBackupDays, "."));
}

}  // namespace byoshin::local::rds
