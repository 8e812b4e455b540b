// The page's files, compiled in.
//
//   for (const Asset& asset : FrameAssets()) {
//     std::string text = Unpacked(asset);  // for clients without gzip
//   }
//
// embed.bzl makes such functions from files.
#ifndef BYOSHIN_LOCAL_DASHBOARD_ASSETS_H_
#define BYOSHIN_LOCAL_DASHBOARD_ASSETS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace byoshin::local::dashboard {

struct Asset {
  absl::string_view name;
  absl::string_view gzip;
  // Of the content: the same while it stays the same.
  absl::string_view etag;
};

// The page's own; panels have others.
const std::vector<Asset>& FrameAssets();

std::string Unpacked(const Asset& asset);

// By the end of its name.
absl::string_view ContentType(absl::string_view name);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_ASSETS_H_
