// What the page shows of AppSync: the GraphQL APIs, a place to try them, and
// the latest requests with the time that their resolvers took.
// local/dashboard/api.md describes the answers; the files are in page/.
//
//   ApisPanel panel({.plane = plane, .traces = traces, ...});
//   host.Get<dashboard::Panels>().Add(panel);
#ifndef BYOSHIN_LOCAL_APPSYNC_PANEL_H_
#define BYOSHIN_LOCAL_APPSYNC_PANEL_H_

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "core/time/clock.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/resolve/trace.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"

namespace byoshin::local::appsync {

// The status has at most this many APIs, and an answer this many requests.
inline constexpr std::size_t kMaxShownApis = 50;
inline constexpr std::size_t kMaxShownTraces = 20;

// On one thread at a time.
class ApisPanel final : public dashboard::Panel {
 public:
  // What is referred to outlives the panel.
  struct World {
    const Catalog& catalog;
    const Traces& traces;
    const time::Clock& clock;
    // The open WebSockets of an API. Never null.
    std::function<std::size_t(absl::string_view api_id)> count_sockets{};
  };
  explicit ApisPanel(World world) : world_(std::move(world)) {}

  absl::string_view name() const override { return "appsync"; }
  bool IsShown() override { return !world_.catalog.List().empty(); }
  void WriteStatus(json::Writer& json) override;
  std::vector<dashboard::PanelEndpoint> endpoints() override;
  const std::vector<dashboard::Asset>& assets() const override;

 private:
  void WriteApi(const ApiState& state, json::Writer& json) const;
  // What introspection would tell, also if the API forbids it to its clients.
  absl::StatusOr<std::string> AnswerSchema(
      const http::ServerRequest& request) const;
  absl::StatusOr<std::string> AnswerTraces(
      const http::ServerRequest& request) const;

  const World world_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_PANEL_H_
