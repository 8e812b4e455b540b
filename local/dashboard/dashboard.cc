#include "local/dashboard/dashboard.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/sync/mutex.h"
#include "local/dashboard/answers.h"
#include "local/dashboard/asset_answer.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/endpoints.h"
#include "local/dashboard/guard.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/parameters.h"

namespace byoshin::local::dashboard {
namespace {

constexpr absl::string_view kApiPath = "/_byoshin/api/";
constexpr absl::string_view kPagePath = "/_byoshin/page/";

// The frame's file of this name, or a panel's: "scheduler/panel.js".
const Asset* FindPageFile(absl::string_view name,
                          const std::vector<Panel*>& panels) {
  for (const Panel* panel : panels) {
    absl::string_view rest = name;
    if (absl::ConsumePrefix(&rest, panel->name()) &&
        absl::ConsumePrefix(&rest, "/")) {
      return FindAsset(panel->assets(), rest);
    }
  }
  return FindAsset(FrameAssets(), name);
}

bool IsRead(const http::ServerRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

}  // namespace

Dashboard::Dashboard(DashboardSource& source, const Panels& panels,
                     DashboardOptions options)
    : source_(source),
      panels_(panels),
      options_(std::move(options)),
      thread_([this] { Run(); }) {}

Dashboard::~Dashboard() {
  {
    const sync::MutexLock lock(mutex_);
    stopping_ = true;
  }
  something_to_do_.NotifyOne();
  thread_.join();
}

bool Dashboard::Wants(const http::ServerRequest& request) {
  if (absl::StartsWith(request.path, kApiPath) ||
      absl::StartsWith(request.path, kPagePath)) {
    return true;
  }
  // AWS services are asked at "/", too, but signed: in a header, or in the
  // query of a GET.
  return request.path == "/" && IsRead(request) && request.query.empty() &&
         request.FindHeader("Authorization").empty();
}

void Dashboard::Handle(const http::ServerRequest& request,
                       http::Responder respond) {
  if (const std::optional<std::string> why = WhyRefused(request)) {
    return respond(ErrorAnswer(403, *why));
  }
  if (!absl::StartsWith(request.path, kApiPath)) {
    return respond(IsRead(request) ? PageAnswer(request)
                                   : ErrorAnswer(405, "the page is for GET"));
  }
  {
    const sync::MutexLock lock(mutex_);
    if (pending_.size() < options_.max_pending) {
      pending_.push_back({request, std::move(respond)});
      something_to_do_.NotifyOne();
      return;
    }
  }
  respond(ErrorAnswer(503, "too many requests at a time"));
}

void Dashboard::Changed() {
  {
    const sync::MutexLock lock(mutex_);
    if (!awaited_) return;
    changed_ = true;
  }
  something_to_do_.NotifyOne();
}

void Dashboard::EndLongPolls() {
  ending_ = true;
  Changed();
}

void Dashboard::Run() {
  sync::MutexLock lock(mutex_);
  while (true) {
    while (!stopping_ && !changed_ && pending_.empty()) {
      something_to_do_.Wait(mutex_);
    }
    if (stopping_) return;
    const bool changed = std::exchange(changed_, false);
    std::optional<Pending> next;
    if (!pending_.empty()) {
      next = std::move(pending_.front());
      pending_.pop_front();
    }
    lock.Unlock();
    if (changed) AnswerWaiting();
    if (next.has_value()) {
      const absl::string_view name =
          absl::StripPrefix(next->request.path, kApiPath);
      if (name == "updates" && IsRead(next->request)) {
        HandleUpdates(next->request, next->respond);
      } else if (name == "status" && IsRead(next->request)) {
        next->respond(StatusAnswer());
      } else {
        next->respond(AnswerEndpoint(
            name, next->request, {.source = source_, .panels = panels_.all()}));
      }
    }
    next.reset();
    lock.Lock();
  }
}

http::ServerResponse Dashboard::PageAnswer(
    const http::ServerRequest& request) const {
  absl::string_view name = request.path;
  if (name == "/") {
    name = "index.html";
  } else {
    absl::ConsumePrefix(&name, kPagePath);
  }
  const Asset* asset = FindPageFile(name, panels_.all());
  if (asset == nullptr) return ErrorAnswer(404, "there is no such file");
  return AssetAnswer(request, *asset, ContentSecurityPolicy());
}

std::string Dashboard::Cursor() const {
  return absl::StrCat(options_.instance, "-", source_.version());
}

http::ServerResponse Dashboard::StatusAnswer() {
  // Before the status, so that a change in between is told again rather than
  // never.
  const std::string cursor = Cursor();
  const absl::StatusOr<Status> status = source_.GetStatus();
  if (!status.ok()) return ErrorAnswer(status.status());
  return JsonAnswer(StatusJson(*status, panels_.all(), cursor));
}

void Dashboard::HandleUpdates(const http::ServerRequest& request,
                              const http::Responder& respond) {
  const absl::StatusOr<std::string> after = TextParameter(request, "after");
  if (!after.ok()) return respond(ErrorAnswer(after.status()));
  {
    // First, so that no change is missed after the cursors are compared.
    const sync::MutexLock lock(mutex_);
    awaited_ = true;
  }
  if (ending_ || *after != Cursor()) return respond(StatusAnswer());
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                [](const Waiting& waiting) {
                                  return !waiting.respond.connected();
                                }),
                 waiting_.end());
  if (waiting_.size() >= options_.max_waiting) {
    waiting_.front().respond(StatusAnswer());
    waiting_.erase(waiting_.begin());
  }
  waiting_.push_back({*after, respond});
}

void Dashboard::AnswerWaiting() {
  if (waiting_.empty()) {
    const sync::MutexLock lock(mutex_);
    awaited_ = false;
    return;
  }
  const std::string cursor = Cursor();
  const auto waits_on = [&](const Waiting& waiting) {
    return !ending_ && waiting.cursor == cursor;
  };
  if (std::all_of(waiting_.begin(), waiting_.end(), waits_on)) return;
  const http::ServerResponse answer = StatusAnswer();
  std::vector<Waiting> still;
  for (Waiting& waiting : waiting_) {
    if (waits_on(waiting)) {
      still.push_back(std::move(waiting));
    } else {
      waiting.respond(answer);
    }
  }
  waiting_ = std::move(still);
}

}  // namespace byoshin::local::dashboard
