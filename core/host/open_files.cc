#include "core/host/open_files.h"

#include <sys/resource.h>

namespace byoshin::host {

void AllowManyOpenFiles() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace byoshin::host
