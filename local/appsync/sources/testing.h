// What tests of data sources, and of what stands on them, share.
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_TESTING_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_TESTING_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/iam/role_caller.h"

namespace byoshin::local::appsync {

// The roles of an account without any, in a cloud without other services.
struct NoRoles {
  explicit NoRoles(time::Clock& clock)
      : iam(clock, {}),
        authority(iam, [](const std::string&) {}),
        caller({.iam = iam,
                .authority = authority,
                .clock = clock,
                .account_id = "123456789012",
                .actor = "AppSync",
                .principal = "appsync.amazonaws.com",
                .find_service = [](absl::string_view) -> Service* {
                  return nullptr;
                },
                .endpoint = [] { return std::string(); }}) {}

  iam::Iam iam;
  iam::Authority authority;
  iam::RoleCaller caller;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_TESTING_H_
