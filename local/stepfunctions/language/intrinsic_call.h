// What an intrinsic function is compiled to. Only for intrinsic*.cc.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTRINSIC_CALL_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTRINSIC_CALL_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions::internal {

// The value of a call, or what is wrong with its arguments: a sentence, or
// nothing to say that they are invalid.
struct InvalidArguments {
  std::string detail;
};
using CallResult = std::variant<Data, InvalidArguments>;

using IntrinsicFunction = CallResult (*)(absl::Span<const Data> arguments,
                                         Random& random);

struct IntrinsicSignature {
  absl::string_view name;
  size_t min_arguments;
  size_t max_arguments;
  IntrinsicFunction function;
};

// Null if there is no such function. `name` is such as States.Array.
const IntrinsicSignature* FindIntrinsic(absl::string_view name);

struct IntrinsicCall;

// An argument: a constant, a path, or another call.
using IntrinsicArgument =
    std::variant<Data, Path, std::shared_ptr<const IntrinsicCall>>;

struct IntrinsicCall {
  const IntrinsicSignature* signature = nullptr;
  // As it is written.
  std::string text;
  std::vector<IntrinsicArgument> arguments;
};

}  // namespace byoshin::local::stepfunctions::internal

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTRINSIC_CALL_H_
