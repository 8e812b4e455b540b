// Parses any text as a schema: what is accepted is accepted again as it is
// printed, and prints the same then.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/schema.h"

namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace graphql = byoshin::local::appsync::graphql;
  const graphql::ParsedSchema parsed = graphql::Schema::Parse(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  if (parsed.schema == nullptr) {
    Require(!parsed.errors.empty(), "a refusal has a reason");
    return 0;
  }
  const std::string sdl = parsed.schema->ToSdl();
  const graphql::ParsedSchema again = graphql::Schema::Parse(sdl);
  Require(again.schema != nullptr, "a printed schema is a schema");
  Require(again.schema->ToSdl() == sdl, "a schema survives printing");
  Require(byoshin::json::Data::Parse(parsed.schema->ToIntrospectionJson()).ok(),
          "introspection is JSON");
  return 0;
}
