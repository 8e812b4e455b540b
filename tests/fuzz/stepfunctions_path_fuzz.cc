// Tries JSONPath: the first line is a path, the rest a document.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void TryReference(absl::string_view text, const Data& document) {
  const absl::StatusOr<ReferencePath> path = ReferencePath::Parse(text);
  if (!path.ok()) return;
  const Data value = Data::String("new");
  const Evaluated<Data> changed = path->Put(document, value);
  if (!changed.ok()) return;
  const Evaluated<Data> found = path->Get(*changed);
  Require(found.ok() && *found == value, "what was put is there");
}

void TryOne(absl::string_view input) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(input, absl::MaxSplits('\n', 1));
  const absl::StatusOr<Path> path = Path::Parse(parts.first);
  const absl::StatusOr<Data> document = Data::Parse(parts.second);
  if (!document.ok()) return;
  TryReference(parts.first, *document);
  if (!path.ok()) return;
  Require(path->text() == parts.first, "a path keeps its text");
  Scope scope;
  scope.input = *document;
  scope.context = *document;
  scope.variables = *document;
  const PathResult result = path->Select(scope);
  if (const auto* nothing = std::get_if<PathNotFound>(&result)) {
    Require(!nothing->message.empty(), "it is said why nothing was found");
    return;
  }
  Require(path->definite() || std::get<Data>(result).is_array(),
          "an indefinite path selects an array");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::stepfunctions::TryOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
