// What an application, or a service, adds to the dashboard: a member of the
// status, endpoints of the API, and files of the page.
//
//   class SlotPanel final : public dashboard::Panel { ... };
//   host.Get<dashboard::Panels>().Add(panel);
//
// A panel "scheduler" answers at /_byoshin/api/scheduler/... and has its files
// at /_byoshin/page/scheduler/..., of which the page loads panel.js and
// panel.css whenever the panel has something to show: see api.md.
#ifndef BYOSHIN_LOCAL_DASHBOARD_PANEL_H_
#define BYOSHIN_LOCAL_DASHBOARD_PANEL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/dashboard/assets.h"

namespace byoshin::local::dashboard {

// An endpoint of the API, after "/_byoshin/api/PANEL/". `answer` returns a JSON
// document, or an error: see ErrorAnswer() in endpoints.h.
struct PanelEndpoint {
  std::string method{};  // "GET" or "POST"
  std::string name{};
  std::function<absl::StatusOr<std::string>(const http::ServerRequest&)>
      answer{};
};

// Called on the dashboard's thread, one call at a time, so that it may wait for
// a service's answer.
class Panel {
 public:
  virtual ~Panel() = default;

  // In addresses and in JSON: lower-case letters.
  virtual absl::string_view name() const = 0;

  // Whether there is something to show: a stack of its kind is deployed.
  virtual bool IsShown() = 0;
  // Writes its member of the status: one JSON value.
  virtual void WriteStatus(json::Writer& json) = 0;
  virtual std::vector<PanelEndpoint> endpoints() { return {}; }
  virtual const std::vector<Asset>& assets() const = 0;

  // Deletes what the application has stored, as `byoshin reset` wants it, and
  // returns how many items there were.
  virtual absl::StatusOr<std::int64_t> Reset() {
    return static_cast<std::int64_t>(0);
  }
};

// Counts the changes of what the dashboard shows. Thread-safe.
class Changes {
 public:
  // `listener` is called after each change, on any thread; it must not block.
  // May be null. Once this returns, the previous one is no longer called.
  void set_listener(std::function<void()> listener) {
    const sync::MutexLock lock(mutex_);
    listener_ = std::move(listener);
  }

  void Note() {
    ++version_;
    const sync::MutexLock lock(mutex_);
    if (listener_) listener_();
  }

  std::uint64_t version() const { return version_; }

 private:
  std::atomic<std::uint64_t> version_{1};
  sync::Mutex mutex_;
  std::function<void()> listener_ ABSL_GUARDED_BY(mutex_);
};

// The panels of a cloud, in the order in which they are shown. Each is added
// while the cloud starts and outlives the dashboard.
class Panels {
 public:
  void Add(Panel& panel) { panels_.push_back(&panel); }
  const std::vector<Panel*>& all() const { return panels_; }

  // To be noted whenever something changes that a panel shows.
  Changes& changes() { return changes_; }

 private:
  std::vector<Panel*> panels_;
  Changes changes_;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_PANEL_H_
