// Tries the data of Step Functions on any bytes.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void TryOne(absl::string_view input) {
  const absl::StatusOr<Data> data = Data::Parse(input);
  if (!data.ok()) {
    Require(data.status().code() == absl::StatusCode::kInvalidArgument,
            "what is refused is an invalid argument");
    return;
  }
  const std::string text = data->ToJson();
  Require(text.size() == data->JsonSize(), "the printed size is known before");
  Require(data->depth() <= kMaxDataDepth, "the depth is bounded");
  const absl::StatusOr<Data> again = Data::Parse(text);
  Require(again.ok() && *again == *data, "what is printed is the same data");
  Require(again->ToJson() == text, "what is printed stays the same");
  Require(ToJsonValue(*data).ok(), "it has a form for jsoncpp");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::stepfunctions::TryOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
