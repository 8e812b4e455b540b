// Clients that nobody wants: they send what is not HTTP, too much of it, or
// half of it, and leave when they like.
//
//   for (int kind = 0; kind < 1000; ++kind) {
//     MisbehaveOnce(server->port(), kind, good_request);
//   }
#ifndef BYOSHIN_TESTS_SOAK_HOSTILE_CLIENT_H_
#define BYOSHIN_TESTS_SOAK_HOSTILE_CLIENT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::tests {

// A connection to 127.0.0.1 at which everything may fail. Not thread-safe.
class CarelessSocket {
 public:
  explicit CarelessSocket(std::uint16_t port);
  CarelessSocket(CarelessSocket&& other) noexcept;
  CarelessSocket& operator=(CarelessSocket&&) = delete;
  ~CarelessSocket();

  // What can't be sent is not.
  void Send(absl::string_view bytes);
  // Reads, and throws away, until the other side closes or breaks off.
  void AwaitEnd();
  // Makes closing break off instead.
  void ResetOnClose();

 private:
  int socket_;
};

// Connects, does one of many bad things, and leaves. Which one follows from
// `kind`. `request` is a good one, to be spoiled.
void MisbehaveOnce(std::uint16_t port, int kind, absl::string_view request);

}  // namespace byoshin::tests

#endif  // BYOSHIN_TESTS_SOAK_HOSTILE_CLIENT_H_
