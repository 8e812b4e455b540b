// Parses the flags that say which callers the local cloud accepts.
//
//   ParseCredentials("AKIAMINE:s3cr3t");          // --credentials=
//   ParseOrigin("https://app.example.com");       // --allow-origin=
//   ParseHostName("host.docker.internal");        // --allow-host=
//
// Errors are InvalidArgument, name the flag, and say what it expects.
#ifndef BYOSHIN_LOCAL_GATEWAY_ACCESS_FLAGS_H_
#define BYOSHIN_LOCAL_GATEWAY_ACCESS_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"

namespace byoshin::local {

inline constexpr char kCredentialsFlag[] = "credentials";
inline constexpr char kAllowOriginFlag[] = "allow-origin";
inline constexpr char kAllowHostFlag[] = "allow-host";
inline constexpr char kAddressFlag[] = "address";

// KEY:SECRET. Errors never contain the secret or the key.
absl::StatusOr<LocalCredentials> ParseCredentials(absl::string_view text);

// In the form of the Origin header.
absl::StatusOr<std::string> ParseOrigin(absl::string_view text);

// In lower case.
absl::StatusOr<std::string> ParseHostName(absl::string_view text);

// Rejects the default credentials for a cloud that is reachable under a host
// name other than loopback: they are publicly known, and under such a name the
// gateway can't always tell a web page's request from a program's (guard.h).
absl::Status CheckCredentials(const GatewayOptions& gateway,
                              const std::vector<LocalCredentials>& credentials);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_ACCESS_FLAGS_H_
