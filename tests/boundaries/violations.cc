#include "tests/boundaries/violations.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/constraints.h"
#include "local/wire/model.h"
#include "local/wire/model_data.h"

namespace byoshin::boundaries {
namespace {

using local::wire::Shape;
using local::wire::ShapeType;

// Deeper members, which only recursive shapes have, are left out.
constexpr int kMaxDepth = 5;
// Longer texts are not tried: a few models have texts of megabytes.
constexpr std::int64_t kMaxTried = 100'000;

std::string TextOf(std::int64_t length) {
  return std::string(static_cast<std::size_t>(length), 'a');
}

// A value of `length` characters, bytes or elements.
Json::Value Sample(const Shape& shape, std::int64_t length, int depth);

Json::Value Sample(const Shape& shape, int depth) {
  std::int64_t length = std::max<std::int64_t>(shape.min().value_or(1), 1);
  if (shape.max()) length = std::min(length, *shape.max());
  return Sample(shape, length, depth);
}

Json::Value Sample(const Shape& shape, std::int64_t length, int depth) {
  switch (shape.type()) {
    case ShapeType::kText:
      if (!shape.values().empty()) {
        return std::string(*shape.values().begin());
      }
      return TextOf(length);
    case ShapeType::kBlob:
      return absl::Base64Escape(TextOf(length));
    case ShapeType::kBoolean:
      return true;
    case ShapeType::kInteger:
    case ShapeType::kLong:
    case ShapeType::kDouble:
    case ShapeType::kTimestamp:
      return Json::Int64{length};
    case ShapeType::kList: {
      Json::Value list(Json::arrayValue);
      for (std::int64_t i = 0; i < length; ++i) {
        list.append(Sample(shape.element(), depth + 1));
      }
      return list;
    }
    case ShapeType::kMap: {
      Json::Value map(Json::objectValue);
      for (std::int64_t i = 0; i < length; ++i) {
        map[absl::StrCat("k", i)] = Sample(shape.element(), depth + 1);
      }
      return map;
    }
    case ShapeType::kStructure: {
      Json::Value object(Json::objectValue);
      if (depth > kMaxDepth) return object;
      for (const Shape::Member member : shape.members()) {
        if (!member.is_required()) continue;
        object[std::string(member.name())] = Sample(member.shape(), depth + 1);
      }
      return object;
    }
  }
  return {};
}

Json::Value OtherType(const Shape& shape) {
  return shape.type() == ShapeType::kBoolean ? Json::Value("true")
                                             : Json::Value(true);
}

// For a single use.
class Prober {
 public:
  explicit Prober(const Shape& input) : request_(Sample(input, /*depth=*/0)) {
    ProbeMembers(input, request_, "", /*depth=*/0);
  }

  std::vector<Probe> Take() { return std::move(probes_); }

 private:
  void Add(Probe::Kind kind, absl::string_view path) {
    probes_.push_back(
        {.kind = kind, .request = request_, .path = std::string(path)});
  }

  // Sets `place`, which is a part of the request, for one probe.
  void Try(Probe::Kind kind, Json::Value& place, Json::Value value,
           absl::string_view path) {
    std::swap(place, value);
    Add(kind, path);
    std::swap(place, value);
  }

  void ProbeMembers(const Shape& structure, Json::Value& object,
                    const std::string& path, int depth) {
    if (depth > kMaxDepth) return;
    for (const Shape::Member member : structure.members()) {
      const std::string name(member.name());
      const std::string member_path = local::MemberPath(path, name);
      Json::Value before = object;
      if (member.is_required()) {
        object.removeMember(name);
        Add(Probe::Kind::kBreaksConstraint, member_path);
      }
      object[name] = Sample(member.shape(), depth + 1);
      ProbeValue(member.shape(), name, object[name], member_path, depth + 1);
      object = std::move(before);
    }
  }

  // `value` is a valid one, in the request.
  void ProbeValue(const Shape& shape, const std::string& name,
                  Json::Value& value, const std::string& path, int depth) {
    if (!shape.is_document()) {
      Try(Probe::Kind::kHasOtherType, value, OtherType(shape), name);
    }
    if (!shape.values().empty()) {
      Try(Probe::Kind::kBreaksConstraint, value, "no such value", path);
      return;
    }
    ProbeLimits(shape, value, path, depth);
    if (shape.type() == ShapeType::kStructure && !shape.is_document()) {
      ProbeMembers(shape, value, path, depth);
    } else if (shape.type() == ShapeType::kList && value.size() == 1) {
      const Shape element = shape.element();
      const bool is_structure = element.type() == ShapeType::kStructure;
      // The list is named for what is wrong with a simple element.
      ProbeValue(element, name, value[0],
                 is_structure ? absl::StrCat(path, ".1.member") : path,
                 depth + 1);
    }
  }

  void ProbeLimits(const Shape& shape, Json::Value& value,
                   const std::string& path, int depth) {
    const bool is_number = shape.type() == ShapeType::kInteger ||
                           shape.type() == ShapeType::kLong ||
                           shape.type() == ShapeType::kDouble;
    if (shape.min()) {
      Try(Probe::Kind::kReachesBound, value, Sample(shape, *shape.min(), depth),
          path);
      if (is_number || *shape.min() > 0) {
        Try(Probe::Kind::kBreaksConstraint, value,
            Sample(shape, *shape.min() - 1, depth), path);
      }
    }
    if (shape.max() && (is_number || *shape.max() <= kMaxTried)) {
      Try(Probe::Kind::kReachesBound, value, Sample(shape, *shape.max(), depth),
          path);
      // A larger integer has another type.
      if (!is_number || *shape.max() < INT32_MAX) {
        Try(Probe::Kind::kBreaksConstraint, value,
            Sample(shape, *shape.max() + 1, depth), path);
      }
    }
  }

  Json::Value request_;
  std::vector<Probe> probes_;
};

}  // namespace

std::vector<Probe> ProbesOf(const Shape& input) { return Prober(input).Take(); }

}  // namespace byoshin::boundaries
