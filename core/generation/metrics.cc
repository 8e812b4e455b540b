#include "core/generation/metrics.h"

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/log/logger.h"

namespace byoshin::generation {
namespace {

using Unit = log::Metric::Unit;

}  // namespace

std::vector<log::Metric> StartedMetrics() {
  return {{kStartedMetric, Unit::kCount, 1}};
}

std::vector<log::Metric> EndMetrics(const Process& process) {
  if (!process.completed_at.has_value() ||
      process.status == ProcessStatus::kCancelled) {
    return {};
  }
  const auto is = [&](ProcessStatus status) {
    return process.status == status ? 1.0 : 0.0;
  };
  return {
      {kCompletedMetric, Unit::kCount, is(ProcessStatus::kCompleted)},
      {kFailedMetric, Unit::kCount, is(ProcessStatus::kFailed)},
      {kTimeoutMetric, Unit::kCount, is(ProcessStatus::kTimeout)},
      {kDurationMetric, Unit::kMilliseconds,
       absl::ToDoubleMilliseconds(*process.completed_at - process.created_at)}};
}

std::vector<log::Metric> QueueMetrics(std::int64_t pending) {
  return {{kQueueDepthMetric, Unit::kCount, static_cast<double>(pending)}};
}

}  // namespace byoshin::generation
