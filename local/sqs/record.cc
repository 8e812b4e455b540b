#include "local/sqs/record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::sqs {
namespace {

constexpr std::size_t kNumberBytes = 8;

}  // namespace

void AppendNumber(uint64_t number, std::string& out) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(number >> shift));
  }
}

void AppendText(absl::string_view text, std::string& out) {
  AppendNumber(text.size(), out);
  out.append(text.data(), text.size());
}

void AppendTime(absl::Time time, std::string& out) {
  AppendNumber(static_cast<uint64_t>(absl::ToUnixMicros(time)), out);
}

void AppendMap(const StringMap& map, std::string& out) {
  AppendNumber(map.size(), out);
  for (const auto& [key, value] : map) {
    AppendText(key, out);
    AppendText(value, out);
  }
}

absl::string_view RecordReader::Take(std::size_t bytes) {
  if (bytes > rest_.size()) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  const absl::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

uint64_t RecordReader::Number() {
  uint64_t number = 0;
  for (const char c : Take(kNumberBytes)) {
    number = number << 8 | static_cast<unsigned char>(c);
  }
  return number;
}

absl::string_view RecordReader::Text() { return Take(Number()); }

absl::Time RecordReader::Time() {
  return absl::FromUnixMicros(static_cast<int64_t>(Number()));
}

StringMap RecordReader::Map() {
  StringMap map;
  for (uint64_t left = Number(); left > 0 && ok_; --left) {
    std::string key(Text());
    map[std::move(key)] = std::string(Text());
  }
  return map;
}

}  // namespace byoshin::local::sqs
