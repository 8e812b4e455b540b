// The unpacked code of functions, in a read-only folder for each content: a
// known zip is not unpacked again, and a new one never changes the files of a
// running function.
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

// The bytes of a zip and their digest, which is computed once: for a known zip,
// that is the most expensive step. Copies share the bytes.
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
  // kUnpackedAgain: the folder existed, but did not match the zip.
  enum class How { kFound, kUnpacked, kUnpackedAgain };
  Code code{};
  How how = How::kFound;
};

// Thread-safe; several processes may use one folder.
class CodeStore {
 public:
  // Creates the folder if it is missing, and removes the remains of an
  // interrupted unpacking.
  static absl::StatusOr<CodeStore> Open(std::string folder);

  // Rejects what Lambda could not start: a zip that is damaged, too large, or
  // has no executable file `bootstrap` at its root. The folder is created as a
  // whole or not at all. The files of an existing folder are compared with the
  // zip's checksums: root can write to read-only files, and disks fail.
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
