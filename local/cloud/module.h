// A service or another part of the cloud, described in one place: how it opens,
// which requests it answers, which resource types it creates, how it starts and
// ends. A cloud is a list of modules; see docs/adding.md.
//
//   ModuleSpec SqsModule() {
//     return {.name = "sqs", .stores = {{.name = "sqs"}}, .open = Open};
//   }
#ifndef BYOSHIN_LOCAL_CLOUD_MODULE_H_
#define BYOSHIN_LOCAL_CLOUD_MODULE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"

namespace byoshin::local::cloud {

// Opened in the order of the list, destroyed in the reverse order. Thread-safe.
class Module {
 public:
  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  // Ends its threads. There are no more requests from outside, and earlier
  // modules still exist.
  virtual ~Module() = default;

  // The services that answer signed requests. They live as long as the module.
  virtual std::vector<Service*> services() { return {}; }

  // A service to put in front of `service`, which may be any module's and
  // outlives it, for requests from outside; null if not needed.
  virtual std::unique_ptr<Service> Guard(Service&) { return nullptr; }

  // The same for all requests, also those of other modules that have found the
  // service with Host::FindService() since all modules were opened. It may
  // outlive this module, because they may.
  virtual std::unique_ptr<Service> Watch(Service&) { return nullptr; }

  // Adds the resource types that it creates.
  virtual void AddProviders(cloudformation::ProviderRegistry&) {}

  // Handles an unsigned request and returns true, or returns false. Must not
  // block.
  virtual bool Take(const http::ServerRequest&, const http::Responder&) {
    return false;
  }

  // Whether pages of any origin may send this request, which Take() handles:
  // its credentials are not known to every page.
  virtual bool IsOpenToPages(const http::ServerRequest&) { return false; }

  // Whether Take() may handle this request before Begin(), where a cloud holds
  // early requests: deployments need it, or it shows how they proceed.
  virtual bool TakesEarly(const http::ServerRequest&) { return false; }

  // The cloud listens: clients and functions can reach it.
  virtual absl::Status Listening() { return absl::OkStatus(); }

  // Everything is deployed: start what runs by itself.
  virtual void Begin() {}

  // The cloud is about to stop: start no new work, wait for work in progress at
  // most `limit`, and answer clients that are waiting.
  virtual void Drain(absl::Duration /*limit*/) {}
};

// A database of a module: "sqs" is sqs.db in the data folder.
struct StoreSpec {
  std::string name{};
  // Who reports that it can't be written: the cloud, or the module, by the
  // errors that it returns.
  enum class Trouble { kNoted, kReturned } trouble = Trouble::kNoted;
};

struct ModuleSpec {
  std::string name{};
  std::vector<StoreSpec> stores{};
  std::function<absl::StatusOr<std::unique_ptr<Module>>(Host& host)> open{};
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_MODULE_H_
