// Pagination of lists that are sorted by key. A token names the last key
// returned, so entries that are added or removed between two requests cause no
// repetition or omission.
//
//   std::optional<Page> page = PageOf(keys, {.limit = 100, .token = token});
//   if (!page.has_value()) ...  // the token is invalid
//   for (std::size_t i = page->begin; i < page->end; ++i) ...
//   page->next_token;  // empty at the end
#ifndef BYOSHIN_LOCAL_GATEWAY_PAGING_H_
#define BYOSHIN_LOCAL_GATEWAY_PAGING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace byoshin::local {

struct PageRequest {
  enum class Order { kAscending, kDescending };
  std::size_t limit = 0;
  // Empty for the first page.
  std::string token{};
  // How the keys are sorted.
  Order order = Order::kAscending;
};

struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string next_token{};
};

// `keys` are sorted and unique. std::nullopt if the token is invalid.
std::optional<Page> PageOf(const std::vector<std::string>& keys,
                           const PageRequest& request);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_PAGING_H_
