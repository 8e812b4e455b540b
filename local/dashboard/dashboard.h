// The dashboard over HTTP: the page, and the API that api.md describes.
//
//   Dashboard dashboard(source, panels, {.instance = RandomHex()});
//   ... in the gateway's handler:
//   if (Dashboard::Wants(request)) return dashboard.Handle(request, respond);
//   ... wherever something changes that the dashboard shows:
//   dashboard.Changed();
#ifndef BYOSHIN_LOCAL_DASHBOARD_DASHBOARD_H_
#define BYOSHIN_LOCAL_DASHBOARD_DASHBOARD_H_

#include <atomic>
#include <cstddef>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/source.h"

namespace byoshin::local::dashboard {

struct DashboardOptions {
  // Identifies this run of the cloud: versions begin again in each.
  std::string instance = "0";
  // Requests that wait for the dashboard's thread; more are answered with 503.
  std::size_t max_pending = 256;
  // Clients that wait for a change; beyond them the longest waiting one is
  // answered without any.
  std::size_t max_waiting = 64;
};

// Thread-safe. The source and the panels must outlive it.
//
// Runs on a separate thread, which may wait for services without blocking the
// gateway. It neither waits on the clock nor holds it, so that looking at a
// simulation does not slow it down.
class Dashboard {
 public:
  Dashboard(DashboardSource& source, const Panels& panels,
            DashboardOptions options = {});
  // Requests under way are dropped unanswered.
  ~Dashboard();
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;

  // Whether a request to the cloud's one port is for the dashboard and not for
  // an AWS service.
  static bool Wants(const http::ServerRequest& request);

  // Does not block.
  void Handle(const http::ServerRequest& request, http::Responder respond);

  // To be called after something has changed that the source reports. Does not
  // block, and does not call the source.
  void Changed();

  // Answers requests that wait for a change, now and in future, so that they do
  // not delay the cloud's stop. Does not block.
  void EndLongPolls();

 private:
  struct Pending {
    http::ServerRequest request;
    http::Responder respond;
  };
  struct Waiting {
    std::string cursor;
    http::Responder respond;
  };

  void Run();
  void AnswerWaiting();
  void HandleUpdates(const http::ServerRequest& request,
                     const http::Responder& respond);
  http::ServerResponse StatusAnswer();
  std::string Cursor() const;

  http::ServerResponse PageAnswer(const http::ServerRequest& request) const;

  DashboardSource& source_;
  const Panels& panels_;
  const DashboardOptions options_;

  sync::Mutex mutex_;
  sync::Condition something_to_do_;
  std::deque<Pending> pending_ ABSL_GUARDED_BY(mutex_);
  bool changed_ ABSL_GUARDED_BY(mutex_) = false;
  // A request may wait for a change. Otherwise the thread is not woken: things
  // change thousands of times a second.
  bool awaited_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<bool> ending_ = false;

  // Only of the thread below.
  std::vector<Waiting> waiting_;

  std::thread thread_;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_DASHBOARD_H_
