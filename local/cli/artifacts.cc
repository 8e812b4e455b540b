#include "local/cli/artifacts.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "core/files/read_file.h"
#include "core/files/runfile.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/cli/artifact_paths.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::cli {
namespace {

using applications::Application;
using stack::StackDeployment;

std::filesystem::path OwnPath(const std::string& path) {
  return files::RunfilePath(kRunfilesWorkspace, path);
}

absl::StatusOr<std::string> ReadOwnTemplate(const Application& application) {
  const std::filesystem::path path = OwnPath(application.template_path);
  absl::StatusOr<std::string> text = files::ReadFile(path.string());
  if (!absl::IsNotFound(text.status())) return text;
  return absl::NotFoundError(absl::StrCat(
      "the template and zips of the stack ", application.name,
      " are not beside this program (there is no ", path.string(),
      "), as for a program that was copied; start it where Bazel has built it "
      "(bazel-bin/byoshin), or say where they are with --template=FILE and "
      "--zips=FOLDER"));
}

absl::Status AddZip(const std::filesystem::path& path,
                    StackDeployment& deployment) {
  absl::StatusOr<std::string> zip = files::ReadFile(path.string());
  if (!zip.ok()) return zip.status();
  deployment.zips[path.filename()] = *std::move(zip);
  return absl::OkStatus();
}

// All zips of a folder.
absl::Status AddZipsOf(const std::string& folder, StackDeployment& deployment) {
  deployment.zips_origin = folder;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".zip") continue;
    if (absl::Status added = AddZip(entry.path(), deployment); !added.ok()) {
      return added;
    }
  }
  if (!error) return absl::OkStatus();
  return absl::NotFoundError(
      absl::StrCat("cannot read ", folder, ": ", error.message()));
}

// Those that come with the program, as far as the template's metadata name
// them. Deploying it says which are missing.
absl::Status AddOwnZips(const std::string& folder,
                        const stack::TemplateInputs& inputs,
                        StackDeployment& deployment) {
  deployment.zips_origin =
      "the zips that come with byoshin (--zips=FOLDER names a folder with "
      "others)";
  for (const auto& [parameter, file] : inputs.code) {
    const std::filesystem::path path = OwnPath(absl::StrCat(folder, "/", file));
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    if (absl::Status added = AddZip(path, deployment); !added.ok()) {
      return added;
    }
  }
  return absl::OkStatus();
}

// The applications that --stack names.
absl::StatusOr<std::vector<const Application*>> Selected(
    const Arguments& arguments, const std::vector<Application>& applications) {
  std::vector<std::string> known;
  for (const Application& application : applications) {
    known.push_back(application.name);
  }
  known.push_back(kAllStacks);
  const std::vector<std::string> names =
      absl::StrSplit(arguments.Get("stack"), ',');
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--stack: there is no stack \"", name,
                       "\"; there are: ", absl::StrJoin(known, ", ")));
    }
  }
  std::vector<const Application*> selected;
  for (const Application& application : applications) {
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return name == application.name || name == kAllStacks;
        })) {
      selected.push_back(&application);
    }
  }
  return selected;
}

absl::StatusOr<std::map<std::string, std::string>> Parameters(
    const Arguments& arguments) {
  std::map<std::string, std::string> parameters;
  for (const std::string& parameter : arguments.All("parameter")) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--parameter=", parameter, " is not of the form NAME=VALUE"));
    }
    parameters[parameter.substr(0, equals)] = parameter.substr(equals + 1);
  }
  return parameters;
}

// A deployment, with what its template says.
struct ReadDeployment {
  StackDeployment deployment{};
  stack::TemplateInputs inputs{};
};

// Template and zips; `application` is null for a template of the user's own.
absl::StatusOr<ReadDeployment> ReadStack(const Arguments& arguments,
                                         const env::Environment& environment,
                                         const Application* application) {
  StackDeployment deployment;
  absl::StatusOr<std::string> text =
      application != nullptr ? ReadOwnTemplate(*application)
                             : files::ReadFile(env::FromWorkingDirectory(
                                   arguments.Get("template"), environment));
  if (!text.ok()) return text.status();
  deployment.template_text = *std::move(text);
  if (application != nullptr) deployment.stack_name = application->stack_name;
  absl::StatusOr<stack::TemplateInputs> inputs =
      stack::ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  const std::string zips_folder =
      (application != nullptr ? *application : Application()).zips_folder;
  const absl::Status zips =
      arguments.Has("zips") ? AddZipsOf(env::FromWorkingDirectory(
                                            arguments.Get("zips"), environment),
                                        deployment)
                            : AddOwnZips(zips_folder, *inputs, deployment);
  if (!zips.ok()) return zips;
  return ReadDeployment{.deployment = std::move(deployment),
                        .inputs = *std::move(inputs)};
}

// Each parameter goes to the templates that have it.
absl::Status Distribute(const std::map<std::string, std::string>& parameters,
                        std::vector<ReadDeployment>& deployments) {
  std::vector<std::string> unknown;
  for (const auto& [name, value] : parameters) {
    bool known = false;
    for (ReadDeployment& read : deployments) {
      if (!read.inputs.parameters.contains(name)) continue;
      known = true;
      read.deployment.parameters[name] = value;
    }
    if (!known) unknown.push_back(name);
  }
  if (unknown.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--parameter: ",
      deployments.size() == 1 ? "the template has"
                              : "none of the templates has",
      deployments.size() == 1 ? " no parameter " : " the parameter ",
      absl::StrJoin(unknown, ", ")));
}

}  // namespace

std::vector<FlagSpec> ArtifactFlags(
    const std::vector<Application>& applications) {
  std::vector<std::string> names;
  for (const Application& application : applications) {
    names.push_back(application.name);
  }
  return {
      {.name = "stack",
       .value = "NAME[,NAME...]",
       .help = absl::StrCat("which stacks run: ", absl::StrJoin(names, ", "),
                            ", or ", kAllStacks),
       .default_value = names.empty() ? "" : names.front()},
      {.name = "template",
       .value = "FILE",
       .help = "a CloudFormation template in JSON, in place of those "
               "stacks"},
      {.name = "zips",
       .value = "FOLDER",
       .help = "with the functions' zips, in place of those that come "
               "with byoshin: a function has the file named like the end "
               "of its S3Key, or else like itself, as in "
               "OrdersFunction.zip"},
      {.name = "parameter",
       .value = "NAME=VALUE",
       .help = "a parameter of the templates that have it; may be given "
               "several times",
       .repeated = true}};
}

absl::StatusOr<std::vector<StackDeployment>> ReadArtifacts(
    const Arguments& arguments, const env::Environment& environment,
    const std::vector<Application>& applications) {
  const absl::StatusOr<std::map<std::string, std::string>> parameters =
      Parameters(arguments);
  if (!parameters.ok()) return parameters.status();
  if (arguments.Has("template") && arguments.Has("stack")) {
    return absl::InvalidArgumentError(
        "--stack and --template can't be given together");
  }
  // Null for the template of the user's own.
  std::vector<const Application*> wanted = {nullptr};
  if (!arguments.Has("template")) {
    absl::StatusOr<std::vector<const Application*>> selected =
        Selected(arguments, applications);
    if (!selected.ok()) return selected.status();
    wanted = *std::move(selected);
  }
  std::vector<ReadDeployment> read;
  for (const Application* application : wanted) {
    absl::StatusOr<ReadDeployment> one =
        ReadStack(arguments, environment, application);
    if (!one.ok()) return one.status();
    read.push_back(*std::move(one));
  }
  if (absl::Status given = Distribute(*parameters, read); !given.ok()) {
    return given;
  }
  std::vector<StackDeployment> deployments;
  for (ReadDeployment& one : read) {
    deployments.push_back(std::move(one.deployment));
  }
  return deployments;
}

}  // namespace byoshin::local::cli
