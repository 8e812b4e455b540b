// How Data keeps what does not fit into a word. Only for data*.cc.
#ifndef BYOSHIN_CORE_JSON_DATA_NODE_H_
#define BYOSHIN_CORE_JSON_DATA_NODE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/json/data.h"

namespace byoshin::json::internal {

// Objects with more members have an index for Find().
inline constexpr size_t kMaxUnindexedMembers = 8;

// One block of memory: this header, then the characters, elements or members,
// then, for large objects, the positions of the members in the order of names.
struct DataNode {
  std::atomic<uint32_t> references{1};
  uint32_t depth = 0;
  // What it takes when printed. Saturated.
  size_t json_size = 0;
  size_t size = 0;

  char* characters() { return reinterpret_cast<char*>(this + 1); }
  Data* elements() { return reinterpret_cast<Data*>(this + 1); }
  Data::Member* members() { return reinterpret_cast<Data::Member*>(this + 1); }
  uint32_t* index() { return reinterpret_cast<uint32_t*>(members() + size); }

  static DataNode* Allocate(size_t size, size_t bytes);
  // A string that takes `json_size` when printed.
  static DataNode* NewString(absl::string_view value, size_t json_size);
  // Take over what `first` points to, and leave nulls.
  static DataNode* NewArray(Data* first, size_t size);
  // The names must differ.
  static DataNode* NewObject(Data::Member* first, size_t size);
  // Gives up one reference.
  static void Release(DataNode* node, Data::Kind kind);
};

// What `text` takes when printed, with its quotation marks.
size_t PrintedSize(absl::string_view text);

// a + b, at most the largest size_t.
inline size_t AddSizes(size_t a, size_t b) {
  size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

// Appends as Java's Double.toString: 1.0, 1.0E10.
size_t FormatDouble(double value, char* out);
inline constexpr size_t kMaxDoubleLength = 32;

}  // namespace byoshin::json::internal

#endif  // BYOSHIN_CORE_JSON_DATA_NODE_H_
