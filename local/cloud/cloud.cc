#include "local/cloud/cloud.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/clock.h"
#include "local/cloud/watched_store.h"
#include "local/files/folders.h"
#include "local/store/file_header.h"
#include "local/store/store.h"

namespace byoshin::local::cloud {
namespace {

// The share of draining in the second within which the cloud stops.
constexpr absl::Duration kDrainLimit = absl::Milliseconds(400);
// How long requests in progress may take before modules are drained.
constexpr absl::Duration kOutsideLimit = absl::Milliseconds(200);

}  // namespace

absl::StatusOr<std::unique_ptr<Cloud>> Cloud::Start(
    const CloudOptions& options, const std::vector<ModuleSpec>& modules,
    time::Clock& clock) {
  std::unique_ptr<Cloud> cloud(new Cloud);
  if (absl::Status opened = cloud->Open(options, modules, clock);
      !opened.ok()) {
    return opened;
  }
  return cloud;
}

absl::Status Cloud::Open(const CloudOptions& options,
                         const std::vector<ModuleSpec>& modules,
                         time::Clock& clock) {
  if (!options.data_directory.empty()) {
    absl::Status made = MakeDataFolder(options.data_directory);
    if (!made.ok()) return made;
  }
  host_ = std::make_unique<Host>(
      Host::Options{.folder = [this] { return Folder(); },
                    .region = options.region,
                    .keeps_data = !options.data_directory.empty(),
                    .on_note = options.on_note},
      clock);
  host_->credentials().AddOrDefault(options.credentials);
  for (const ModuleSpec& spec : modules) {
    if (absl::Status opened = OpenModule(options, spec); !opened.ok()) {
      return opened;
    }
  }
  if (absl::Status listening = Listen(options, clock); !listening.ok()) {
    return listening;
  }
  for (const std::unique_ptr<Module>& module : modules_) {
    if (absl::Status status = module->Listening(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Cloud::MakeDataFolder(const std::string& data_directory) {
  // Functions run in folders of their own.
  absl::StatusOr<std::string> folder = AbsolutePath(data_directory);
  if (!folder.ok()) return folder.status();
  folder_ = *std::move(folder);
  // Removes the folders of killed clouds that kept no data.
  TemporaryFolder::RemoveAbandoned();
  return MakePrivateFolder(folder_);
}

absl::StatusOr<std::string> Cloud::Folder() {
  if (folder_.empty()) {
    absl::StatusOr<std::unique_ptr<TemporaryFolder>> temporary =
        TemporaryFolder::Make();
    if (!temporary.ok()) return temporary.status();
    temporary_ = *std::move(temporary);
    folder_ = temporary_->path();
  }
  return folder_;
}

std::string Cloud::DatabasePath(const CloudOptions& options,
                                absl::string_view name) const {
  return options.data_directory.empty()
             ? ""
             : absl::StrCat(folder_, "/", name, ".db");
}

absl::Status Cloud::OpenModule(const CloudOptions& options,
                               const ModuleSpec& spec) {
  for (const StoreSpec& wanted : spec.stores) {
    absl::StatusOr<std::unique_ptr<Store>> store =
        OpenSqliteStore({.path = DatabasePath(options, wanted.name),
                         .durability = options.durability});
    if (!store.ok()) return store.status();
    if (wanted.trouble == StoreSpec::Trouble::kNoted) {
      store = std::make_unique<WatchedStore>(
          *std::move(store),
          [host = host_.get()](const std::string& text) { host->Note(text); });
    }
    host_->AddStore(wanted.name, *std::move(store));
  }
  absl::StatusOr<std::unique_ptr<Module>> module = spec.open(*host_);
  if (!module.ok()) {
    return spec.stores.empty()
               ? module.status()
               : NameDamagedFile(
                     module.status(),
                     DatabasePath(options, spec.stores.front().name));
  }
  modules_.push_back(*std::move(module));
  for (Service* service : modules_.back()->services()) {
    host_->AddService(*service);
  }
  modules_.back()->AddProviders(host_->providers());
  return absl::OkStatus();
}

Service& Cloud::Watched(Service& service) {
  Service* front = &service;
  for (const std::unique_ptr<Module>& module : modules_) {
    std::unique_ptr<Service> watch = module->Watch(*front);
    if (watch == nullptr) continue;
    host_->PutInFront(*front, *watch);
    front = watch.get();
    watches_.push_back(std::move(watch));
  }
  return *front;
}

Service& Cloud::Fronted(Service& service, const FaultyService::Fault& fault) {
  Service* front = &service;
  const auto put = [&](std::unique_ptr<Service> next) {
    if (next == nullptr) return;
    front = next.get();
    fronts_.push_back(std::move(next));
  };
  if (fault) put(std::make_unique<FaultyService>(service, fault));
  // The first module of the list is the outermost.
  for (auto module = modules_.rbegin(); module != modules_.rend(); ++module) {
    put((*module)->Guard(*front));
  }
  return *front;
}

absl::Status Cloud::Listen(const CloudOptions& options, time::Clock& clock) {
  std::vector<Service*> behind;
  for (const std::unique_ptr<Module>& module : modules_) {
    for (Service* service : module->services()) {
      behind.push_back(&Fronted(Watched(*service), options.fault));
    }
  }
  GatewayOptions gateway_options = options.gateway;
  if (gateway_options.signing_clock == nullptr) {
    gateway_options.signing_clock = &host_->wall_clock();
  }
  gateway_options.waits = host_->caller_waits();
  gateway_options.take_other = [this](const http::ServerRequest& request,
                                      const http::Responder& respond) {
    for (const std::unique_ptr<Module>& module : modules_) {
      if (module->Take(request, respond)) return true;
    }
    return false;
  };
  gateway_options.open_to_pages = [this](const http::ServerRequest& request) {
    return std::any_of(modules_.begin(), modules_.end(),
                       [&](const std::unique_ptr<Module>& module) {
                         return module->IsOpenToPages(request);
                       });
  };
  if (options.early_requests == EarlyRequestsAre::kHeld) {
    gateway_options.is_needed_early =
        [this](const http::ServerRequest& request) {
          return std::any_of(modules_.begin(), modules_.end(),
                             [&](const std::unique_ptr<Module>& module) {
                               return module->TakesEarly(request);
                             });
        };
  }
  absl::StatusOr<std::unique_ptr<Gateway>> gateway =
      Gateway::Start(gateway_options, behind, host_->credentials(), clock);
  if (!gateway.ok()) return gateway.status();
  gateway_ = *std::move(gateway);
  host_->set_endpoint(gateway_->url());
  return absl::OkStatus();
}

std::vector<std::string> Cloud::services() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<Module>& module : modules_) {
    for (Service* service : module->services()) {
      names.emplace_back(service->name());
    }
  }
  return names;
}

void Cloud::Begin() {
  for (const std::unique_ptr<Module>& module : modules_) module->Begin();
  gateway_->HandleEarly();
}

void Cloud::Stop() {
  std::call_once(stopped_, [this] {
    // Clients repeat what is refused. What has begun may need any module.
    if (gateway_ != nullptr) gateway_->BeginStop(kOutsideLimit);
    // Drains while functions can still reach the cloud.
    for (auto module = modules_.rbegin(); module != modules_.rend(); ++module) {
      (*module)->Drain(kDrainLimit);
    }
    if (gateway_ != nullptr) gateway_->Stop();
  });
}

// Requests from outside end first, then the modules that call others, then
// those that are called.
Cloud::~Cloud() {
  Stop();
  gateway_.reset();
  fronts_.clear();
  while (!modules_.empty()) modules_.pop_back();
}

}  // namespace byoshin::local::cloud
