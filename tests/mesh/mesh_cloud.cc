// The local cloud with Mesh v2's stack, from the template and the zips that AWS
// would get, on simulated time, for tests in other languages.
//   mesh_cloud --template=FILE --zips=FOLDER [--data=FOLDER] [--stage=STAGE]
//       [--port=PORT] [--now=SECONDS]
// Prints a line of JSON that says where the API is. Time stands still until a
// line "run SECONDS" comes on the standard input; once it has passed, a line
// "ran" is printed. After a line "remove-expired 0", DynamoDB keeps what has
// expired, until "remove-expired 1" comes; "set" is printed. The end of the
// input ends the cloud.

#include <json/json.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/stack/stack_cloud.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

ABSL_FLAG(std::string, template, "", "the template to deploy");
ABSL_FLAG(std::string, data, "", "the data folder; in memory if empty");
ABSL_FLAG(std::string, zips, "", "the folder with the zips that it needs");
ABSL_FLAG(std::uint16_t, port, 0, "the port; any that is free if 0");
ABSL_FLAG(std::int64_t, now, 0,
          "seconds since 1970 at which the clock starts; the current time if "
          "0");
ABSL_FLAG(std::string, stage, "production", "the template's parameter Stage");

namespace byoshin {
namespace {

absl::Status Run() {
  // Whole seconds, as tests expect of what they compute.
  const std::int64_t now = absl::GetFlag(FLAGS_now) > 0
                               ? absl::GetFlag(FLAGS_now)
                               : absl::ToUnixSeconds(absl::Now());
  time::SimulatedClock clock(absl::FromUnixSeconds(now));
  const absl::StatusOr<mesh::DeployedMesh> deployed =
      mesh::DeployMesh({.template_file = absl::GetFlag(FLAGS_template),
                        .zips_folder = absl::GetFlag(FLAGS_zips),
                        .stage = absl::GetFlag(FLAGS_stage),
                        .data_directory = absl::GetFlag(FLAGS_data),
                        .port = absl::GetFlag(FLAGS_port)},
                       clock);
  if (!deployed.ok()) return deployed.status();
  Json::Value where(Json::objectValue);
  where["endpoint"] = deployed->cloud->url();
  where["now"] = Json::Int64{absl::ToUnixSeconds(clock.Now())};
  for (const auto& [name, value] : deployed->outputs) where[name] = value;
  std::cout << json::WriteValue(where) << std::endl;
  std::string word;
  std::int64_t number = 0;
  while (std::cin >> word >> number) {
    if (word == "run") {
      clock.RunUntil(clock.Now() + absl::Seconds(number));
      std::cout << "ran" << std::endl;
    } else if (word == "remove-expired") {
      mesh::EnableTimeToLive(*deployed, number != 0);
      clock.RunUntil(clock.Now());
      std::cout << "set" << std::endl;
    } else {
      return absl::InvalidArgumentError(absl::StrCat("no command: ", word));
    }
  }
  deployed->cloud->Stop();
  return absl::OkStatus();
}

}  // namespace
}  // namespace byoshin

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = byoshin::Run();
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << std::endl;
  return EXIT_FAILURE;
}
