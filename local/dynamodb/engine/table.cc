#include "local/dynamodb/engine/table.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

const Index* Table::FindIndex(absl::string_view index_name) const {
  for (const Index& index : indexes) {
    if (index.name == index_name) return &index;
  }
  return nullptr;
}

Index* Table::FindIndex(absl::string_view index_name) {
  return const_cast<Index*>(
      static_cast<const Table*>(this)->FindIndex(index_name));
}

std::string Table::IndexArn(const Index& index) const {
  return absl::StrCat(arn, "/index/", index.name);
}

}  // namespace byoshin::local::dynamodb
