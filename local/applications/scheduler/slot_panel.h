// The scheduler's part of the dashboard: the slots of local/dashboard/api.md,
// and the files in page/.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOT_PANEL_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOT_PANEL_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/applications/scheduler/shown_slots.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"

namespace byoshin::local::applications {

// In addresses, in the status and for --stack.
inline constexpr char kSchedulerName[] = "scheduler";

class SlotPanel final : public dashboard::Panel {
 public:
  // `slots` outlives it.
  explicit SlotPanel(ShownSlots& slots) : slots_(slots) {}

  absl::string_view name() const override { return kSchedulerName; }
  bool IsShown() override { return slots_.IsDeployed(); }
  void WriteStatus(json::Writer& json) override;
  std::vector<dashboard::PanelEndpoint> endpoints() override;
  const std::vector<dashboard::Asset>& assets() const override;
  absl::StatusOr<std::int64_t> Reset() override {
    return slots_.DeleteRecords();
  }

 private:
  ShownSlots& slots_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOT_PANEL_H_
