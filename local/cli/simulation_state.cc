#include "local/cli/simulation_state.h"

#include <json/json.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"
#include "local/files/folders.h"
#include "local/files/private_file.h"

namespace byoshin::local::cli {
namespace {

constexpr char kFile[] = "simulation.json";
// What ReplacePrivateFile() calls it while it is written.
constexpr char kUnfinishedFile[] = "simulation.json.unfinished";
constexpr char kStartMember[] = "start";
constexpr char kNowMember[] = "now";

bool HoldsOtherFiles(const std::string& folder) {
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder, ignored), end;
       !ignored && entry != end; entry.increment(ignored)) {
    if (entry->path().filename() != kUnfinishedFile) return true;
  }
  return false;
}

absl::StatusOr<absl::Time> TimeMember(const Json::Value& object,
                                      const char* name) {
  if (!object.isObject() || !object[name].isString()) {
    return absl::NotFoundError(absl::StrCat("it has no ", name));
  }
  return time::ParseIso8601(object[name].asString());
}

absl::StatusOr<SimulationState> ParseState(const std::string& text) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(text);
  if (!value.ok()) return value.status();
  const absl::StatusOr<absl::Time> start = TimeMember(*value, kStartMember);
  if (!start.ok()) return start.status();
  const absl::StatusOr<absl::Time> now = TimeMember(*value, kNowMember);
  if (!now.ok()) return now.status();
  return SimulationState{.start = *start, .now = *now};
}

}  // namespace

absl::StatusOr<std::optional<SimulationState>> ReadState(
    const std::string& folder) {
  // Looked at before the file: a simulation that begins just now makes that
  // first, and the others afterwards.
  const bool holds_others = HoldsOtherFiles(folder);
  const std::string path = absl::StrCat(folder, "/", kFile);
  const absl::StatusOr<std::string> text = files::ReadFile(path);
  if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
  if (!text.ok()) {
    if (!holds_others) return std::nullopt;
    return absl::FailedPreconditionError(
        absl::StrCat(folder, " holds files, but no simulation: there is no ",
                     kFile, " in it; choose another folder"));
  }
  const absl::StatusOr<SimulationState> state = ParseState(*text);
  if (!state.ok()) {
    return absl::DataLossError(
        absl::StrCat(path, " is damaged: ", state.status().message()));
  }
  return *state;
}

absl::Status SaveState(const std::string& folder,
                       const SimulationState& state) {
  Json::Value value(Json::objectValue);
  value[kStartMember] = time::FormatIso8601(state.start);
  value[kNowMember] = time::FormatIso8601(state.now);
  if (absl::Status made = MakePrivateFolder(folder); !made.ok()) return made;
  return ReplacePrivateFile(absl::StrCat(folder, "/", kFile),
                            absl::StrCat(json::WriteValue(value), "\n"));
}

}  // namespace byoshin::local::cli
