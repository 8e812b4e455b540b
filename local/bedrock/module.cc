#include "local/bedrock/module.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "core/generation/model_limits.h"
#include "core/http/curl_client.h"
#include "local/bedrock/call_ledger.h"
#include "local/bedrock/deterministic_model.h"
#include "local/bedrock/model.h"
#include "local/bedrock/openai_model.h"
#include "local/bedrock/service.h"
#include "local/bedrock/stack_limits.h"
#include "local/cloud/host.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/gateway/service.h"
#include "local/iam/iam.h"

namespace byoshin::local::bedrock {
namespace {

std::unique_ptr<Model> NewModel(const BedrockOptions& options,
                                cloud::Host& host) {
  if (options.server_url.empty()) return std::make_unique<DeterministicModel>();
  return std::make_unique<OpenAiModel>(OpenAiOptions{
      .url = options.server_url,
      .name = options.server_model,
      .api_key = options.server_key,
      .new_client =
          [ca_file = options.ca_file] {
            return std::make_unique<http::CurlClient>(ca_file);
          },
      .on_note = [&host](const std::string& text) { host.Note(text); }});
}

class RuntimeModule final : public cloud::Module {
 public:
  RuntimeModule(const BedrockOptions& options, cloud::Host& host)
      : limits_(host.clock()), model_(NewModel(options, host)) {
    faults_.Set(options.fault);
    service_ = std::make_unique<BedrockService>(BedrockService::World{
        .model = *model_,
        .clock = host.clock(),
        .faults = faults_,
        .limits = limits_,
        .ledger = ledger_,
        .role_of = [&iam = host.Get<iam::Iam>()](const std::string& key) {
          const std::optional<iam::SessionCredentials> session =
              iam.FindSession(key);
          return session.has_value() ? session->role_arn : "";
        }});
    host.Offer(faults_);
    host.Offer(limits_);
    host.Offer(ledger_);
  }
  ~RuntimeModule() override {
    // Its threads call the service back.
    service_->EndLongPolls();
    model_.reset();
  }

  std::vector<Service*> services() override { return {service_.get()}; }

 private:
  Faults faults_;
  StackLimits limits_;
  CallLedger ledger_;
  std::unique_ptr<BedrockService> service_;
  std::unique_ptr<Model> model_;
};

// The number of the parameter; 0 if it is missing or not a number.
std::int64_t QuotaOf(const cloudformation::Stack& stack, const char* name) {
  const auto parameter = stack.parameters.find(name);
  std::int64_t quota = 0;
  if (parameter == stack.parameters.end() ||
      !absl::SimpleAtoi(parameter->second, &quota)) {
    return 0;
  }
  return quota;
}

class LimitsModule final : public cloud::Module {
 public:
  explicit LimitsModule(cloud::Host& host)
      : deployer_(host.Get<cloudformation::Deployer>()),
        subscription_(
            deployer_.Subscribe([&limits = host.Get<StackLimits>()](
                                    const cloudformation::Stack& stack) {
              std::set<std::string> roles;
              for (const auto& [id, resource] : stack.resources) {
                if (resource.type == "AWS::IAM::Role") {
                  roles.insert(cloudformation::ArnAttribute(resource));
                }
              }
              limits.SetStack(stack.name,
                              {.requests_per_minute = QuotaOf(
                                   stack, generation::kModelRequestsPerMinute),
                               .tokens_per_minute = QuotaOf(
                                   stack, generation::kModelTokensPerMinute)},
                              roles);
            })) {}
  ~LimitsModule() override { deployer_.Unsubscribe(subscription_); }

 private:
  cloudformation::Deployer& deployer_;
  const int subscription_;
};

}  // namespace

cloud::ModuleSpec BedrockModule(const BedrockOptions& options) {
  return {.name = "bedrock",
          .open = [options](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<RuntimeModule>(options, host);
          }};
}

cloud::ModuleSpec BedrockLimitsModule() {
  return {.name = "bedrock-limits",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<LimitsModule>(host);
          }};
}

}  // namespace byoshin::local::bedrock
