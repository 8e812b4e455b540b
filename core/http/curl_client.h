// An HTTP client over libcurl.
//
//   http::CurlClient client(http::FindCaFile(env::OfProcess()));
//   absl::StatusOr<http::Response> response =
//       client.Send({.url = "https://api.example.com/health"});
//
// Connections are kept open between requests. If the server has closed one in
// the meantime and no byte of an answer was received, the request is sent again
// on a new connection, unless Request::resend says otherwise; so the server may
// see such a request twice.
//
// It intentionally does not follow redirects, use proxies (proxy variables are
// ignored), keep cookies or decompress, and supports only HTTP/1.1, with or
// without TLS.
#ifndef BYOSHIN_CORE_HTTP_CURL_CLIENT_H_
#define BYOSHIN_CORE_HTTP_CURL_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/http/client.h"

namespace byoshin::http {

// Not thread-safe: one for each thread.
class CurlClient final : public Client {
 public:
  // Servers must have a certificate signed by an authority in `ca_file`; empty
  // means that no server is trusted, see FindCaFile() of ca_file.h.
  explicit CurlClient(std::string ca_file);
  ~CurlClient() override;

  // Sends `Accept-Encoding: identity` and a User-Agent unless the request has
  // such headers. It may not have Content-Length and Transfer-Encoding, which
  // follow from the body. Timeouts are in milliseconds, rounded up; one that is
  // not positive has already passed.
  absl::StatusOr<Response> Send(const Request& request) override;

 private:
  struct Handle;

  const std::string ca_file_;
  const std::unique_ptr<Handle> handle_;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CURL_CLIENT_H_
