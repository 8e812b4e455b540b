#include "local/dashboard/answers.h"

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

namespace byoshin::local::dashboard {
namespace {

// Of a dead letter's body.
constexpr std::size_t kMaxBodyBytes = std::size_t{64} << 10;

void WriteQuantiles(const std::optional<Quantiles>& quantiles,
                    json::Writer& json) {
  if (!quantiles.has_value()) {
    json.Null();
    return;
  }
  json.Open('{').Key("p50").Duration(quantiles->p50);
  json.Key("p99").Duration(quantiles->p99);
  json.Key("max").Duration(quantiles->max).Close('}');
}

void WriteExpected(const TimeRange& expected, json::Writer& json) {
  if (expected.from >= expected.to) {
    json.Null();
    return;
  }
  json.Open('{').Key("from").Time(expected.from);
  json.Key("to").Time(expected.to).Close('}');
}

void WriteQueue(const QueueStatus& queue, json::Writer& json) {
  json.Open('{').Key("name").String(queue.name);
  json.Key("visible").Int(queue.visible).Key("delayed").Int(queue.delayed);
  json.Key("inFlight").Int(queue.in_flight).Key("retries").Int(queue.retries);
  json.Key("oldest").Time(queue.oldest).Key("deadLetterQueue");
  if (queue.dead_letter_queue.empty()) {
    json.Null();
  } else {
    json.String(queue.dead_letter_queue);
  }
  json.Key("holdsDeadLetters").Bool(queue.holds_dead_letters).Close('}');
}

void WriteFunction(const FunctionStatus& function, json::Writer& json) {
  json.Open('{').Key("name").String(function.name);
  json.Key("invocations").Int(function.invocations);
  json.Key("errors").Int(function.errors);
  json.Key("timeouts").Int(function.timeouts);
  json.Key("throttles").Int(function.throttles);
  json.Key("coldStarts").Int(function.cold_starts);
  json.Key("running").Int(function.running).Key("idle").Int(function.idle);
  json.Key("durationMs");
  WriteQuantiles(function.duration, json);
  json.Key("initMs");
  WriteQuantiles(function.init, json);
  json.Close('}');
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

void WriteQueues(const Series& series, json::Writer& json) {
  json.Key("queue").Open('{');
  const auto column = [&](absl::string_view name,
                          std::int64_t QueueSample::*member) {
    WriteColumn(name, series, json, [&](const Bucket& bucket) {
      bucket.queue.has_value() ? json.Int((*bucket.queue).*member)
                               : json.Null();
    });
  };
  column("waiting", &QueueSample::waiting);
  column("inFlight", &QueueSample::in_flight);
  column("retries", &QueueSample::retries);
  column("deadLetters", &QueueSample::dead_letters);
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

absl::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kError:
      return "error";
    case Outcome::kTimeout:
      return "timeout";
    case Outcome::kThrottle:
      return "throttle";
  }
  return "error";
}

}  // namespace

std::string StatusJson(const Status& status, absl::string_view cursor) {
  json::Writer json;
  json.Open('{').Key("cursor").String(cursor).Key("now").Time(status.now);
  json.Key("slotMs").Int(absl::ToInt64Milliseconds(scheduler::kSlotInterval));
  json.Key("records").Open('{').Key("total").Int(status.records.total);
  json.Key("first").Time(status.records.first);
  json.Key("last").Time(status.records.last).Key("missing");
  status.records.missing.has_value() ? json.Int(*status.records.missing)
                                     : json.Null();
  json.Close('}').Key("expected");
  WriteExpected(status.expected, json);
  json.Key("windowLagMs").Int(absl::ToInt64Milliseconds(status.window_lag));
  json.Key("queues").Open('[');
  for (const QueueStatus& queue : status.queues) WriteQueue(queue, json);
  json.Close(']').Key("deadLetters").Int(status.dead_letters);
  json.Key("functions").Open('[');
  for (const FunctionStatus& function : status.functions) {
    WriteFunction(function, json);
  }
  json.Close(']').Key("apis").Open('[');
  for (const ApiStatus& api : status.apis) {
    json.Open('{').Key("name").String(api.name);
    json.Key("url").String(api.url).Close('}');
  }
  json.Close(']').Key("lastLog").Int(status.last_log).Close('}');
  return json.text();
}

std::string SeriesJson(const Series& series) {
  json::Writer json;
  json.Open('{').Key("from").Time(series.from);
  json.Key("to").Time(series.StartOf(series.buckets.size()));
  json.Key("bucketMs").Int(absl::ToInt64Milliseconds(series.bucket_length));
  json.Key("slotMs").Int(absl::ToInt64Milliseconds(scheduler::kSlotInterval));
  WriteCounts(series, json);
  WriteLateness(series, json);
  WriteQueues(series, json);
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

std::string InvocationsJson(const std::vector<Invocation>& invocations,
                            std::size_t limit) {
  json::Writer json;
  json.Open('{').Key("invocations").Open('[');
  const std::size_t first =
      invocations.size() - std::min(invocations.size(), limit);
  for (std::size_t i = first; i < invocations.size(); ++i) {
    const Invocation& invocation = invocations[i];
    json.Open('{').Key("t").Time(invocation.start);
    json.Key("function").String(invocation.function);
    json.Key("requestId").String(invocation.request_id);
    json.Key("ms").Duration(invocation.duration).Key("initMs");
    invocation.init.has_value() ? json.Duration(*invocation.init) : json.Null();
    json.Key("outcome").String(OutcomeName(invocation.outcome)).Close('}');
  }
  json.Close(']').Key("truncated").Bool(first > 0).Close('}');
  return json.text();
}

std::string DeadLettersJson(const DeadLetters& letters) {
  json::Writer json;
  json.Open('{').Key("total").Int(letters.total);
  json.Key("redrivable").Int(letters.redrivable).Key("messages").Open('[');
  for (const DeadLetter& letter : letters.messages) {
    json.Open('{').Key("queue").String(letter.queue);
    json.Key("source");
    letter.source.empty() ? json.Null() : json.String(letter.source);
    json.Key("id").String(letter.id);
    json.Key("sent").Time(letter.sent).Key("receives").Int(letter.receives);
    json.Key("body").String(
        absl::string_view(letter.body).substr(0, kMaxBodyBytes));
    json.Key("bodyBytes").Int(static_cast<std::int64_t>(letter.body.size()));
    json.Close('}');
  }
  json.Close(']').Close('}');
  return json.text();
}

std::string LogsJson(const LogPage& page) {
  json::Writer json;
  json.Open('{').Key("lines").Open('[');
  for (const LogLine& line : page.lines) {
    json.Open('{').Key("id").Int(line.id).Key("t").Time(line.time);
    json.Key("function").String(line.function);
    json.Key("text").String(line.text).Close('}');
  }
  json.Close(']').Key("next").Int(page.next).Close('}');
  return json.text();
}

std::string ErrorJson(absl::string_view message) {
  return json::Writer()
      .Open('{')
      .Key("error")
      .String(message)
      .Close('}')
      .text();
}

}  // namespace byoshin::local::dashboard
