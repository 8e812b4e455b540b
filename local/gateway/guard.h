// Rejects requests that web pages may have caused.
//
// The cloud listens on loopback, which web pages in a browser on the same
// machine can reach, and the default credentials are publicly known. So
// requests from a page on another origin are rejected, and so are requests for
// a host name that a foreign DNS server could resolve to this machine.
//
//   const Guard guard({.allowed_origins = {"https://app.example.com"}});
//   const Guard::Verdict verdict = guard.Judge(request);
//   if (!verdict.refusal.empty()) return Forbidden(verdict.refusal);
//
// A request without Origin and Sec-Fetch-Site is treated as a program's: only
// its host name is checked. Browsers send Sec-Fetch-Site to loopback addresses
// and over HTTPS only, so under other host names a request for an image on a
// foreign page looks like a program's; only secret credentials protect from it.
// See CheckCredentials() in local/gateway/access_flags.h.
#ifndef BYOSHIN_LOCAL_GATEWAY_GUARD_H_
#define BYOSHIN_LOCAL_GATEWAY_GUARD_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"

namespace byoshin::local {

struct GuardOptions {
  // The numeric address that the server listens on.
  std::string address = "127.0.0.1";
  // Origins of web pages that may call, in addition to the cloud's own:
  // "https://app.example.com".
  std::vector<std::string> allowed_origins{};
  // Host names of the cloud, in addition to those of this machine and of AWS:
  // "host.docker.internal". In lower case, without a port.
  std::vector<std::string> allowed_hosts{};
};

// Thread-safe.
class Guard {
 public:
  struct Verdict {
    // The reason if the request is rejected, else empty.
    std::string refusal{};
    // The page's origin, if it is one of allowed_origins. The browser lets the
    // page read the answer only with the headers of local/gateway/cors.h.
    std::string allowed_origin{};
    // Whether the page's origin is the only reason to reject it.
    bool only_foreign_origin = false;
  };

  explicit Guard(GuardOptions options);

  Verdict Judge(const http::ServerRequest& request) const;

 private:
  bool IsKnownHost(absl::string_view host_and_port) const;
  // Whether a page of the cloud itself, at "http://127.0.0.1:4566", calls a
  // REST API under the API's own host. What the page may read is up to the
  // CORS headers of the API.
  bool IsOwnPageForApi(absl::string_view origin, absl::string_view host) const;

  const GuardOptions options_;
  const bool listens_everywhere_;
};

// Whether this is a numeric address other than loopback.
bool IsOpenAddress(const std::string& address);

// False if the headers say that a page on another origin sent the request. True
// if they don't say, as for programs.
bool IsOfOwnOrigin(const http::ServerRequest& request);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_GUARD_H_
