// One service of the cloud, or whatever else it consists of, described in one
// place: how it opens, what it answers, which resources it makes, how it begins
// and ends. A cloud is a list of these; see docs/adding.md.
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
  // Ends its threads. Nobody calls from outside any more, and what it was given
  // by earlier modules is still there.
  virtual ~Module() = default;

  // What it answers to signed requests. They live as long as the module.
  virtual std::vector<Service*> services() { return {}; }

  // A service to put in front of `service`, which may be any module's and
  // outlives it; null for none.
  virtual std::unique_ptr<Service> Guard(Service&) { return nullptr; }

  // The resource types that it makes.
  virtual void AddProviders(cloudformation::ProviderRegistry&) {}

  // Whether it answers this request, which nobody has signed. Must not block.
  virtual bool Take(const http::ServerRequest&, const http::Responder&) {
    return false;
  }

  // The cloud listens: clients and functions can reach it.
  virtual absl::Status Listening() { return absl::OkStatus(); }

  // All that is to be deployed is there: what runs by itself begins.
  virtual void Begin() {}

  // The cloud is about to stop: no new work is begun, what is under way is
  // finished if that takes no longer than `limit`, and clients that wait for
  // something to happen are answered.
  virtual void Drain(absl::Duration /*limit*/) {}
};

// A database of a module: "sqs" is sqs.db in the data folder.
struct StoreSpec {
  std::string name{};
  // Who tells people that it can't be written: the cloud, or the module, which
  // returns its errors.
  enum class Trouble { kNoted, kReturned } trouble = Trouble::kNoted;
};

struct ModuleSpec {
  std::string name{};
  std::vector<StoreSpec> stores{};
  std::function<absl::StatusOr<std::unique_ptr<Module>>(Host& host)> open{};
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_MODULE_H_
