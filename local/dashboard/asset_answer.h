// An embedded file as an answer: compressed if the client takes that, and not
// sent again if the client has it.
//
//   http::ServerResponse answer =
//       AssetAnswer(request, asset, ContentSecurityPolicy());
#ifndef BYOSHIN_LOCAL_DASHBOARD_ASSET_ANSWER_H_
#define BYOSHIN_LOCAL_DASHBOARD_ASSET_ANSWER_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "local/dashboard/assets.h"

namespace byoshin::local::dashboard {

// Null if there is none.
const Asset* FindAsset(const std::vector<Asset>& assets,
                       absl::string_view name);

// `policy` is the header that says what the page may do.
http::ServerResponse AssetAnswer(const http::ServerRequest& request,
                                 const Asset& asset,
                                 const http::Header& policy);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_ASSET_ANSWER_H_
