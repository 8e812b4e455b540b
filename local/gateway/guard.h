// Which requests the local cloud answers at all, signed or not.
//
// The cloud listens on loopback, but so does everything for a web page that
// runs in a browser on the same machine, and the default credentials are well
// known. So requests that a page on another origin has caused are refused, and
// so are requests for a host name that someone else's DNS could point here.
//
//   const Guard guard({.allowed_origins = {"https://app.example.com"}});
//   const Guard::Verdict verdict = guard.Judge(request);
//   if (!verdict.refusal.empty()) return Forbidden(verdict.refusal);
//
// A request without Origin and Sec-Fetch-Site is taken for a program's, and
// only its host name is checked. Browsers send Sec-Fetch-Site to loopback
// addresses and over HTTPS only, so under other host names an image on a
// foreign page looks like a program; only a secret that the page does not know
// protects from it. See CheckCredentials() in local/gateway/access_flags.h.
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
  // Origins of web pages that may call, besides the cloud's own:
  // "https://app.example.com".
  std::vector<std::string> allowed_origins{};
  // Host names under which the cloud is reached, besides those of this machine
  // and of AWS: "host.docker.internal". In lower case, without a port.
  std::vector<std::string> allowed_hosts{};
};

// Thread-safe.
class Guard {
 public:
  struct Verdict {
    // Why the request is refused. Empty if it may be handled.
    std::string refusal{};
    // The page's origin, if it is one of allowed_origins. Its browser shows it
    // the answer only if that has the headers of local/gateway/cors.h.
    std::string allowed_origin{};
  };

  explicit Guard(GuardOptions options);

  Verdict Judge(const http::ServerRequest& request) const;

 private:
  bool IsKnownHost(absl::string_view host_and_port) const;

  const GuardOptions options_;
  const bool listens_everywhere_;
};

// Whether this is a numeric address other than loopback ones.
bool IsOpenAddress(const std::string& address);

// False if the request says that a page on another origin sent it. True for
// those that don't say, as programs' requests.
bool IsOfOwnOrigin(const http::ServerRequest& request);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_GUARD_H_
