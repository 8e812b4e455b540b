#include "local/lambda/connection_owner.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace byoshin::local::lambda {
namespace {

namespace fs = std::filesystem;

// The inode of the socket on 127.0.0.1 that has `port`, and `peer_port` at the
// other end; of a listening one if there is no other. 0 if no process has it
// any more; nullopt if the kernel tells of none.
std::optional<std::uint32_t> InodeOf(std::uint16_t port,
                                     std::uint16_t peer_port) {
  struct {
    nlmsghdr header;
    inet_diag_req_v2 body;
  } request = {};
  request.header.nlmsg_len = sizeof(request);
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.body.sdiag_family = AF_INET;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = ~std::uint32_t{0};
  request.body.id.idiag_sport = htons(port);
  request.body.id.idiag_dport = htons(peer_port);
  request.body.id.idiag_src[0] = htonl(INADDR_LOOPBACK);
  request.body.id.idiag_dst[0] = htonl(INADDR_LOOPBACK);
  std::fill_n(request.body.id.idiag_cookie, 2, INET_DIAG_NOCOOKIE);

  const int descriptor =
      socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (descriptor < 0) return std::nullopt;
  const absl::Cleanup close_it = [descriptor] { close(descriptor); };
  // The kernel answers before send() returns.
  if (send(descriptor, &request, sizeof(request), 0) != sizeof(request)) {
    return std::nullopt;
  }
  struct {
    nlmsghdr header;
    inet_diag_msg body;
    char attributes[512];
  } answer = {};
  const ssize_t size = recv(descriptor, &answer, sizeof(answer), MSG_DONTWAIT);
  if (size <
          static_cast<ssize_t>(sizeof(answer.header) + sizeof(answer.body)) ||
      answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY) {
    return std::nullopt;
  }
  return answer.body.idiag_inode;
}

bool HasSocket(pid_t process, const std::string& socket) {
  std::error_code error;
  fs::directory_iterator entry(absl::StrCat("/proc/", process, "/fd"), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    if (fs::read_symlink(entry->path(), gone) == socket) return true;
  }
  return false;
}

}  // namespace

bool MayBelongTo(pid_t group, std::uint16_t client_port,
                 std::uint16_t server_port) {
  const std::optional<std::uint32_t> inode = InodeOf(client_port, server_port);
  // Either the client is gone, or the kernel tells of no socket at all, not
  // even of the one that listens.
  if (!inode.has_value()) return !InodeOf(server_port, 0).has_value();
  const std::string socket = absl::StrCat("socket:[", *inode, "]");
  // Nearly always the process that leads the group.
  if (HasSocket(group, socket)) return true;
  std::error_code error;
  fs::directory_iterator entry("/proc", error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    pid_t process = 0;
    if (absl::SimpleAtoi(entry->path().filename().string(), &process) &&
        process != group && getpgid(process) == group &&
        HasSocket(process, socket)) {
      return true;
    }
  }
  return false;
}

}  // namespace byoshin::local::lambda
