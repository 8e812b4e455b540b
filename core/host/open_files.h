// How many files and connections the system lets a program have open.
#ifndef BYOSHIN_CORE_HOST_OPEN_FILES_H_
#define BYOSHIN_CORE_HOST_OPEN_FILES_H_

namespace byoshin::host {

// Raises the limit as far as the system allows. For servers: every client
// takes a file descriptor, and the usual 1024 are soon used up.
void AllowManyOpenFiles();

// How many clients a server may have at once, if it wants `wanted`: so many
// that a quarter of the descriptors, and at least 256 where there are as many,
// is left for everything else, such as databases and child processes.
int ConnectionsWithinLimit(int wanted);

}  // namespace byoshin::host

#endif  // BYOSHIN_CORE_HOST_OPEN_FILES_H_
