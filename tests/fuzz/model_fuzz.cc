// Tries any bytes as a model and a document: the text before the first line
// break, and the text after it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/models/schemas.h"

namespace byoshin::local::apigateway {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckModel(absl::string_view input) {
  static auto& schemas = *new Schemas();
  const size_t end = input.find('\n');
  const std::string schema(input.substr(0, end));
  const absl::string_view document =
      end == absl::string_view::npos ? "" : input.substr(end + 1);
  if (const absl::Status checked = schemas.Check(schema); !checked.ok()) {
    Require(absl::IsInvalidArgument(checked), "a bad model is InvalidArgument");
    return;
  }
  const SchemaSet set("https://apigateway.amazonaws.com/restapis/a/models/",
                      {{"Fuzzed", schema}, {"Empty", "{}"}});
  const absl::StatusOr<std::vector<std::string>> first =
      schemas.Validate(set, "Fuzzed", document);
  const absl::StatusOr<std::vector<std::string>> second =
      schemas.Validate(set, "Fuzzed", document);
  Require(first.status().code() == second.status().code(),
          "the same document has the same outcome");
  Require(!first.ok() || *first == *second, "and the same faults");
  Require(first.ok() || absl::IsInvalidArgument(first.status()) ||
              absl::IsFailedPrecondition(first.status()),
          "errors are those of the interface");
  // Whatever was tried before.
  Require(schemas.Validate(set, "Empty", "{}")->empty(),
          "an empty schema accepts everything");
}

}  // namespace
}  // namespace byoshin::local::apigateway

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::apigateway::CheckModel(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
