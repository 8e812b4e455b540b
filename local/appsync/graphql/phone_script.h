// The library that checks phone numbers.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PHONE_SCRIPT_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PHONE_SCRIPT_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::appsync::graphql {

absl::string_view PhoneNumberScript();

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PHONE_SCRIPT_H_
