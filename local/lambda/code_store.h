// The code of functions, unpacked, in a read-only folder for each content: a
// zip that was unpacked before is there already, and a new one never touches
// the files of a function that runs.
//
//   absl::StatusOr<CodeStore> store = CodeStore::Open("/data/code");
//   absl::StatusOr<UnpackedCode> unpacked = store->Unpack(Zip(bytes));
//   if (!unpacked.ok()) return unpacked.status();
//   Start(unpacked->code.folder + "/bootstrap");
#ifndef BYOSHIN_LOCAL_LAMBDA_CODE_STORE_H_
#define BYOSHIN_LOCAL_LAMBDA_CODE_STORE_H_

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace byoshin::local::lambda {

// The bytes of a zip with their digest, which is worked out once: that takes
// longer than anything else that is done with a zip that is known already.
// Copies share the bytes.
class Zip {
 public:
  explicit Zip(std::string bytes);

  const std::string& bytes() const { return *bytes_; }
  // SHA-256, in hexadecimal.
  const std::string& digest() const { return digest_; }

 private:
  std::shared_ptr<const std::string> bytes_;
  std::string digest_;
};

struct Code {
  // SHA-256 of the zip, in hexadecimal; names the folder.
  std::string digest{};
  std::string folder{};
  std::size_t zip_bytes = 0;
};

struct UnpackedCode {
  // kUnpackedAgain: the folder was there, but was not what the zip has in it.
  enum class How { kFound, kUnpacked, kUnpackedAgain };
  Code code{};
  How how = How::kFound;
};

// Thread-safe; several processes may use one folder.
class CodeStore {
 public:
  // Makes the folder if it is missing, and removes what an interrupted
  // unpacking has left.
  static absl::StatusOr<CodeStore> Open(std::string folder);

  // Refuses what Lambda could not start: a zip that is damaged, too large, or
  // has no executable file `bootstrap` at its root. Either the whole folder is
  // there afterwards or none. The files of a folder that is there are checked
  // against the zip's checksums: root can write to read-only files, and disks
  // fail.
  absl::StatusOr<UnpackedCode> Unpack(const Zip& zip) const;

  // Removes the code of all other digests.
  absl::Status KeepOnly(const std::set<std::string>& digests) const;

 private:
  explicit CodeStore(std::string folder) : folder_(std::move(folder)) {}

  absl::Status Remove(const std::string& name) const;

  std::string folder_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_CODE_STORE_H_
