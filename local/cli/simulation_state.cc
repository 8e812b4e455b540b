#include "local/cli/simulation_state.h"

#include <json/json.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"

namespace byoshin::local::cli {
namespace {

constexpr char kFile[] = "simulation.json";
// What it is while it is written.
constexpr char kFreshFile[] = "simulation.json.new";
constexpr char kStartMember[] = "start";
constexpr char kNowMember[] = "now";

bool HoldsOtherFiles(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename() != kFreshFile) return true;
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
  const std::filesystem::path path = std::filesystem::path(folder) / kFile;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (!holds_others) return std::nullopt;
    return absl::FailedPreconditionError(
        absl::StrCat(folder, " holds files, but no simulation: there is no ",
                     kFile, " in it; choose another folder"));
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const absl::StatusOr<SimulationState> state = ParseState(text);
  if (!state.ok()) {
    return absl::DataLossError(
        absl::StrCat(path.string(), " is damaged: ", state.status().message()));
  }
  return *state;
}

absl::Status SaveState(const std::string& folder,
                       const SimulationState& state) {
  Json::Value value(Json::objectValue);
  value[kStartMember] = time::FormatIso8601(state.start);
  value[kNowMember] = time::FormatIso8601(state.now);
  const std::filesystem::path path = std::filesystem::path(folder) / kFile;
  const std::filesystem::path fresh =
      std::filesystem::path(folder) / kFreshFile;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  file << json::WriteValue(value) << '\n';
  file.close();
  if (!file) {
    return absl::UnavailableError(
        absl::StrCat("cannot write ", fresh.string(), "; is the disk full?"));
  }
  std::filesystem::rename(fresh, path, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot write ", path.string(), ": ", error.message()));
}

}  // namespace byoshin::local::cli
