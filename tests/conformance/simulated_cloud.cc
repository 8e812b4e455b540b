// The local cloud on simulated time, for tests in other languages.
//   simulated_cloud --template=FILE --zips=FOLDER --data=FOLDER
// Says where it listens. Time stands still until a line "run SECONDS" comes on
// the standard input; once it has passed, a line "ran" is printed. The end of
// the input ends the cloud.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/time/simulated_clock.h"
#include "local/apigateway/module.h"
#include "local/appsync/module.h"
#include "local/bedrock/module.h"
#include "local/bedrock/openai_model.h"
#include "local/cloud/cloud.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/module.h"
#include "local/cognito/module.h"
#include "local/dynamodb/module.h"
#include "local/events/module.h"
#include "local/iam/module.h"
#include "local/lambda/module.h"
#include "local/lambda/zip_folder.h"
#include "local/logs/module.h"
#include "local/secretsmanager/module.h"
#include "local/sqs/module.h"
#include "local/stepfunctions/module.h"

ABSL_FLAG(std::string, template, "", "the template to deploy");
ABSL_FLAG(std::string, data, "", "the data folder; in memory if empty");
ABSL_FLAG(std::string, model_url, "",
          "a server with OpenAI's API, for Bedrock");
ABSL_FLAG(std::string, zips, "", "the folder with the zips that it needs");

namespace byoshin {
namespace {

absl::StatusOr<std::map<std::string, std::string>> ReadZips(
    const std::string& folder) {
  std::map<std::string, std::string> zips;
  if (folder.empty()) return zips;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".zip") continue;
    absl::StatusOr<std::string> zip = files::ReadFile(entry.path().string());
    if (!zip.ok()) return zip.status();
    zips[entry.path().filename().string()] = *std::move(zip);
  }
  return zips;
}

absl::Status Deploy(local::cloud::Cloud& cloud) {
  const absl::StatusOr<std::string> text =
      files::ReadFile(absl::GetFlag(FLAGS_template));
  if (!text.ok()) return text.status();
  const std::string folder = absl::GetFlag(FLAGS_zips);
  absl::StatusOr<std::map<std::string, std::string>> zips = ReadZips(folder);
  if (!zips.ok()) return zips.status();
  cloud.Get<local::lambda::ZipFolder>().Give(*std::move(zips), folder);
  return cloud.Get<local::cloudformation::Deployer>()
      .Deploy({.stack_name = "s", .template_text = *text})
      .status();
}

absl::StatusOr<local::bedrock::BedrockOptions> ModelOptions() {
  local::bedrock::BedrockOptions options;
  const std::string url = absl::GetFlag(FLAGS_model_url);
  if (url.empty()) return options;
  absl::StatusOr<std::string> chat_url = local::bedrock::ChatUrl(url);
  if (!chat_url.ok()) return chat_url.status();
  options.server_url = *std::move(chat_url);
  return options;
}

absl::Status Run() {
  const absl::StatusOr<local::bedrock::BedrockOptions> model = ModelOptions();
  if (!model.ok()) return model.status();
  // Whole seconds, as tests expect of what they compute.
  time::SimulatedClock clock(
      absl::FromUnixSeconds(absl::ToUnixSeconds(absl::Now())));
  // Without what does something every few seconds, such as the dashboard.
  absl::StatusOr<std::unique_ptr<local::cloud::Cloud>> cloud =
      local::cloud::Cloud::Start(
          {.gateway = {.port = 0},
           .data_directory = absl::GetFlag(FLAGS_data),
           .on_note =
               [](const std::string& note) { std::cerr << note << "\n"; }},
          {local::iam::IamModule(), local::sqs::SqsModule(),
           local::dynamodb::DynamoDbModule(), local::lambda::LambdaModule({}),
           local::events::EventsModule(), local::logs::LogsModule(),
           local::secretsmanager::SecretsManagerModule(),
           local::bedrock::BedrockModule(*model),
           local::stepfunctions::StepFunctionsModule(),
           local::cognito::CognitoModule(),
           local::apigateway::ApiGatewayModule(),
           local::appsync::AppSyncModule(),
           local::cloudformation::CloudFormationModule(),
           local::bedrock::BedrockLimitsModule()},
          clock);
  if (!cloud.ok()) return cloud.status();
  if (absl::Status deployed = Deploy(**cloud); !deployed.ok()) return deployed;
  (*cloud)->Begin();
  std::cout << (*cloud)->url() << std::endl;
  std::string word;
  std::int64_t seconds = 0;
  while (std::cin >> word >> seconds) {
    clock.RunUntil(clock.Now() + absl::Seconds(seconds));
    std::cout << "ran" << std::endl;
  }
  (*cloud)->Stop();
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
