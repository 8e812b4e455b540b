// The URLs where functions answer requests of CloudFormation: unguessable, and
// good for one answer.
//
//   const std::string path = responses.Open();
//   ... the function is invoked with the URL, and sends PUT to it ...
//   absl::StatusOr<std::string> body = responses.Await(path, deadline);
#ifndef BYOSHIN_LOCAL_CUSTOMRESOURCES_RESPONSES_H_
#define BYOSHIN_LOCAL_CUSTOMRESOURCES_RESPONSES_H_

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::local::customresources {

// How the paths of the URLs begin.
inline constexpr char kResponsePathPrefix[] = "/_byoshin/custom-resources/";

// Thread-safe.
class Responses {
 public:
  // `clock` outlives it.
  explicit Responses(time::Clock& clock) : clock_(clock) {}

  // The path of a new URL.
  std::string Open();
  // Ends the waiting for an answer, unless there is one: no one will send it.
  void Fail(const std::string& path, absl::Status reason);
  // Blocks until there is an answer, and returns its body. DeadlineExceeded if
  // there is none in time; errors of Fail() and Close(). Afterwards, the URL is
  // invalid.
  absl::StatusOr<std::string> Await(const std::string& path,
                                    absl::Time deadline);
  // The cloud stops: Await() returns Unavailable from now on.
  void Close();

  // Takes the answer if the request is one, and returns true; otherwise false.
  bool Take(const http::ServerRequest& request, const http::Responder& respond);

 private:
  struct Awaited {
    std::unique_ptr<time::Wakeup> wakeup;
    std::optional<absl::StatusOr<std::string>> answer;
  };

  // Nothing if the URL is invalid or was answered already. Wakes the waiter.
  bool Answer(const std::string& path, absl::StatusOr<std::string> answer);

  time::Clock& clock_;
  sync::Mutex mutex_;
  std::map<std::string, std::shared_ptr<Awaited>> awaited_  // by path
      ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace byoshin::local::customresources

#endif  // BYOSHIN_LOCAL_CUSTOMRESOURCES_RESPONSES_H_
