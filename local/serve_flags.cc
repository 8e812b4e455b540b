#include "local/serve_flags.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "local/cloud/cloud.h"
#include "local/gateway/access_flags.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local {
namespace {

constexpr int kMaxPort = 65535;
constexpr char kDataVariable[] = "BYOSHIN_DATA";
constexpr char kDataBelowHome[] = ".local/share/byoshin";

absl::Status ParsePort(absl::string_view text, cloud::CloudOptions& options) {
  int port = 0;
  const bool is_number =
      !text.empty() &&
      text.find_first_not_of("0123456789") == absl::string_view::npos;
  if (!is_number || !absl::SimpleAtoi(text, &port) || port > kMaxPort) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--port wants a number from 0 to ", kMaxPort, ", not \"", text, "\""));
  }
  options.gateway.port = static_cast<std::uint16_t>(port);
  return absl::OkStatus();
}

// Adds what `parsed` has to `all`.
template <typename T>
absl::Status AddTo(std::vector<T>& all, absl::StatusOr<T> parsed) {
  if (parsed.ok()) all.push_back(*std::move(parsed));
  return parsed.status();
}

absl::StatusOr<std::string> DefaultData(const env::Environment& environment) {
  if (auto data = env::NonEmpty(environment, kDataVariable)) return *data;
  if (auto home = env::NonEmpty(environment, "HOME")) {
    return absl::StrCat(*home, "/", kDataBelowHome);
  }
  return absl::InvalidArgumentError(
      "there is no home directory to keep data in: give --data=DIR, or "
      "--in-memory to keep nothing");
}

// What the command line says, apart from what it leaves out.
struct Parsed {
  ServeFlags flags{};
  std::optional<std::string> data{};
  bool in_memory = false;
};

absl::Status ParseFlag(absl::string_view argument, Parsed& parsed) {
  cloud::CloudOptions& options = parsed.flags.cloud;
  absl::string_view value = argument;
  if (absl::ConsumePrefix(&value, "--port=")) return ParsePort(value, options);
  if (absl::ConsumePrefix(&value, "--durability=")) {
    const absl::StatusOr<Durability> durability =
        ParseDurability("durability", value);
    if (durability.ok()) options.durability = *durability;
    return durability.status();
  }
  if (absl::ConsumePrefix(&value, "--credentials=")) {
    return AddTo(options.credentials, ParseCredentials(value));
  }
  if (absl::ConsumePrefix(&value, "--allow-origin=")) {
    return AddTo(options.gateway.allowed_origins, ParseOrigin(value));
  }
  if (absl::ConsumePrefix(&value, "--allow-host=")) {
    return AddTo(options.gateway.allowed_hosts, ParseHostName(value));
  }
  if (absl::ConsumePrefix(&value, "--address=")) {
    options.gateway.address = std::string(value);
  } else if (absl::ConsumePrefix(&value, "--data=")) {
    if (value.empty()) {
      return absl::InvalidArgumentError("--data wants a directory");
    }
    parsed.data = std::string(value);
  } else if (argument == "--in-memory") {
    parsed.in_memory = true;
  } else if (argument == "--access-log") {
    parsed.flags.access_log = true;
  } else if (argument == "--help" || argument == "-h") {
    parsed.flags.help = true;
  } else if (argument == "--version") {
    parsed.flags.version = true;
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown argument \"", argument.substr(0, argument.find('=')), "\""));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ServeFlags> ParseServeFlags(
    const std::vector<std::string>& arguments,
    const env::Environment& environment) {
  Parsed parsed;
  for (const std::string& argument : arguments) {
    absl::Status status = ParseFlag(argument, parsed);
    if (!status.ok()) return status;
  }
  if (parsed.in_memory && parsed.data.has_value()) {
    return absl::InvalidArgumentError(
        "--data and --in-memory contradict each other");
  }
  if (parsed.flags.help || parsed.flags.version || parsed.in_memory)
    return std::move(parsed.flags);
  if (!parsed.data.has_value()) {
    absl::StatusOr<std::string> data = DefaultData(environment);
    if (!data.ok()) return data.status();
    parsed.data = *std::move(data);
  }
  parsed.flags.cloud.data_directory =
      env::FromWorkingDirectory(*parsed.data, environment);
  return std::move(parsed.flags);
}

}  // namespace byoshin::local
