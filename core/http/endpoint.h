// Formats an address and port.
//
//   FormatEndpoint({make_address("::1"), 3000});  // "[::1]:3000"
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_ENDPOINT_H_
#define BYOSHIN_CORE_HTTP_ENDPOINT_H_

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "absl/strings/str_cat.h"

namespace byoshin::http {

inline std::string FormatEndpoint(
    const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return endpoint.address().is_v6()
             ? absl::StrCat("[", address, "]:", endpoint.port())
             : absl::StrCat(address, ":", endpoint.port());
}

// The client's; empty if it has disconnected.
inline std::string RemoteOf(const boost::asio::ip::tcp::socket& socket) {
  boost::system::error_code error;
  const boost::asio::ip::tcp::endpoint remote = socket.remote_endpoint(error);
  return error ? "" : FormatEndpoint(remote);
}

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_ENDPOINT_H_
