// Zip files for tests.
//
//   std::string zip = MakeZip({{.name = "bootstrap", .mode = 0100755,
//                               .content = program}});
#ifndef BYOSHIN_LOCAL_LAMBDA_TESTING_ZIP_H_
#define BYOSHIN_LOCAL_LAMBDA_TESTING_ZIP_H_

#include <string>
#include <vector>

#include "local/lambda/unzip.h"

namespace byoshin::local::lambda {

// All entries stored. Whatever the names and modes are, they are written.
std::string MakeZip(const std::vector<ZipEntry>& entries);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_TESTING_ZIP_H_
