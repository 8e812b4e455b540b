// What the dashboard and the commands show of a deployed stack, found in its
// resources.
//
//   const StackView view = ViewOf(stack);
//   for (const StackView::Queue& queue : view.queues) ...
#ifndef BYOSHIN_LOCAL_STACK_STACK_VIEW_H_
#define BYOSHIN_LOCAL_STACK_STACK_VIEW_H_

#include <json/json.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::stack {

struct StackView {
  struct Queue {
    std::string stack{};
    std::string name{};  // the logical id
    std::string arn{};
    // Of its dead letters; empty if it has no such queue.
    std::string dead_letter_arn{};
    // What is in it has failed: in another queue, in a function that was
    // invoked asynchronously, or on its way from a rule.
    bool holds_dead_letters = false;
  };
  struct Function {
    std::string stack{};
    std::string name{};
    std::string arn{};
  };
  // A stage of a REST API.
  struct Api {
    std::string stack{};
    std::string name{};
    std::string id{};
    std::string stage{};
  };

  std::string name{};
  std::string description{};
  std::string status{};
  std::vector<Queue> queues{};
  std::vector<Function> functions{};
  std::vector<Api> apis{};
  std::map<std::string, std::string> function_of_log_group{};
  // Of the functions and of the template.
  std::set<std::string> log_groups{};
};

StackView ViewOf(const cloudformation::Stack& stack);

// What a stack's description needs besides the stack.
struct DescribeWorld {
  // Where clients reach the cloud.
  std::string endpoint{};
  // The value of the API key with this id.
  std::function<std::string(absl::string_view id)> key_value{};
};

// The stack as a script wants it: see `stacks` in local/dashboard/api.md.
Json::Value DescribeStack(const cloudformation::Stack& stack,
                          const DescribeWorld& world);

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_STACK_VIEW_H_
