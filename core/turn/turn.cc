#include "core/turn/turn.h"

#include <functional>
#include <utility>
#include <vector>

namespace byoshin::turn {
namespace {

thread_local Loop* loop_of_thread = nullptr;

}  // namespace

Put AtEnd(const void* key, Work work) {
  Loop* const loop = loop_of_thread;
  if (loop == nullptr) return Put::kNowhere;
  for (const auto& [other, unused] : loop->due_) {
    if (other == key) return Put::kAlready;
  }
  loop->due_.emplace_back(key, std::move(work));
  if (loop->due_.size() == 1) {
    loop->post_([loop] { loop->EndTurn(); });
  }
  return Put::kAtEnd;
}

Loop::Loop(std::function<void(Work)> post) : post_(std::move(post)) {
  loop_of_thread = this;
}

Loop::~Loop() { loop_of_thread = nullptr; }

void Loop::EndTurn() {
  const auto due = std::exchange(due_, {});
  for (const auto& [key, work] : due) work();
}

Pause::Pause() : loop_(std::exchange(loop_of_thread, nullptr)) {}

Pause::~Pause() { loop_of_thread = loop_; }

}  // namespace byoshin::turn
