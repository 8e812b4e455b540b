// The tables that model.h reads: without pointers, so that the program maps
// them and never touches what no request needs. Written by compile_model.cc.
#ifndef BYOSHIN_LOCAL_WIRE_MODEL_DATA_H_
#define BYOSHIN_LOCAL_WIRE_MODEL_DATA_H_

#include <cstddef>
#include <cstdint>
#include <limits>

namespace byoshin::local::wire {

enum class ShapeType : std::uint8_t {
  kStructure,
  kList,
  kMap,
  kText,
  kBlob,
  kBoolean,
  kInteger,
  kLong,
  kDouble,
  kTimestamp,
};

enum ShapeFlag : std::uint8_t {
  kHasMin = 1,
  kHasMax = 2,
  kSensitive = 4,
  kUnion = 8,
  kDocument = 16,
};

// Where a text starts in ModelData::text; it ends with a NUL. The first text is
// empty.
using TextOffset = std::uint32_t;
using ShapeIndex = std::uint16_t;
inline constexpr ShapeIndex kNoShape = std::numeric_limits<ShapeIndex>::max();

struct ShapeData {
  ShapeType type;
  std::uint8_t flags;
  // The members of a structure, or the values of a text.
  std::uint16_t count;
  std::uint32_t first;
  TextOffset pattern;
  ShapeIndex element;
  ShapeIndex key;
  std::int64_t min;
  std::int64_t max;
};

// Sorted by name within a structure.
struct MemberData {
  TextOffset name;
  ShapeIndex shape;
  bool is_required;
};

struct OperationData {
  TextOffset name;
  ShapeIndex input;  // kNoShape if it takes nothing
  bool is_unsigned;
};

struct ModelData {
  const char* text;
  const ShapeData* shapes;
  const MemberData* members;
  const TextOffset* values;
  const OperationData* operations;  // sorted by name
  std::size_t operation_count;
};

}  // namespace byoshin::local::wire

#endif  // BYOSHIN_LOCAL_WIRE_MODEL_DATA_H_
