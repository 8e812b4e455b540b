// Processes of a PostgreSQL server whose parent is gone.
#ifndef BYOSHIN_LOCAL_POSTGRES_LEFTOVERS_H_
#define BYOSHIN_LOCAL_POSTGRES_LEFTOVERS_H_

#include <string>

namespace byoshin::local::postgres {

// Kills the processes named "postgres" whose working directory is `data`, an
// absolute path without symbolic links, and waits until they have ended. They
// outlive a server that was killed, for as long as a statement runs, and no
// other server starts on the data meanwhile. Call it only if no server is
// supposed to run there.
void EndLeftovers(const std::string& data);

}  // namespace byoshin::local::postgres

#endif  // BYOSHIN_LOCAL_POSTGRES_LEFTOVERS_H_
