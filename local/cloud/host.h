// What a module of the cloud is given when it opens: time, its databases and
// folders, and the parts of the modules that were opened before it.
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
#include <mutex>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "core/time/real_clock.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/store/store.h"

namespace byoshin::local::cloud {

// Outlives all modules. Offer() and the registries are for the time in which
// the cloud starts; all else is thread-safe.
class Host {
 public:
  struct Options {
    // The data folder, absolute; made when it is first asked for. Never null.
    std::function<absl::StatusOr<std::string>()> folder{};
    std::string region{};
    // May be null.
    std::function<void(const std::string&)> on_note{};
  };
  Host(Options options, time::Clock& clock)
      : options_(std::move(options)), clock_(clock) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // The cloud's clock, which may be simulated.
  time::Clock& clock() { return clock_; }
  // Functions and clients sign by the wall clock, whatever the cloud's is.
  time::RealClock& wall_clock() { return wall_clock_; }
  const std::string& region() const { return options_.region; }
  // Those whom the gateway lets in.
  CredentialSet& credentials() { return credentials_; }

  // Where clients and functions reach the cloud; empty until it listens.
  std::string endpoint() const;
  void set_endpoint(std::string endpoint);

  // Tells people what they should know.
  void Note(const std::string& text) const {
    if (options_.on_note) options_.on_note(text);
  }

  // A database that the module's ModuleSpec names.
  Store& store(absl::string_view name) { return *stores_.find(name)->second; }
  void AddStore(std::string name, std::unique_ptr<Store> store) {
    stores_.insert_or_assign(std::move(name), std::move(store));
  }

  // A folder of this name in the data folder, for nobody else to read; made if
  // it is not there. Only while the module opens.
  absl::StatusOr<std::string> Folder(absl::string_view name) const;

  // Lets later modules use a part of this one, which outlives them.
  template <typename Part>
  void Offer(Part& part) {
    parts_.insert_or_assign(std::type_index(typeid(Part)), &part);
  }
  // Null if no module has offered one.
  template <typename Part>
  Part* Find() const {
    const auto found = parts_.find(std::type_index(typeid(Part)));
    return found == parts_.end() ? nullptr : static_cast<Part*>(found->second);
  }
  // The list of modules must have the one that offers it, before this one.
  template <typename Part>
  Part& Get() const {
    if (Part* part = Find<Part>(); part != nullptr) return *part;
    std::cerr << "no module of the cloud offers " << typeid(Part).name()
              << " before the one that needs it\n";
    std::abort();
  }

  // What stacks can be made of.
  cloudformation::ProviderRegistry& providers() { return providers_; }

  // The service of that name, behind its module's own front; null if there is
  // none.
  Service* FindService(absl::string_view name) const;
  void AddService(Service& service) { services_.push_back(&service); }

 private:
  const Options options_;
  time::Clock& clock_;
  time::RealClock wall_clock_;
  CredentialSet credentials_;
  mutable std::mutex mutex_;
  std::string endpoint_;  // guarded by mutex_
  std::map<std::string, std::unique_ptr<Store>, std::less<>> stores_;
  std::map<std::type_index, void*> parts_;
  cloudformation::ProviderRegistry providers_;
  std::vector<Service*> services_;
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_HOST_H_
