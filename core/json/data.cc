#include "core/json/data.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/data_node.h"

namespace byoshin::json {

using internal::AddSizes;
using internal::DataNode;

namespace internal {
namespace {

// What is nested deeper is released by a loop rather than by recursion.
constexpr uint32_t kMaxRecursiveDepth = 64;

}  // namespace

DataNode* DataNode::Allocate(size_t size, size_t bytes) {
  DataNode* const node =
      new (::operator new(sizeof(DataNode) + bytes)) DataNode;
  node->size = size;
  return node;
}

DataNode* DataNode::NewString(absl::string_view value, size_t json_size) {
  DataNode* const node = Allocate(value.size(), value.size());
  if (!value.empty()) {
    std::memcpy(node->characters(), value.data(), value.size());
  }
  node->json_size = json_size;
  return node;
}

DataNode* DataNode::NewArray(Data* first, size_t size) {
  DataNode* const node = Allocate(size, size * sizeof(Data));
  size_t depth = 0;
  // The brackets and the commas.
  size_t json_size = size == 0 ? 2 : size + 1;
  Data* const elements = node->elements();
  for (size_t i = 0; i < size; ++i) {
    depth = std::max(depth, first[i].depth());
    json_size = AddSizes(json_size, first[i].JsonSize());
    new (elements + i) Data(std::move(first[i]));
  }
  node->depth = static_cast<uint32_t>(depth + 1);
  node->json_size = json_size;
  return node;
}

DataNode* DataNode::NewObject(Data::Member* first, size_t size) {
  const bool indexed = size > kMaxUnindexedMembers;
  DataNode* const node = Allocate(
      size,
      size * (sizeof(Data::Member) + (indexed ? sizeof(uint32_t) : size_t{0})));
  size_t depth = 0;
  // The brackets, the colons and the commas.
  size_t json_size = size == 0 ? 2 : 2 * size + 1;
  Data::Member* const members = node->members();
  for (size_t i = 0; i < size; ++i) {
    depth = std::max(depth, first[i].value.depth());
    json_size = AddSizes(json_size, first[i].value.JsonSize());
    json_size = AddSizes(json_size, first[i].key.JsonSize());
    new (members + i) Data::Member(std::move(first[i]));
  }
  node->depth = static_cast<uint32_t>(depth + 1);
  node->json_size = json_size;
  if (indexed) {
    uint32_t* const index = node->index();
    std::iota(index, index + size, 0);
    std::sort(index, index + size, [members](uint32_t a, uint32_t b) {
      return members[a].name() < members[b].name();
    });
  }
  return node;
}

void DataNode::Release(DataNode* node, Data::Kind kind) {
  // Nobody else can get hold of what has one owner, so that needs no atomic
  // subtraction, which is what most releases would consist of.
  if (node->references.load(std::memory_order_acquire) != 1 &&
      node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  // Children that are too deep for recursion are moved here first.
  std::vector<Data> deep;
  const auto take = [&deep](Data& child) {
    if (child.depth() > kMaxRecursiveDepth) deep.push_back(std::move(child));
  };
  const auto empty = [&take](DataNode* of, Data::Kind type) {
    if (type == Data::Kind::kArray) {
      for (size_t i = 0; i < of->size; ++i) {
        take(of->elements()[i]);
        of->elements()[i].~Data();
      }
    } else if (type == Data::Kind::kObject) {
      for (size_t i = 0; i < of->size; ++i) {
        take(of->members()[i].value);
        of->members()[i].~Member();
      }
    }
    of->~DataNode();
    ::operator delete(of);
  };
  empty(node, kind);
  while (!deep.empty()) {
    const Data next = std::move(deep.back());
    deep.pop_back();
    DataNode* const of = next.scalar_.node;
    if (of->references.load(std::memory_order_acquire) != 1) continue;
    // The last owner is `next`: its children outlive it in `deep`.
    if (next.kind_ == Data::Kind::kArray) {
      for (size_t i = 0; i < of->size; ++i) take(of->elements()[i]);
    } else {
      for (size_t i = 0; i < of->size; ++i) take(of->members()[i].value);
    }
  }
}

}  // namespace internal

Data::Data(Kind kind, DataNode* node) : kind_(kind) { scalar_.node = node; }

Data::Data(const Data& other) : kind_(other.kind_), scalar_(other.scalar_) {
  if (has_node()) {
    scalar_.node->references.fetch_add(1, std::memory_order_relaxed);
  }
}

Data& Data::operator=(const Data& other) {
  Data copy(other);
  return *this = std::move(copy);
}

void Data::Release() { DataNode::Release(scalar_.node, kind_); }

Data Data::Boolean(bool value) {
  Data data;
  data.kind_ = value ? Kind::kTrue : Kind::kFalse;
  return data;
}

Data Data::Integer(int64_t value) {
  Data data;
  data.kind_ = Kind::kInteger;
  data.scalar_.integer = value;
  return data;
}

Data Data::Double(double value) {
  Data data;
  if (!std::isfinite(value)) return data;
  data.kind_ = Kind::kDouble;
  data.scalar_.number = value;
  return data;
}

Data Data::JavaScriptNumber(double value) {
  // From here on, JavaScript prints an exponent.
  constexpr double kLargest = 1e21;
  constexpr double kInt64 = 9223372036854775808.0;
  if (std::trunc(value) != value || std::abs(value) >= kLargest) {
    return Double(value);
  }
  if (std::abs(value) < kInt64) return Integer(static_cast<int64_t>(value));
  char text[internal::kMaxDoubleLength];
  const std::to_chars_result end = std::to_chars(
      text, text + sizeof(text), value, std::chars_format::fixed, 0);
  return BigNumber(absl::string_view(text, end.ptr - text));
}

Data Data::BigNumber(absl::string_view text) {
  return Data(Kind::kBigNumber, DataNode::NewString(text, text.size()));
}

Data Data::String(absl::string_view value) {
  return Data(Kind::kString,
              DataNode::NewString(value, internal::PrintedSize(value)));
}

Data Data::Array(std::vector<Data> elements) {
  return Data(Kind::kArray,
              DataNode::NewArray(elements.data(), elements.size()));
}

const Data& Data::EmptyObject() {
  static const Data& empty = *new Data(ObjectBuilder().Build());
  return empty;
}

Data::Type Data::type() const {
  switch (kind_) {
    case Kind::kNull:
      return Type::kNull;
    case Kind::kFalse:
    case Kind::kTrue:
      return Type::kBoolean;
    case Kind::kInteger:
    case Kind::kDouble:
    case Kind::kBigNumber:
      return Type::kNumber;
    case Kind::kString:
      return Type::kString;
    case Kind::kArray:
      return Type::kArray;
    case Kind::kObject:
      break;
  }
  return Type::kObject;
}

double Data::number() const {
  if (kind_ == Kind::kInteger) return static_cast<double>(scalar_.integer);
  if (kind_ == Kind::kDouble) return scalar_.number;
  double value = 0;
  (void)absl::SimpleAtod(
      absl::string_view(scalar_.node->characters(), scalar_.node->size),
      &value);
  return value;
}

absl::string_view Data::string() const {
  return absl::string_view(scalar_.node->characters(), scalar_.node->size);
}

size_t Data::size() const {
  return is_array() || is_object() ? scalar_.node->size : 0;
}

absl::Span<const Data> Data::elements() const {
  if (!is_array()) return {};
  return absl::MakeConstSpan(scalar_.node->elements(), scalar_.node->size);
}

absl::Span<const Data::Member> Data::members() const {
  if (!is_object()) return {};
  return absl::MakeConstSpan(scalar_.node->members(), scalar_.node->size);
}

const Data* Data::Find(absl::string_view name) const {
  if (!is_object()) return nullptr;
  const size_t count = scalar_.node->size;
  const Member* const members = scalar_.node->members();
  if (count <= internal::kMaxUnindexedMembers) {
    for (size_t i = 0; i < count; ++i) {
      if (members[i].name() == name) return &members[i].value;
    }
    return nullptr;
  }
  const uint32_t* const index = scalar_.node->index();
  const uint32_t* const found =
      std::lower_bound(index, index + count, name,
                       [members](uint32_t position, absl::string_view wanted) {
                         return members[position].name() < wanted;
                       });
  if (found == index + count || members[*found].name() != name) return nullptr;
  return &members[*found].value;
}

size_t Data::depth() const {
  return is_array() || is_object() ? scalar_.node->depth : 0;
}

namespace {

using DataPair = std::pair<const Data*, const Data*>;

bool SameScalar(const Data& a, const Data& b) {
  switch (a.type()) {
    case Data::Type::kNull:
      return true;
    case Data::Type::kBoolean:
      return a.boolean() == b.boolean();
    case Data::Type::kNumber:
      if (a.is_integer() && b.is_integer()) return a.integer() == b.integer();
      return a.number() == b.number();
    default:
      return a.string() == b.string();
  }
}

// Adds the pairs of children that must be equal; false if there can't be any.
bool AddChildren(const Data& a, const Data& b,
                 absl::InlinedVector<DataPair, 16>& pairs) {
  if (a.size() != b.size()) return false;
  if (a.is_array()) {
    for (size_t i = 0; i < a.size(); ++i) {
      pairs.emplace_back(&a.elements()[i], &b.elements()[i]);
    }
    return true;
  }
  for (const Data::Member& member : a.members()) {
    const Data* const other = b.Find(member.name());
    if (other == nullptr) return false;
    pairs.emplace_back(&member.value, other);
  }
  return true;
}

}  // namespace

bool operator==(const Data& a, const Data& b) {
  absl::InlinedVector<DataPair, 16> pairs = {{&a, &b}};
  while (!pairs.empty()) {
    const auto [left, right] = pairs.back();
    pairs.pop_back();
    if (left->type() != right->type()) return false;
    if (left->is_array() || left->is_object()) {
      if (left->scalar_.node == right->scalar_.node) continue;
      if (!AddChildren(*left, *right, pairs)) return false;
    } else if (!SameScalar(*left, *right)) {
      return false;
    }
  }
  return true;
}

namespace {

// An object that is built with more members has an index meanwhile.
constexpr size_t kMaxSearchedMembers = 16;

}  // namespace

ObjectBuilder::ObjectBuilder(const Data& object) {
  members_.reserve(object.size() + 1);
  for (const Data::Member& member : object.members()) {
    Set(member.key, member.value);
  }
}

size_t ObjectBuilder::IndexOf(absl::string_view name) const {
  if (!index_.empty()) {
    const auto found = index_.find(name);
    return found == index_.end() ? members_.size() : found->second;
  }
  for (size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].name() == name) return i;
  }
  return members_.size();
}

void ObjectBuilder::Set(absl::string_view name, Data value) {
  const size_t at = IndexOf(name);
  if (at < members_.size()) {
    members_[at].value = std::move(value);
    return;
  }
  Set(Data::String(name), std::move(value));
}

void ObjectBuilder::Set(const Data& key, Data value) {
  const size_t at = IndexOf(key.string());
  if (at < members_.size()) {
    members_[at].value = std::move(value);
    return;
  }
  members_.push_back({key, std::move(value)});
  if (!index_.empty()) {
    index_.emplace(key.string(), at);
  } else if (members_.size() > kMaxSearchedMembers) {
    for (size_t i = 0; i < members_.size(); ++i) {
      index_.emplace(members_[i].name(), i);
    }
  }
}

void ObjectBuilder::Remove(absl::string_view name) {
  const size_t at = IndexOf(name);
  if (at == members_.size()) return;
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(at));
  if (index_.empty()) return;
  index_.clear();
  for (size_t i = 0; i < members_.size(); ++i) {
    index_.emplace(members_[i].name(), i);
  }
}

Data ObjectBuilder::Build() && {
  return Data(Data::Kind::kObject,
              DataNode::NewObject(members_.data(), members_.size()));
}

absl::string_view DescribeType(const Data& data) {
  switch (data.type()) {
    case Data::Type::kNull:
      return "null";
    case Data::Type::kBoolean:
      return "boolean";
    case Data::Type::kNumber:
      return "number";
    case Data::Type::kString:
      return "string";
    case Data::Type::kArray:
      return "array";
    case Data::Type::kObject:
      break;
  }
  return "object";
}

Data Merged(const Data& object, const Data& changes) {
  if (changes.size() == 0) return object;
  if (object.size() == 0) return changes;
  ObjectBuilder builder(object);
  for (const Data::Member& member : changes.members()) {
    builder.Set(member.key, member.value);
  }
  return std::move(builder).Build();
}

namespace {

Json::Value ToJsonValueOf(const Data& data) {
  switch (data.type()) {
    case Data::Type::kNull:
      return Json::Value();
    case Data::Type::kBoolean:
      return Json::Value(data.boolean());
    case Data::Type::kNumber:
      if (data.is_integer()) return Json::Value(Json::Int64{data.integer()});
      return Json::Value(data.number());
    case Data::Type::kString: {
      const absl::string_view text = data.string();
      return Json::Value(text.data(), text.data() + text.size());
    }
    case Data::Type::kArray: {
      Json::Value array(Json::arrayValue);
      for (const Data& element : data.elements()) {
        array.append(ToJsonValueOf(element));
      }
      return array;
    }
    case Data::Type::kObject:
      break;
  }
  Json::Value object(Json::objectValue);
  for (const Data::Member& member : data.members()) {
    object[std::string(member.name())] = ToJsonValueOf(member.value);
  }
  return object;
}

}  // namespace

absl::StatusOr<Json::Value> ToJsonValue(const Data& data) {
  if (data.depth() > kMaxDataDepth) {
    return absl::InvalidArgumentError(
        absl::StrCat("nested more than ", kMaxDataDepth, " deep"));
  }
  return ToJsonValueOf(data);
}

Data FromJsonValue(const Json::Value& value) {
  switch (value.type()) {
    case Json::nullValue:
      return Data();
    case Json::booleanValue:
      return Data::Boolean(value.asBool());
    case Json::intValue:
      return Data::Integer(value.asInt64());
    case Json::uintValue:
      if (value.isInt64()) return Data::Integer(value.asInt64());
      return Data::JavaScriptNumber(value.asDouble());
    case Json::realValue:
      return Data::Double(value.asDouble());
    case Json::stringValue: {
      const char* begin = nullptr;
      const char* end = nullptr;
      value.getString(&begin, &end);
      return Data::String(
          absl::string_view(begin, static_cast<size_t>(end - begin)));
    }
    case Json::arrayValue: {
      std::vector<Data> elements;
      elements.reserve(value.size());
      for (const Json::Value& element : value) {
        elements.push_back(FromJsonValue(element));
      }
      return Data::Array(std::move(elements));
    }
    case Json::objectValue:
      break;
  }
  ObjectBuilder object;
  for (auto it = value.begin(); it != value.end(); ++it) {
    object.Set(it.name(), FromJsonValue(*it));
  }
  return std::move(object).Build();
}

}  // namespace byoshin::json
