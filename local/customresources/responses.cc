#include "local/customresources/responses.h"

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
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::local::customresources {
namespace {

absl::Status StoppingError() {
  return absl::UnavailableError("the cloud is being stopped");
}

}  // namespace

std::string Responses::Open() {
  std::string path =
      absl::StrCat(kResponsePathPrefix, random::NewHex(), random::NewHex(),
                   random::NewHex(), random::NewHex());
  auto awaited = std::make_shared<Awaited>();
  awaited->wakeup = clock_.NewWakeup();
  const sync::MutexLock lock(mutex_);
  awaited_.emplace(path, std::move(awaited));
  return path;
}

bool Responses::Answer(const std::string& path,
                       absl::StatusOr<std::string> answer) {
  const sync::MutexLock lock(mutex_);
  const auto found = awaited_.find(path);
  if (found == awaited_.end() || found->second->answer.has_value()) {
    return false;
  }
  found->second->answer = std::move(answer);
  found->second->wakeup->Wake();
  return true;
}

void Responses::Fail(const std::string& path, absl::Status reason) {
  Answer(path, std::move(reason));
}

absl::StatusOr<std::string> Responses::Await(const std::string& path,
                                             absl::Time deadline) {
  std::shared_ptr<Awaited> awaited;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = awaited_.find(path);
    if (found == awaited_.end()) {
      return absl::NotFoundError("nobody awaits an answer there");
    }
    awaited = found->second;
    if (closed_ && !awaited->answer.has_value()) {
      awaited->answer = StoppingError();
    }
    if (awaited->answer.has_value()) {
      awaited_.erase(found);
      return *std::move(awaited->answer);
    }
  }
  awaited->wakeup->WaitUntil(deadline);
  const sync::MutexLock lock(mutex_);
  awaited_.erase(path);
  if (awaited->answer.has_value()) return *std::move(awaited->answer);
  return absl::DeadlineExceededError("there was no answer in time");
}

void Responses::Close() {
  const sync::MutexLock lock(mutex_);
  closed_ = true;
  for (const auto& [path, awaited] : awaited_) {
    if (awaited->answer.has_value()) continue;
    awaited->answer = StoppingError();
    awaited->wakeup->Wake();
  }
}

bool Responses::Take(const http::ServerRequest& request,
                     const http::Responder& respond) {
  if (!absl::StartsWith(request.path, kResponsePathPrefix)) return false;
  if (request.method != "PUT") {
    respond({.status = 405, .headers = {{"Allow", "PUT"}}});
  } else if (Answer(request.path, request.body)) {
    respond({.status = 200});
  } else {
    // As S3 says to a URL that has expired.
    respond({.status = 403, .body = "the URL is invalid or was used already"});
  }
  return true;
}

}  // namespace byoshin::local::customresources
