#include "local/dashboard/asset_answer.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/guard.h"

namespace byoshin::local::dashboard {

const Asset* FindAsset(const std::vector<Asset>& assets,
                       absl::string_view name) {
  for (const Asset& asset : assets) {
    if (asset.name == name) return &asset;
  }
  return nullptr;
}

http::ServerResponse AssetAnswer(const http::ServerRequest& request,
                                 const Asset& asset,
                                 const http::Header& policy) {
  http::ServerResponse answer{.headers = SecurityHeaders()};
  answer.headers.push_back(policy);
  answer.headers.push_back(
      {"Content-Type", std::string(ContentType(asset.name))});
  answer.headers.push_back({"Cache-Control", "no-cache"});
  answer.headers.push_back({"Vary", "Accept-Encoding"});
  const std::string etag = absl::StrCat("\"", asset.etag, "\"");
  answer.headers.push_back({"ETag", etag});
  if (absl::StrContains(request.FindHeader("If-None-Match"), etag)) {
    answer.status = 304;
  } else if (absl::StrContains(request.FindHeader("Accept-Encoding"), "gzip")) {
    answer.headers.push_back({"Content-Encoding", "gzip"});
    answer.body = std::string(asset.gzip);
  } else {
    answer.body = Unpacked(asset);
  }
  return answer;
}

}  // namespace byoshin::local::dashboard
