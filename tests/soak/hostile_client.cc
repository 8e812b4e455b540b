#include "tests/soak/hostile_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::tests {
namespace {

// Longer than any gateway reads of a header.
constexpr std::size_t kHugeHeaderBytes = std::size_t{256} << 10;
constexpr int kPipelined = 10;

// Each is answered with an error or not at all, and then cut off.
constexpr absl::string_view kMalformed[] = {
    "\r\n\r\n\1\2 garbage\r\n\r\n",
    "GET\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
    "Content-Length: 2\r\n\r\n12",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    "ZZZ\r\n\r\n",
    "GET / HTTP/1.1\r\nHost : x\r\n folded\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nno preface",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n and no frame of settings",
};

}  // namespace

CarelessSocket::CarelessSocket(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address),
                sizeof(address)) != 0) {
    ::close(std::exchange(socket_, -1));
  }
}

CarelessSocket::CarelessSocket(CarelessSocket&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)) {}

CarelessSocket::~CarelessSocket() {
  if (socket_ >= 0) ::close(socket_);
}

void CarelessSocket::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(sent);
  }
}

void CarelessSocket::AwaitEnd() {
  char buffer[4096];
  while (::recv(socket_, buffer, sizeof(buffer), 0) > 0) {
  }
}

void CarelessSocket::ResetOnClose() {
  const linger at_once = {.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

void MisbehaveOnce(std::uint16_t port, int kind, absl::string_view request) {
  constexpr int kMalformedKinds = std::size(kMalformed);
  CarelessSocket socket(port);
  const int which = kind % (kMalformedKinds + 6);
  if (which < kMalformedKinds) {
    socket.Send(kMalformed[which]);
    return socket.AwaitEnd();
  }
  switch (which - kMalformedKinds) {
    case 0:  // a header without end
      socket.Send(absl::StrCat("GET / HTTP/1.1\r\nHost: x\r\nX-Long: ",
                               std::string(kHugeHeaderBytes, 'a')));
      return socket.AwaitEnd();
    case 1:  // leaves in the middle of the header, anywhere
      return socket.Send(request.substr(0, kind % request.size()));
    case 2:  // breaks off in the middle
      socket.ResetOnClose();
      return socket.Send(request.substr(0, kind % request.size()));
    case 3:  // does not wait for the answer
      return socket.Send(request);
    case 4:  // asks much at once, and breaks off
      socket.ResetOnClose();
      for (int i = 0; i < kPipelined; ++i) socket.Send(request);
      return;
    default:  // leaves at once
      return;
  }
}

}  // namespace byoshin::tests
