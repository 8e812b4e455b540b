// The values of flags that say who may call the local cloud, for all programs
// that have such flags.
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

// KEY:SECRET. No error shows any of it.
absl::StatusOr<LocalCredentials> ParseCredentials(absl::string_view text);

// As browsers write it in the header Origin.
absl::StatusOr<std::string> ParseOrigin(absl::string_view text);

// In lower case.
absl::StatusOr<std::string> ParseHostName(absl::string_view text);

// Refuses the default credentials for a cloud that is reached under other host
// names than those of loopback: everybody knows them, and there the gateway
// can't tell all requests of web pages from those of programs (guard.h).
absl::Status CheckCredentials(const GatewayOptions& gateway,
                              const std::vector<LocalCredentials>& credentials);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_ACCESS_FLAGS_H_
