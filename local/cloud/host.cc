#include "local/cloud/host.h"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/files/folders.h"

namespace byoshin::local::cloud {

std::string Host::endpoint() const {
  const sync::MutexLock lock(mutex_);
  return endpoint_;
}

void Host::set_endpoint(std::string endpoint) {
  const sync::MutexLock lock(mutex_);
  endpoint_ = std::move(endpoint);
}

absl::StatusOr<std::string> Host::Folder(absl::string_view name) const {
  const absl::StatusOr<std::string> folder = options_.folder();
  if (!folder.ok()) return folder.status();
  const std::string path = absl::StrCat(*folder, "/", name);
  if (absl::Status made = MakePrivateFolder(path); !made.ok()) return made;
  // Also one that existed before.
  ::chmod(path.c_str(), S_IRWXU);
  return path;
}

Service* Host::FindService(absl::string_view name) const {
  for (Service* service : services_) {
    if (service->name() == name) return service;
  }
  return nullptr;
}

void Host::PutInFront(Service& service, Service& front) {
  std::replace(services_.begin(), services_.end(), &service, &front);
}

}  // namespace byoshin::local::cloud
