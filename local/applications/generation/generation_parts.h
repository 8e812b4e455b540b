// Asynchronous generation in a deployed stack, recognised by the environment
// variables of its functions: other stacks have none.
//
//   if (std::optional<GenerationParts> parts = FindGeneration(stack)) {
//     ... parts->client_id ...
//   }
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_GENERATION_PARTS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_GENERATION_PARTS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "core/aws/rdsdata/client.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {

struct GenerationParts {
  std::string stack_name{};
  // The stage of the REST API.
  std::string api_id{};
  std::string stage{};
  std::string user_pool_id{};
  // The client of the user pool, for web pages.
  std::string client_id{};
  // Whether users sign in with their mail addresses.
  bool users_have_addresses = false;
  // The shortest password that the pool takes.
  std::int64_t password_length = 0;
  // As the administrator of the cluster.
  aws::rdsdata::Database database{};
  // Of the stack's functions: whose calls of models are shown.
  std::set<std::string> role_arns{};
};

// Nothing if the stack lacks one of them.
std::optional<GenerationParts> FindGeneration(
    const cloudformation::Stack& stack);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_GENERATION_PARTS_H_
