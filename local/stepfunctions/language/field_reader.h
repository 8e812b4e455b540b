// Reads the fields of an object of a definition, and says what is wrong with
// them in AWS's words. Only for definition*.cc.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_FIELD_READER_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_FIELD_READER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions::internal {

// What a number may be. The greatest values are printed as AWS does it.
struct IntegerRange {
  int64_t min;
  int64_t max;
};

class FieldReader {
 public:
  // `object` and `diagnostics` must outlive this.
  FieldReader(const Data& object, std::string location,
              Diagnostics& diagnostics);

  // False, and a mistake, if this is not an object.
  bool IsObject() const;

  const Data* Find(absl::string_view name) const { return object_.Find(name); }
  bool Has(absl::string_view name) const { return Find(name) != nullptr; }
  const Data& object() const { return object_; }
  // Where this object is: /States/S
  std::string location() const;
  // Where a field is: /States/S/Next
  std::string At(absl::string_view name) const;
  Diagnostics& diagnostics() const { return diagnostics_; }

  // A mistake of this object, or of a field.
  void Mistake(absl::string_view message) const;
  void MistakeAt(absl::string_view name, absl::string_view message) const;

  // Each says so if it is not so.
  void AllowOnly(absl::Span<const absl::string_view> names) const;
  void Require(std::initializer_list<absl::string_view> names) const;
  // At most one of them; `required`: exactly one.
  enum class One { kAtMost, kExactly };
  void RequireOne(std::initializer_list<absl::string_view> names,
                  One one) const;

  // The value of a field. Absent or wrong: empty.
  std::string Text(absl::string_view name) const;
  std::string TextOf(absl::string_view name,
                     std::initializer_list<absl::string_view> values) const;
  std::vector<std::string> Texts(absl::string_view name) const;
  bool Flag(absl::string_view name) const;
  std::optional<int64_t> Integer(absl::string_view name,
                                 IntegerRange range) const;
  // Nothing, and a mistake, if it is not an array.
  absl::Span<const Data> Array(absl::string_view name) const;

 private:
  const Data& object_;
  // Empty for the whole.
  std::string location_;
  Diagnostics& diagnostics_;
};

}  // namespace byoshin::local::stepfunctions::internal

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_FIELD_READER_H_
