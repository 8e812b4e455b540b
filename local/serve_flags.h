// The command line of //local:serve.
//
//   absl::StatusOr<ServeFlags> flags =
//       ParseServeFlags({"--port=0", "--in-memory"}, env::OfProcess());
#ifndef BYOSHIN_LOCAL_SERVE_FLAGS_H_
#define BYOSHIN_LOCAL_SERVE_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "local/cloud/cloud.h"

namespace byoshin::local {

inline constexpr char kServeUsage[] =
    R"(Serves SQS and DynamoDB on this machine, as AWS does.

  --port=4566                 0 lets the system choose a free one
  --address=127.0.0.1         the numeric address to listen on; one that other
                              machines can reach requires --credentials
  --data=DIR                  where data is kept; by default $BYOSHIN_DATA, or
                              else ~/.local/share/byoshin
  --in-memory                 keep nothing
  --durability=process|full   what is acknowledged survives a crash of the
                              process (default), or also of the machine
  --credentials=KEY:SECRET    credentials to accept instead of test:test
  --allow-origin=ORIGIN       let web pages of this origin call, such as
                              http://localhost:3000
  --allow-host=NAME           accept requests for this host name, besides those
                              of this machine and of AWS; requires
                              --credentials
                              (these three may be repeated)
  --access-log                one JSON line per request on standard output
  --help
  --version
)";

struct ServeFlags {
  cloud::CloudOptions cloud{};
  bool access_log = false;
  // Print kServeUsage and do nothing else.
  bool help = false;
  // Print the version and do nothing else.
  bool version = false;
};

// `arguments` are without the program's name. A relative --data is taken from
// where the person stands, also if Bazel started the program. InvalidArgument,
// saying what was expected, for anything else than the above.
absl::StatusOr<ServeFlags> ParseServeFlags(
    const std::vector<std::string>& arguments,
    const env::Environment& environment);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_SERVE_FLAGS_H_
