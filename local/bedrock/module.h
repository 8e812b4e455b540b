// Bedrock as modules of the cloud: the service, which needs those of IAM and
// Lambda before it and offers Faults and CallLedger; and the limits of stacks,
// which need CloudFormation's.
#ifndef BYOSHIN_LOCAL_BEDROCK_MODULE_H_
#define BYOSHIN_LOCAL_BEDROCK_MODULE_H_

#include <string>

#include "core/aws/credentials.h"
#include "local/bedrock/faults.h"
#include "local/cloud/module.h"

namespace byoshin::local::bedrock {

struct BedrockOptions {
  // What calls meet from the start.
  Fault fault{};
  // A server with OpenAI's API, from ChatUrl(); empty for the deterministic
  // model.
  std::string server_url{};
  std::string server_model{};
  aws::Secret server_key{};
  // Of the certificate authorities that the server's certificate is checked
  // with.
  std::string ca_file{};
};

cloud::ModuleSpec BedrockModule(const BedrockOptions& options);
cloud::ModuleSpec BedrockLimitsModule();

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_MODULE_H_
