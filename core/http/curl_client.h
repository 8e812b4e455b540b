// The real HTTP client, over libcurl.
//
//   http::CurlClient client(http::FindCaFile(env::OfProcess()));
//   absl::StatusOr<http::Response> response =
//       client.Send({.url = "https://api.example.com/health"});
//
// Made for functions that live long and call few hosts: connections stay open
// from one request to the next. One that the server has closed in the meantime
// is replaced without the caller noticing, by sending the request again, if not
// one byte of an answer has come; so the server may see such a request twice.
//
// What it does not do, on purpose: follow redirects, use proxies (the
// environment's proxy variables are ignored), keep cookies, decompress, speak
// any protocol but HTTP/1.1 with or without TLS.
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
  // follow from the body. Time-outs count in milliseconds, rounded up; one that
  // is not positive has passed already.
  absl::StatusOr<Response> Send(const Request& request) override;

 private:
  struct Handle;

  const std::string ca_file_;
  const std::unique_ptr<Handle> handle_;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CURL_CLIENT_H_
