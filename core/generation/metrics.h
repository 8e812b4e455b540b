// The metrics of processes, for log::Logger::EmitMetrics().
//
//   logger.EmitMetrics(kMetricsNamespace, {}, EndMetrics(process));
#ifndef BYOSHIN_CORE_GENERATION_METRICS_H_
#define BYOSHIN_CORE_GENERATION_METRICS_H_

#include <cstdint>
#include <vector>

#include "core/generation/process.h"
#include "core/log/logger.h"

namespace byoshin::generation {

// A process was started.
std::vector<log::Metric> StartedMetrics();
// A process has just ended: its outcome, 0 or 1 for each, and its duration.
// Empty for one that was cancelled, or is active.
std::vector<log::Metric> EndMetrics(const Process& process);
// How many processes are PENDING.
std::vector<log::Metric> QueueMetrics(std::int64_t pending);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_METRICS_H_
