#include "local/sqs/receipt_handle.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "core/crypto/crc32.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

constexpr std::size_t kHandleBytes = 3 * 8;

}  // namespace

std::string FormatReceiptHandle(const ReceiptHandle& handle) {
  std::string bytes;
  AppendNumber(handle.queue, bytes);
  AppendNumber(handle.message, bytes);
  AppendNumber(handle.receipt, bytes);
  AppendNumber(crypto::Crc32(bytes), bytes);
  return absl::Base64Escape(bytes);
}

std::optional<ReceiptHandle> ParseReceiptHandle(absl::string_view text) {
  std::string bytes;
  if (!absl::Base64Unescape(text, &bytes)) return std::nullopt;
  RecordReader reader(bytes);
  ReceiptHandle handle;
  handle.queue = reader.Number();
  handle.message = reader.Number();
  handle.receipt = reader.Number();
  const uint64_t checksum = reader.Number();
  if (!reader.ok() || !reader.rest().empty() ||
      checksum !=
          crypto::Crc32(absl::string_view(bytes).substr(0, kHandleBytes))) {
    return std::nullopt;
  }
  return handle;
}

}  // namespace byoshin::local::sqs
