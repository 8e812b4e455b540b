#include "local/cli/data_flag.h"

#include "local/cli/arguments.h"
#include "local/store/data_flags.h"

namespace byoshin::local::cli {

DataFlags ReadDataFlags(const Arguments& arguments) {
  DataFlags flags{.in_memory = arguments.Has(kInMemoryFlag)};
  if (arguments.Has(kDataFlag)) flags.data = arguments.Get(kDataFlag);
  return flags;
}

}  // namespace byoshin::local::cli
