#include "local/serve_flags.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
#include "core/flags/arguments.h"
#include "local/cloud/cloud.h"
#include "local/gateway/access_flags.h"
#include "local/store/data_flags.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local {
namespace {

constexpr char kDataBelowHome[] = ".local/share/byoshin";

constexpr char kAccessLogFlag[] = "access-log";
constexpr char kAddressFlag[] = "address";
constexpr char kDataFlag[] = "data";
constexpr char kDurabilityFlag[] = "durability";
constexpr char kHelpFlag[] = "help";
constexpr char kInMemoryFlag[] = "in-memory";
constexpr char kPortFlag[] = "port";
constexpr char kVersionFlag[] = "version";

flags::CommandSpec Spec() {
  return {
      .flags = {{.name = kPortFlag, .value = "PORT"},
                {.name = kAddressFlag, .value = "ADDRESS"},
                {.name = kDataFlag, .value = "DIR"},
                {.name = kInMemoryFlag},
                {.name = kDurabilityFlag, .value = "process|full"},
                {.name = kCredentialsFlag,
                 .value = "KEY:SECRET",
                 .repeated = true},
                {.name = kAllowOriginFlag, .value = "ORIGIN", .repeated = true},
                {.name = kAllowHostFlag, .value = "NAME", .repeated = true},
                {.name = kAccessLogFlag},
                {.name = kHelpFlag, .letter = 'h'},
                {.name = kVersionFlag}},
      .program = ""};
}

DataFlags DataFlagsOf(const flags::Arguments& given) {
  DataFlags data{.in_memory = given.Has(kInMemoryFlag)};
  if (given.Has(kDataFlag)) data.data = given.Get(kDataFlag);
  return data;
}

absl::Status ReadCloud(const flags::Arguments& given,
                       cloud::CloudOptions& options) {
  absl::Status status;
  if (given.Has(kPortFlag)) {
    const absl::StatusOr<std::uint16_t> port =
        flags::ParsePort(kPortFlag, given.Get(kPortFlag));
    if (!port.ok()) return port.status();
    options.gateway.port = *port;
  }
  if (given.Has(kAddressFlag)) {
    options.gateway.address = given.Get(kAddressFlag);
  }
  if (given.Has(kDurabilityFlag)) {
    const absl::StatusOr<Durability> durability =
        ParseDurability(kDurabilityFlag, given.Get(kDurabilityFlag));
    if (!durability.ok()) return durability.status();
    options.durability = *durability;
  }
  status.Update(flags::ReadAll(given, kCredentialsFlag, ParseCredentials,
                               options.credentials));
  status.Update(flags::ReadAll(given, kAllowOriginFlag, ParseOrigin,
                               options.gateway.allowed_origins));
  status.Update(flags::ReadAll(given, kAllowHostFlag, ParseHostName,
                               options.gateway.allowed_hosts));
  return status;
}

}  // namespace

absl::StatusOr<ServeFlags> ParseServeFlags(
    const std::vector<std::string>& arguments,
    const env::Environment& environment) {
  const absl::StatusOr<flags::Arguments> given =
      flags::ParseArguments(Spec(), arguments);
  if (!given.ok()) return given.status();
  ServeFlags flags{.access_log = given->Has(kAccessLogFlag),
                   .help = given->Has(kHelpFlag),
                   .version = given->Has(kVersionFlag)};
  absl::Status status = ReadCloud(*given, flags.cloud);
  if (!status.ok()) return status;
  if (flags.help || flags.version) return flags;
  status = CheckCredentials(flags.cloud.gateway, flags.cloud.credentials);
  if (!status.ok()) return status;
  absl::StatusOr<std::string> data =
      DataFolder(DataFlagsOf(*given), kDataBelowHome, environment);
  if (!data.ok()) return data.status();
  flags.cloud.data_directory = *std::move(data);
  return flags;
}

}  // namespace byoshin::local
