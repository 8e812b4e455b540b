// What the cloud provides to a module: time, its databases and folders, and the
// parts of the modules that were opened before it.
//
//   absl::StatusOr<std::unique_ptr<Module>> Open(Host& host) {
//     absl::StatusOr<std::unique_ptr<Sqs>> sqs =
//         Sqs::Open(host.store("sqs"), host.clock(), {});
//     ...
//     host.Offer(**sqs);  // to later modules: host.Get<Sqs>()
//   }
#ifndef BYOSHIN_LOCAL_CLOUD_HOST_H_
#define BYOSHIN_LOCAL_CLOUD_HOST_H_

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/real_clock.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/caller_waits.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/store/store.h"

namespace byoshin::local::cloud {

// Outlives all modules. Offer() and the registries are only for the start of
// the cloud; everything else is thread-safe.
class Host {
 public:
  struct Options {
    // Returns the absolute path of the data folder, which is created on the
    // first call. Never null.
    std::function<absl::StatusOr<std::string>()> folder{};
    std::string region{};
    // Whether the data folder outlives the cloud.
    bool keeps_data = false;
    // May be null.
    std::function<void(const std::string&)> on_note{};
  };
  Host(Options options, time::Clock& clock)
      : options_(std::move(options)), clock_(clock) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // The cloud's clock, which may be simulated.
  time::Clock& clock() { return clock_; }
  // Functions and clients sign by the wall clock, even if the cloud's clock is
  // simulated.
  time::RealClock& wall_clock() { return wall_clock_; }
  const std::string& region() const { return options_.region; }
  // Whether data is still there when the cloud starts again.
  bool keeps_data() const { return options_.keeps_data; }
  // The credentials that the gateway accepts.
  CredentialSet& credentials() { return credentials_; }

  // Work that is paused while its requests wait for time to pass.
  const std::shared_ptr<CallerWaits>& caller_waits() { return caller_waits_; }

  // The URL of the cloud; empty until it listens.
  std::string endpoint() const;
  void set_endpoint(std::string endpoint);

  // Shows a message to the user.
  void Note(const std::string& text) const {
    if (options_.on_note) options_.on_note(text);
  }

  // A database that the module's ModuleSpec names.
  Store& store(absl::string_view name) { return *stores_.find(name)->second; }
  void AddStore(std::string name, std::unique_ptr<Store> store) {
    stores_.insert_or_assign(std::move(name), std::move(store));
  }

  // A folder of this name in the data folder, readable by its owner only;
  // created if it is missing. Call it only while the module opens.
  absl::StatusOr<std::string> Folder(absl::string_view name) const;

  // Offers a part of this module to later modules, which it outlives.
  template <typename Part>
  void Offer(Part& part) {
    parts_.insert_or_assign(std::type_index(typeid(Part)), &part);
  }
  // Null if no module offers one.
  template <typename Part>
  Part* Find() const {
    const auto found = parts_.find(std::type_index(typeid(Part)));
    return found == parts_.end() ? nullptr : static_cast<Part*>(found->second);
  }
  // The module that offers it must come before this one in the list.
  template <typename Part>
  Part& Get() const {
    if (Part* part = Find<Part>(); part != nullptr) return *part;
    std::cerr << "no module of the cloud offers " << typeid(Part).name()
              << " before the one that needs it\n";
    std::abort();
  }

  // The resource types of templates.
  cloudformation::ProviderRegistry& providers() { return providers_; }

  // The service of that name, without the checks in front of it; null if there
  // is none.
  Service* FindService(absl::string_view name) const;
  void AddService(Service& service) { services_.push_back(&service); }
  // From now on, `front` is found in place of `service`.
  void PutInFront(Service& service, Service& front);

 private:
  const Options options_;
  time::Clock& clock_;
  time::RealClock wall_clock_;
  CredentialSet credentials_;
  const std::shared_ptr<CallerWaits> caller_waits_ =
      std::make_shared<CallerWaits>();
  mutable sync::Mutex mutex_;
  std::string endpoint_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::unique_ptr<Store>, std::less<>> stores_;
  std::map<std::type_index, void*> parts_;
  cloudformation::ProviderRegistry providers_;
  std::vector<Service*> services_;
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_HOST_H_
