// A secret with its versions and their stages, as the store keeps it.
//
//   Secret secret{.name = "db", .arn = NewArn(place, "db"), .created = now};
//   secret.AddVersion({.id = token, .value = {"hunter2"}, .created = now},
//                     {kCurrentStage});
//   const Version* version = secret.FindStage(kCurrentStage);
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_SECRET_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_SECRET_H_

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::secretsmanager {

inline constexpr char kCurrentStage[] = "AWSCURRENT";
inline constexpr char kPreviousStage[] = "AWSPREVIOUS";

struct SecretValue {
  std::string bytes{};
  enum class Kind { kText, kBinary } kind = Kind::kText;

  bool operator==(const SecretValue&) const = default;
};

struct Version {
  std::string id{};
  SecretValue value{};
  absl::Time created{};
  // The day, in UTC.
  std::optional<absl::Time> accessed{};
  std::set<std::string> stages{};
};

// Not thread-safe.
struct Secret {
  std::string name{};
  std::string arn{};
  std::string region{};
  std::string description{};
  std::string kms_key_id{};
  // Empty unless a service owns it.
  std::string owning_service{};
  std::string policy{};
  absl::Time created{};
  absl::Time changed{};
  std::optional<absl::Time> accessed{};
  // When it is to be deleted, if it is.
  std::optional<absl::Time> deletion{};
  std::map<std::string, std::string> tags{};
  std::map<std::string, Version> versions{};  // by id

  // Null if there is none.
  const Version* FindStage(absl::string_view stage) const;
  const Version* FindVersion(const std::string& id) const;

  // The stages move to it from other versions. The first version of a secret is
  // always the current one. Old versions without stages may be removed.
  void AddVersion(Version version, const std::set<std::string>& stages);
  // Moves the stage to the version; the version that was current becomes the
  // previous one.
  void MoveStage(const std::string& stage, const std::string& version_id);
  void RemoveStage(const std::string& stage);

 private:
  void RemoveOldVersions();
};

// "arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME-" and six random
// characters.
struct SecretPlace {
  std::string region{};
  std::string account_id{};
};
std::string NewArn(const SecretPlace& place, absl::string_view name);

// The ARN of the name without its suffix: "arn:…:secret:NAME".
std::string PartialArn(const SecretPlace& place, absl::string_view name);

// The region and name in what NewArn() has returned; nullopt if `arn` is not
// such an ARN.
struct ArnParts {
  std::string region{};
  std::string name{};
};
std::optional<ArnParts> ParseArn(absl::string_view arn);

// The number of characters that NewArn() adds to the name, with the hyphen.
inline constexpr std::size_t kArnSuffixLength = 7;

// The record in the store. DataLoss if it is damaged.
std::string SecretToRecord(const Secret& secret);
absl::StatusOr<Secret> SecretFromRecord(absl::string_view record);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_SECRET_H_
