#include "local/cli/artifacts.h"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "core/files/read_file.h"
#include "local/cli/arguments.h"
#include "local/cli/artifact_paths.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {
namespace {

// Bazel starts programs in their runfiles, and tells tests where these are; a
// program that was started in another way finds them beside itself.
std::filesystem::path RunfilePath(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  if (const char* const runfiles = std::getenv("RUNFILES_DIR")) {
    const std::filesystem::path named =
        std::filesystem::path(runfiles) / kRunfilesWorkspace / path;
    if (std::filesystem::exists(named, ignored)) return named;
  }
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", ignored);
  return std::filesystem::path(self.string() + ".runfiles") /
         kRunfilesWorkspace / path;
}

absl::StatusOr<std::string> ReadOwnTemplate() {
  const std::filesystem::path path = RunfilePath(kTemplate);
  absl::StatusOr<std::string> text = files::ReadFile(path.string());
  if (!absl::IsNotFound(text.status())) return text;
  return absl::NotFoundError(absl::StrCat(
      "the scheduler's template and zips are not beside this program (there is "
      "no ",
      path.string(),
      "), as for a program that was copied; start it where Bazel has built it "
      "(bazel-bin/byoshin), or say where they are with --template=FILE and "
      "--zips=FOLDER"));
}

}  // namespace

std::vector<FlagSpec> ArtifactFlags() {
  return {{.name = "template",
           .value = "FILE",
           .help = "a CloudFormation template in JSON, in place of the "
                   "scheduler's"},
          {.name = "zips",
           .value = "FOLDER",
           .help = "with the functions' zips, in place of the scheduler's: a "
                   "function has the file named like the end of its S3Key, or "
                   "else like itself, as in OrdersFunction.zip"},
          {.name = "parameter",
           .value = "NAME=VALUE",
           .help = "a parameter of the template; may be given several times",
           .repeated = true}};
}

absl::StatusOr<stack::StackDeployment> ReadArtifacts(
    const Arguments& arguments, const env::Environment& environment) {
  stack::StackDeployment deployment;
  absl::StatusOr<std::string> text =
      arguments.Has("template") ? files::ReadFile(env::FromWorkingDirectory(
                                      arguments.Get("template"), environment))
                                : ReadOwnTemplate();
  if (!text.ok()) return text.status();
  deployment.template_text = *std::move(text);

  std::vector<std::filesystem::path> zips;
  if (arguments.Has("zips")) {
    const std::string folder =
        env::FromWorkingDirectory(arguments.Get("zips"), environment);
    deployment.zips_origin = folder;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".zip") zips.push_back(entry.path());
    }
    if (error) {
      return absl::NotFoundError(
          absl::StrCat("cannot read ", folder, ": ", error.message()));
    }
  } else {
    deployment.zips_origin =
        "the scheduler's zips (--zips=FOLDER names a folder with others)";
    for (const char* path : {kSenderZip, kCollectorZip, kMockApiZip}) {
      std::filesystem::path zip = RunfilePath(path);
      std::error_code ignored;
      // A template of somebody's own may have no use for them.
      if (std::filesystem::exists(zip, ignored)) zips.push_back(std::move(zip));
    }
  }
  for (const std::filesystem::path& path : zips) {
    absl::StatusOr<std::string> zip = files::ReadFile(path.string());
    if (!zip.ok()) return zip.status();
    deployment.zips[path.filename()] = *std::move(zip);
  }
  for (const std::string& parameter : arguments.All("parameter")) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--parameter=", parameter, " is not of the form NAME=VALUE"));
    }
    deployment.parameters[parameter.substr(0, equals)] =
        parameter.substr(equals + 1);
  }
  return deployment;
}

}  // namespace byoshin::local::cli
