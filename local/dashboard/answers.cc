#include "local/dashboard/answers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/writer.h"

namespace byoshin::local::dashboard {
namespace {

// Of a dead letter's body.
constexpr std::size_t kMaxBodyBytes = std::size_t{64} << 10;

void WriteQueue(const QueueStatus& queue, json::Writer& json) {
  json.Open('{').Key("stack").String(queue.stack);
  json.Key("name").String(queue.name);
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
  json.Open('{').Key("stack").String(function.stack);
  json.Key("name").String(function.name);
  json.Key("invocations").Int(function.invocations);
  json.Key("errors").Int(function.errors);
  json.Key("timeouts").Int(function.timeouts);
  json.Key("partialFailures").Int(function.partial_failures);
  json.Key("throttles").Int(function.throttles);
  json.Key("coldStarts").Int(function.cold_starts);
  json.Key("environments").Int(function.environments);
  json.Key("durationMs");
  WriteQuantiles(function.duration, json);
  json.Key("initMs");
  WriteQuantiles(function.init, json);
  json.Close('}');
}

void WritePanels(const std::vector<Panel*>& panels, json::Writer& json) {
  std::vector<Panel*> shown;
  for (Panel* panel : panels) {
    if (panel->IsShown()) shown.push_back(panel);
  }
  json.Key("panels").Open('[');
  for (const Panel* panel : shown) json.String(panel->name());
  json.Close(']');
  for (Panel* panel : shown) {
    json.Key(panel->name());
    panel->WriteStatus(json);
  }
}

absl::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kError:
      return "error";
    case Outcome::kTimeout:
      return "timeout";
  }
  return "error";
}

}  // namespace

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

std::string StatusJson(const Status& status, const std::vector<Panel*>& panels,
                       absl::string_view cursor) {
  json::Writer json;
  json.Open('{').Key("cursor").String(cursor).Key("now").Time(status.now);
  json.Key("stacks").Open('[');
  for (const StackStatus& stack : status.stacks) {
    json.Open('{').Key("name").String(stack.name).Key("description");
    stack.description.empty() ? json.Null() : json.String(stack.description);
    json.Key("status").String(stack.status).Close('}');
  }
  json.Close(']').Key("queues").Open('[');
  for (const QueueStatus& queue : status.queues) WriteQueue(queue, json);
  json.Close(']').Key("deadLetters").Int(status.dead_letters);
  json.Key("functions").Open('[');
  for (const FunctionStatus& function : status.functions) {
    WriteFunction(function, json);
  }
  json.Close(']').Key("apis").Open('[');
  for (const ApiStatus& api : status.apis) {
    json.Open('{').Key("stack").String(api.stack);
    json.Key("name").String(api.name).Key("url").String(api.url).Close('}');
  }
  json.Close(']').Key("lastLog").Int(status.last_log);
  WritePanels(panels, json);
  json.Close('}');
  return json.text();
}

std::string QueueSeriesJson(const QueueSeries& series) {
  json::Writer json;
  const TimeRange range = series.layout().range();
  json.Open('{').Key("from").Time(range.from).Key("to").Time(range.to);
  json.Key("bucketMs").Int(absl::ToInt64Milliseconds(series.layout().length()));
  const auto column = [&](absl::string_view name,
                          std::int64_t QueueSample::*member) {
    json.Key(name).Open('[');
    for (const std::optional<QueueSample>& bucket : series.buckets()) {
      bucket.has_value() ? json.Int((*bucket).*member) : json.Null();
    }
    json.Close(']');
  };
  column("waiting", &QueueSample::waiting);
  column("inFlight", &QueueSample::in_flight);
  column("retries", &QueueSample::retries);
  column("deadLetters", &QueueSample::dead_letters);
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
    json.Open('{').Key("stack").String(letter.stack);
    json.Key("queue").String(letter.queue);
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
