// How many files and connections the system lets a program have open.
#ifndef BYOSHIN_CORE_HOST_OPEN_FILES_H_
#define BYOSHIN_CORE_HOST_OPEN_FILES_H_

namespace byoshin::host {

// Raises the limit as far as the system allows. For servers: every client
// takes a file descriptor, and the usual 1024 are soon used up.
void AllowManyOpenFiles();

}  // namespace byoshin::host

#endif  // BYOSHIN_CORE_HOST_OPEN_FILES_H_
