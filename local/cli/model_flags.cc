#include "local/cli/model_flags.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/aws/credentials.h"
#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "local/bedrock/faults.h"
#include "local/bedrock/module.h"
#include "local/bedrock/openai_model.h"
#include "local/cli/arguments.h"

namespace byoshin::local::cli {
namespace {

constexpr char kModelFlag[] = "model";
constexpr char kModelUrlFlag[] = "model-url";
constexpr char kModelNameFlag[] = "model-name";

absl::Status WithFlag(const char* flag, const absl::Status& status) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, ": ", status.message()));
}

}  // namespace

std::vector<FlagSpec> ModelFlags() {
  return {{.name = kModelFlag,
           .value = "FAULT",
           .help = absl::StrCat("how Bedrock's models behave: ",
                                bedrock::FaultNames()),
           .default_value = "none"},
          {.name = kModelUrlFlag,
           .value = "URL",
           .help = absl::StrCat(
               "a server with OpenAI's API that answers calls of Bedrock; its "
               "key is in $",
               bedrock::kApiKeyVariable)},
          {.name = kModelNameFlag,
           .value = "NAME",
           .help = "the model to ask the server for; without it the id in the "
                   "call"}};
}

absl::StatusOr<bedrock::BedrockOptions> ReadModelFlags(
    const Arguments& arguments, const env::Environment& environment) {
  bedrock::BedrockOptions options;
  const absl::StatusOr<bedrock::Fault> fault =
      bedrock::ParseFault(arguments.Get(kModelFlag));
  if (!fault.ok()) return WithFlag(kModelFlag, fault.status());
  options.fault = *fault;
  if (!arguments.Has(kModelUrlFlag)) {
    if (!arguments.Has(kModelNameFlag)) return options;
    return absl::InvalidArgumentError(absl::StrCat(
        "--", kModelNameFlag, " has no effect without --", kModelUrlFlag));
  }
  const absl::StatusOr<std::string> url =
      bedrock::ChatUrl(arguments.Get(kModelUrlFlag));
  if (!url.ok()) return WithFlag(kModelUrlFlag, url.status());
  options.server_url = *url;
  options.server_model = arguments.Get(kModelNameFlag);
  options.server_key = aws::Secret(
      env::NonEmpty(environment, bedrock::kApiKeyVariable).value_or(""));
  options.ca_file = http::FindCaFile(environment);
  return options;
}

}  // namespace byoshin::local::cli
