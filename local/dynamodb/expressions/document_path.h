// A path to a value in an item: author.books[0].title
//
//   const AttributeValue* title = Resolve(path, item);  // null if not there
//   Item part = Project({path}, item);  // {author: {books: [{title: ...}]}}
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_DOCUMENT_PATH_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_DOCUMENT_PATH_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

struct PathElement {
  enum class Kind { kName, kIndex };
  Kind kind = Kind::kName;
  std::string name{};
  size_t index = 0;

  friend bool operator==(const PathElement&, const PathElement&) = default;
};

// Never empty; the first element is a name.
using DocumentPath = std::vector<PathElement>;

// As AWS's messages write it: [author, books, [0], title].
std::string PathText(const DocumentPath& path);

// Null if there is nothing.
const AttributeValue* Resolve(const DocumentPath& path, const Item& item);

// The parts of `item` at `paths`, with the enclosing maps and lists. Lists keep
// the order of their elements, but not their indexes.
Item Project(absl::Span<const DocumentPath> paths, const Item& item);

// AWS's error if one of the paths contains another, or treats as a list what
// another treats as a map. The message has no "Invalid ...Expression: ".
absl::Status CheckDisjoint(absl::Span<const DocumentPath> paths);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_DOCUMENT_PATH_H_
