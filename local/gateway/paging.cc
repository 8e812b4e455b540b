#include "local/gateway/paging.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"

namespace byoshin::local {

std::optional<Page> PageOf(const std::vector<std::string>& keys,
                           const PageRequest& request) {
  Page page;
  if (!request.token.empty()) {
    std::string last;
    if (!absl::WebSafeBase64Unescape(request.token, &last)) return std::nullopt;
    const bool ascending = request.order == PageRequest::Order::kAscending;
    page.begin = static_cast<std::size_t>(
        std::upper_bound(
            keys.begin(), keys.end(), last,
            [ascending](const std::string& a, const std::string& b) {
              return ascending ? a < b : b < a;
            }) -
        keys.begin());
  }
  page.end = page.begin + std::min(request.limit, keys.size() - page.begin);
  if (page.end < keys.size() && page.end > page.begin) {
    page.next_token = absl::WebSafeBase64Escape(keys[page.end - 1]);
  }
  return page;
}

}  // namespace byoshin::local
