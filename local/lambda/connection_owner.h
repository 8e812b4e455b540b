// Who has made a connection to this machine.
//
//   if (!MayBelongTo(child.pid(), client_port, server_port)) return Refuse();
//
// Used only by local/lambda/runtime_api.h.
#ifndef BYOSHIN_LOCAL_LAMBDA_CONNECTION_OWNER_H_
#define BYOSHIN_LOCAL_LAMBDA_CONNECTION_OWNER_H_

#include <sys/types.h>

#include <cstdint>

namespace byoshin::local::lambda {

// Whether a process of the group has the client's end of the TCP connection on
// 127.0.0.1 between these ports, of which the server still listens on its own.
// False if the client has closed it; true if the kernel does not tell.
bool MayBelongTo(pid_t group, std::uint16_t client_port,
                 std::uint16_t server_port);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_CONNECTION_OWNER_H_
