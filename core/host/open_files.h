// The limit of open files and connections.
#ifndef BYOSHIN_CORE_HOST_OPEN_FILES_H_
#define BYOSHIN_CORE_HOST_OPEN_FILES_H_

#include "absl/status/status.h"

namespace byoshin::host {

// Raises the limit as far as the system allows. For servers: every client
// takes a file descriptor, and the usual 1024 are soon used up.
void AllowManyOpenFiles();

// The fewest open files that the whole local cloud needs: databases, functions
// and clients.
inline constexpr int kMinOpenFiles = 512;

// FailedPrecondition, with what to do, if fewer than kMinOpenFiles may be open.
absl::Status CheckOpenFiles();

// The number of clients that a server may have at once, at most `wanted`: a
// quarter of the descriptors, and at least 256 if there are as many, are
// reserved for everything else, such as databases and child processes.
int ConnectionsWithinLimit(int wanted);

}  // namespace byoshin::host

#endif  // BYOSHIN_CORE_HOST_OPEN_FILES_H_
