#include "local/customresources/module.h"

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/cloudformation/registry.h"
#include "local/customresources/provider.h"
#include "local/customresources/responses.h"
#include "local/gateway/error.h"
#include "local/lambda/function.h"
#include "local/lambda/lambda.h"

namespace byoshin::local::customresources {
namespace {

// Why the invocation failed; OK if it did not.
absl::Status FailureOf(const absl::StatusOr<lambda::InvokeResult>& result) {
  if (!result.ok()) {
    return absl::AbortedError(ErrorAnswerOf(result.status()).message);
  }
  if (result->function_error.empty()) return absl::OkStatus();
  const absl::StatusOr<Json::Value> error = json::ParseValue(result->payload);
  const std::string message =
      error.ok() ? json::TextMember(*error, "errorMessage") : "";
  return absl::AbortedError(message.empty() ? result->function_error : message);
}

class CustomModule final : public cloud::Module {
 public:
  explicit CustomModule(cloud::Host& host)
      : host_(host),
        lambda_(host.Get<lambda::Lambda>()),
        responses_(host.clock()) {}

  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    registry.Add(CustomResourceProvider(
        {.clock = host_.clock(),
         .responses = responses_,
         .invoke =
             [this](const std::string& function, std::string event,
                    std::function<void(absl::Status)> done) {
               lambda_.Invoke(
                   lambda_.ArnOf(function, host_.region()),
                   {.payload = std::move(event)}, /*caller=*/nullptr,
                   [done = std::move(done)](
                       const absl::StatusOr<lambda::InvokeResult>& result) {
                     done(FailureOf(result));
                   });
             },
         .endpoint = [this] { return host_.endpoint(); }}));
  }

  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    return responses_.Take(request, respond);
  }
  bool TakesEarly(const http::ServerRequest& request) override {
    return absl::StartsWith(request.path, kResponsePathPrefix);
  }

  void Drain(absl::Duration) override { responses_.Close(); }

 private:
  cloud::Host& host_;
  lambda::Lambda& lambda_;
  Responses responses_;
};

}  // namespace

cloud::ModuleSpec CustomResourcesModule() {
  return {.name = "customresources",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<CustomModule>(host);
          }};
}

}  // namespace byoshin::local::customresources
