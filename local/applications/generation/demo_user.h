// A user for trying, in the user pool of the stack. The password is random and
// kept in the data folder, so that it stays the same from start to start.
//
//   absl::StatusOr<DemoUser> user = EnsureDemoUser(
//       {.cognito = cognito, .region = region, .file = folder + "/password"},
//       parts);
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_DEMO_USER_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_DEMO_USER_H_

#include <string>

#include "absl/status/statusor.h"
#include "local/applications/generation/generation_parts.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

struct DemoUser {
  std::string name{};
  std::string password{};
};

// Where users are made.
struct UserWorld {
  Service& cognito;
  std::string region{};
  // Where the password is kept.
  std::string file{};
};

// The name of the user: a mail address if users sign in with one.
std::string DemoUserName(const GenerationParts& parts);

// Creates the user unless it exists. If the password is not known any more, as
// when the file is lost, the user gets a new one. Blocks.
absl::StatusOr<DemoUser> EnsureDemoUser(const UserWorld& world,
                                        const GenerationParts& parts);

// An ID token of a user of this name, who is created if necessary. Blocks.
absl::StatusOr<std::string> IdTokenOf(const UserWorld& world,
                                      const GenerationParts& parts,
                                      const std::string& user);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_DEMO_USER_H_
