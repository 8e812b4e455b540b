// Intrinsic functions of JSONPath mode:
//   States.Format('Hello, {}', $.name)
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTRINSIC_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTRINSIC_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {

// Calls can be nested this deep.
inline constexpr int kMaxIntrinsicDepth = 10;

namespace internal {
struct IntrinsicCall;
}  // namespace internal

// Cheap to copy. Thread-safe.
class Intrinsic {
 public:
  // True if `text` looks like a call rather than a path.
  static bool LooksLikeOne(absl::string_view text);
  static absl::StatusOr<Intrinsic> Parse(absl::string_view text);

  const std::string& text() const { return text_; }
  Evaluated<Data> Evaluate(const Scope& scope) const;

 private:
  Intrinsic() = default;

  std::string text_;
  std::shared_ptr<const internal::IntrinsicCall> call_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTRINSIC_H_
