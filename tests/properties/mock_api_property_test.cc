
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/json.h"
#include "core/time/iso8601.h"
#include "gtest/gtest.h"
#include "mockapi/handler.h"
#include "proto/scheduler.pb.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generators.h"

namespace byoshin::properties {
namespace {

// One of the ways in which ISO 8601 writes this time: with any offset, and with
// or without a fraction. The date must have room for the offset.
std::string AnySpellingOf(absl::Time time) {
  const int offset_minutes = *rc::gen::inRange(-23 * 60 - 59, 23 * 60 + 60);
  const absl::Time local = time + absl::Minutes(offset_minutes);
  const absl::Time whole = absl::FromUnixSeconds(absl::ToUnixSeconds(time));
  const std::int64_t nanoseconds = absl::ToInt64Nanoseconds(time - whole);
  std::string text =
      absl::FormatTime("%E4Y-%m-%dT%H:%M:%S", local, absl::UTCTimeZone());
  if (nanoseconds != 0 || *rc::gen::arbitrary<bool>()) {
    absl::StrAppendFormat(&text, ".%09d", nanoseconds);
  }
  if (offset_minutes == 0 && *rc::gen::arbitrary<bool>()) return text + "Z";
  absl::StrAppendFormat(&text, "%c%02d:%02d", offset_minutes < 0 ? '-' : '+',
                        std::abs(offset_minutes) / 60,
                        std::abs(offset_minutes) % 60);
  return text;
}

// A time that any offset leaves within the years that can be written.
rc::Gen<absl::Time> AnyTimeAwayFromTheEnds() {
  return rc::gen::suchThat(AnyIso8601Time(), [](absl::Time time) {
    return time::FitsIso8601(time - absl::Hours(24)) &&
           time::FitsIso8601(time + absl::Hours(24));
  });
}

absl::Time WholeSeconds(absl::Time time) {
  return absl::FromUnixSeconds(absl::ToUnixSeconds(time));
}

http::ServerResponse Ask(absl::string_view from, absl::string_view to) {
  return mockapi::Handle(
      {.method = "GET",
       .path = "/response_count",
       .parameters = {{"from", std::string(from)}, {"to", std::string(to)}}});
}

// **Feature: data-collection-scheduler, Property 7: For any valid time window query, the response contains the fields from, to and count, count is an integer from 0 to 10, and the same input always produces the same count (determinism)**
TEST(MockApiProperty, AnswersAnyValidWindowWithinBoundsAndAlwaysTheSame) {
  CheckProperty([] {
    const absl::Time one = *AnyTimeAwayFromTheEnds();
    const absl::Time other = *rc::gen::oneOf(
        AnyTimeAwayFromTheEnds(),
        rc::gen::map(rc::gen::inRange(1, 3600),
                     [one](int s) { return one + absl::Seconds(s); }));
    const absl::Time from = std::min(one, other);
    const absl::Time to = std::max(one, other);
    RC_PRE(WholeSeconds(from) < WholeSeconds(to));
    const std::string from_text = AnySpellingOf(from);
    const std::string to_text = AnySpellingOf(to);

    const http::ServerResponse response = Ask(from_text, to_text);

    RC_ASSERT(response.status == 200);
    const absl::StatusOr<scheduler::ApiResponse> answer =
        json::FromJson<scheduler::ApiResponse>(response.body);
    RC_ASSERT(answer.ok());
    RC_ASSERT(answer->count() >= 0);
    RC_ASSERT(answer->count() <= 10);
    RC_ASSERT(answer->count() ==
              absl::ToCivilSecond(to, absl::UTCTimeZone()).minute() % 11);
    RC_ASSERT(Ask(from_text, to_text).body == response.body);
    RC_ASSERT(Ask(AnySpellingOf(from), AnySpellingOf(to)).body ==
              response.body);
  });
}

// **Feature: data-collection-scheduler, Property 8: For any valid ISO 8601 date-time string, the mock API parses it to a date, and formatting that back to ISO 8601 produces an equivalent timestamp**
TEST(MockApiProperty, GivesAnyIso8601TimeBackAsAnEquivalentOne) {
  CheckProperty([] {
    const absl::Time time = *AnyTimeAwayFromTheEnds();
    const std::string text = AnySpellingOf(time);
    RC_ASSERT(time::ParseIso8601(text).value() == time);

    const absl::StatusOr<scheduler::ApiResponse> as_from =
        json::FromJson<scheduler::ApiResponse>(
            Ask(text, "9999-12-31T23:59:59Z").body);
    const absl::StatusOr<scheduler::ApiResponse> as_to =
        json::FromJson<scheduler::ApiResponse>(
            Ask("0001-01-01T00:00:00Z", text).body);

    // The API's times are to the second.
    RC_ASSERT(as_from.ok());
    RC_ASSERT(time::ParseIso8601(as_from->from()).value() ==
              WholeSeconds(time));
    RC_ASSERT(as_to.ok());
    RC_ASSERT(time::ParseIso8601(as_to->to()).value() == WholeSeconds(time));
  });
}

}  // namespace
}  // namespace byoshin::properties
