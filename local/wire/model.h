// AWS's model of a service, as far as it describes requests: the operations,
// and the shapes of what they take. Made from third_party/models at build time,
// so that nothing is parsed when the program starts.
//
//   std::optional<Shape> input = kEventsModel.InputOf("PutRule");
//   for (const Shape::Member member : input->members()) {
//     if (member.is_required()) names.push_back(member.name());
//   }
#ifndef BYOSHIN_LOCAL_WIRE_MODEL_H_
#define BYOSHIN_LOCAL_WIRE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "local/wire/model_data.h"

namespace byoshin::local::wire {

// Refers to tables that live as long as the program. Immutable, so thread-safe.
// So are the classes below.
class Shape {
 public:
  class Member;
  // A range of the tables, for range-based loops.
  template <typename Element>
  class List;

  Shape(const ModelData& model, ShapeIndex index)
      : model_(&model), data_(&model.shapes[index]) {}

  ShapeType type() const { return data_->type; }
  // The limits of a number's value, of a text's characters, of a blob's bytes,
  // or of how many elements a list or map has.
  std::optional<std::int64_t> min() const {
    return Has(kHasMin) ? std::optional(data_->min) : std::nullopt;
  }
  std::optional<std::int64_t> max() const {
    return Has(kHasMax) ? std::optional(data_->max) : std::nullopt;
  }
  // A regular expression as Java has them; empty if the text has none.
  absl::string_view pattern() const { return model_->text + data_->pattern; }
  // Its value must not be repeated in messages.
  bool is_sensitive() const { return Has(kSensitive); }
  // A structure that must have exactly one member.
  bool is_union() const { return Has(kUnion); }
  // Any JSON value.
  bool is_document() const { return Has(kDocument); }

  // The members of a structure.
  List<Member> members() const;
  std::optional<Member> FindMember(absl::string_view name) const;
  // The values that a text may have; empty if it may have any.
  List<absl::string_view> values() const;
  // The elements of a list or the values of a map.
  Shape element() const { return Shape(*model_, data_->element); }
  // The keys of a map.
  Shape key() const { return Shape(*model_, data_->key); }

 private:
  bool Has(ShapeFlag flag) const { return (data_->flags & flag) != 0; }

  const ModelData* model_;
  const ShapeData* data_;
};

class Shape::Member {
 public:
  Member(const ModelData& model, const MemberData& data)
      : model_(&model), data_(&data) {}

  absl::string_view name() const { return model_->text + data_->name; }
  Shape shape() const { return Shape(*model_, data_->shape); }
  bool is_required() const { return data_->is_required; }

 private:
  const ModelData* model_;
  const MemberData* data_;
};

template <typename Element>
class Shape::List {
 public:
  class Iterator {
   public:
    Iterator(const List& list, std::size_t at) : list_(&list), at_(at) {}
    Element operator*() const { return list_->At(at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const List* list_;
    std::size_t at_;
  };

  List(const ModelData& model, std::size_t first, std::size_t size)
      : model_(&model), first_(first), size_(size) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const { return Iterator(*this, 0); }
  Iterator end() const { return Iterator(*this, size_); }

 private:
  Element At(std::size_t index) const;

  const ModelData* model_;
  std::size_t first_;
  std::size_t size_;
};

class Model {
 public:
  constexpr explicit Model(const ModelData& data) : data_(&data) {}

  // Whether AWS has the operation.
  bool Has(absl::string_view operation) const {
    return Find(operation) != nullptr;
  }
  // Whether AWS has the operation and takes it without a signature.
  bool IsUnsigned(absl::string_view operation) const;
  // Returns the input of the operation; nothing if there is no such operation,
  // or if it takes no input.
  std::optional<Shape> InputOf(absl::string_view operation) const;

  std::size_t operation_count() const { return data_->operation_count; }
  absl::string_view operation_name(std::size_t index) const {
    return data_->text + data_->operations[index].name;
  }

 private:
  const OperationData* Find(absl::string_view operation) const;

  const ModelData* data_;
};

}  // namespace byoshin::local::wire

#endif  // BYOSHIN_LOCAL_WIRE_MODEL_H_
