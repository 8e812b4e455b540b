#include "local/applications/scheduler/answers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/writer.h"
#include "core/scheduler/slot.h"
#include "local/dashboard/answers.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

using dashboard::Quantiles;
using dashboard::WriteQuantiles;

void WriteExpected(const dashboard::TimeRange& expected, json::Writer& json) {
  if (expected.from >= expected.to) {
    json.Null();
    return;
  }
  json.Open('{').Key("from").Time(expected.from);
  json.Key("to").Time(expected.to).Close('}');
}

// One member of the answer: a value for each bucket, which `write` writes.
void WriteColumn(absl::string_view name, const Series& series,
                 json::Writer& json,
                 absl::FunctionRef<void(const Bucket&)> write) {
  json.Key(name).Open('[');
  for (const Bucket& bucket : series.buckets) write(bucket);
  json.Close(']');
}

void WriteCounts(const Series& series, json::Writer& json) {
  json.Key("count").Open('{');
  WriteColumn("min", series, json, [&](const Bucket& bucket) {
    bucket.stored == 0 ? json.Null() : json.Int(bucket.min);
  });
  WriteColumn("max", series, json, [&](const Bucket& bucket) {
    bucket.stored == 0 ? json.Null() : json.Int(bucket.max);
  });
  WriteColumn("avg", series, json, [&](const Bucket& bucket) {
    bucket.stored == 0 ? json.Null() : json.Number(bucket.average());
  });
  json.Close('}');
  WriteColumn("stored", series, json,
              [&](const Bucket& bucket) { json.Int(bucket.stored); });
  WriteColumn("missing", series, json,
              [&](const Bucket& bucket) { json.Int(bucket.missing); });
}

void WriteLateness(const Series& series, json::Writer& json) {
  json.Key("lateness").Open('{');
  const auto column = [&](absl::string_view name,
                          absl::Duration Quantiles::*member) {
    WriteColumn(name, series, json, [&](const Bucket& bucket) {
      bucket.lateness.has_value() ? json.Duration((*bucket.lateness).*member)
                                  : json.Null();
    });
  };
  column("p50", &Quantiles::p50);
  column("p99", &Quantiles::p99);
  column("max", &Quantiles::max);
  json.Close('}');
}

void WriteSummary(const Bucket& summary, json::Writer& json) {
  json.Key("summary").Open('{');
  json.Key("expected").Int(summary.stored + summary.missing);
  json.Key("stored").Int(summary.stored).Key("missing").Int(summary.missing);
  json.Key("count");
  if (summary.stored == 0) {
    json.Null();
  } else {
    json.Open('{').Key("min").Int(summary.min).Key("max").Int(summary.max);
    json.Key("avg").Number(summary.average()).Close('}');
  }
  json.Key("lateness");
  WriteQuantiles(summary.lateness, json);
  json.Close('}');
}

}  // namespace

void WriteSlotStatus(const SlotStatus& status, json::Writer& json) {
  json.Open('{').Key("slotMs");
  json.Int(absl::ToInt64Milliseconds(scheduler::kSlotInterval));
  json.Key("windowLagMs").Int(absl::ToInt64Milliseconds(status.window_lag));
  json.Key("records").Open('{').Key("total").Int(status.records.total);
  json.Key("first").Time(status.records.first);
  json.Key("last").Time(status.records.last).Key("missing");
  status.records.missing.has_value() ? json.Int(*status.records.missing)
                                     : json.Null();
  json.Close('}').Key("expected");
  WriteExpected(status.expected, json);
  json.Close('}');
}

std::string SeriesJson(const Series& series) {
  json::Writer json;
  json.Open('{').Key("from").Time(series.from);
  json.Key("to").Time(series.StartOf(series.buckets.size()));
  json.Key("bucketMs").Int(absl::ToInt64Milliseconds(series.bucket_length));
  json.Key("slotMs").Int(absl::ToInt64Milliseconds(scheduler::kSlotInterval));
  WriteCounts(series, json);
  WriteLateness(series, json);
  WriteSummary(series.summary, json);
  json.Close('}');
  return json.text();
}

std::string RecordsJson(const std::vector<SlotRecord>& records,
                        std::size_t limit) {
  json::Writer json;
  json.Open('{').Key("records").Open('[');
  for (std::size_t i = 0; i < std::min(records.size(), limit); ++i) {
    json.Open('{').Key("slot").Time(records[i].slot);
    json.Key("count").Int(records[i].count).Key("lateness");
    records[i].lateness.has_value() ? json.Duration(*records[i].lateness)
                                    : json.Null();
    json.Close('}');
  }
  json.Close(']').Key("next");
  records.size() > limit ? json.Time(records[limit].slot) : json.Null();
  json.Close('}');
  return json.text();
}

}  // namespace byoshin::local::applications
