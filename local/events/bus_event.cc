#include "local/events/bus_event.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/writer.h"
#include "core/time/iso8601.h"

namespace byoshin::local::events {

std::string WriteEvent(const BusEvent& event) {
  // Events have whole seconds.
  const absl::Time time =
      absl::FromUnixSeconds(absl::ToUnixSeconds(event.time));
  json::Writer json;
  json.Open('{').Key("version").String("0").Key("id").String(event.id);
  json.Key("detail-type").String(event.detail_type);
  json.Key("source").String(event.source);
  json.Key("account").String(event.account_id);
  json.Key("time").String(time::FormatIso8601(time));
  json.Key("region").String(event.region).Key("resources").Open('[');
  for (const std::string& resource : event.resources) json.String(resource);
  json.Close(']');
  return absl::StrCat(json.text(), R"(,"detail":)", event.detail, "}");
}

}  // namespace byoshin::local::events
