// Asynchronous generation on the dashboard: its member of the status, and the
// files in page/. local/dashboard/api.md describes the answers.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_PROCESS_PANEL_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_PROCESS_PANEL_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/applications/generation/process_source.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"

namespace byoshin::local::applications {

// In addresses, in the status and for --stack.
inline constexpr char kGenerationName[] = "generation";
// The longest list of processes that is answered.
inline constexpr int kMaxListedProcesses = 500;

class ProcessPanel final : public dashboard::Panel {
 public:
  // `source` outlives it. `endpoint` returns the address of the cloud.
  ProcessPanel(ProcessSource& source, std::function<std::string()> endpoint)
      : source_(source), endpoint_(std::move(endpoint)) {}

  absl::string_view name() const override { return kGenerationName; }
  bool IsShown() override { return source_.parts().has_value(); }
  void WriteStatus(json::Writer& json) override;
  std::vector<dashboard::PanelEndpoint> endpoints() override;
  const std::vector<dashboard::Asset>& assets() const override;
  absl::StatusOr<std::int64_t> Reset() override { return source_.DeleteAll(); }

 private:
  ProcessSource& source_;
  const std::function<std::string()> endpoint_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_PROCESS_PANEL_H_
