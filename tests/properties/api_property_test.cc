#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "core/json/json.h"
#include "core/json/value.h"
#include "core/scheduler/api_client.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/scheduler.pb.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generators.h"

namespace byoshin::properties {
namespace {

using ::testing::Matches;
using ::testing::MatchesRegex;

absl::Time FloorToSecond(absl::Time time) {
  return absl::UnixEpoch() +
         absl::Floor(time - absl::UnixEpoch(), absl::Seconds(1));
}

rc::Gen<std::string> AnyBaseUrl() {
  return rc::gen::element<std::string>(
      "http://localhost:3000", "http://localhost:3000/",
      "https://api.example.com/prod", "http://[::1]:8080/a%20b/",
      "HTTPS://API.EXAMPLE.COM");
}

// **Feature: data-collection-scheduler, Property 3: For any time window with valid from/to dates, the constructed URL contains properly formatted ISO 8601 query parameters that can be parsed back to equivalent timestamps**
TEST(ApiProperty, BuildsUrlsWhoseParametersParseBackToTheWindow) {
  CheckProperty([] {
    absl::Time from = *AnyIso8601Time();
    absl::Time to = *AnyIso8601Time();
    if (to < from) std::swap(from, to);

    const absl::StatusOr<std::string> text =
        scheduler::ResponseCountUrl(*AnyBaseUrl(), {from, to});

    RC_ASSERT(text.ok());
    const absl::StatusOr<http::Url> url = http::ParseUrl(*text);
    RC_ASSERT(url.ok());
    RC_ASSERT(Matches(MatchesRegex(".*/response_count"))(url->path));
    const absl::StatusOr<std::vector<http::QueryParameter>> parameters =
        http::ParseQuery(url->query);
    RC_ASSERT(parameters.ok());
    RC_ASSERT(parameters->size() == 2u);
    RC_ASSERT((*parameters)[0].name == "from");
    RC_ASSERT((*parameters)[1].name == "to");
    for (const http::QueryParameter& parameter : *parameters) {
      RC_ASSERT(Matches(MatchesRegex(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"))(
          parameter.value));
    }
    RC_ASSERT(time::ParseIso8601((*parameters)[0].value).value() ==
              FloorToSecond(from));
    RC_ASSERT(time::ParseIso8601((*parameters)[1].value).value() ==
              FloorToSecond(to));
  });
}

// Evenly over all sizes, and as often those where mistakes are made.
rc::Gen<int64_t> AnyCount() {
  return rc::gen::oneOf(
      rc::gen::element<int64_t>(0, 1, 10, int64_t{1} << 31, int64_t{1} << 53,
                                (int64_t{1} << 53) + 1,
                                std::numeric_limits<int64_t>::max()),
      rc::gen::resize(
          rc::kNominalSize,
          rc::gen::inRange<int64_t>(0, std::numeric_limits<int64_t>::max())));
}

// The fields as an API might write them: in any order, with spaces, among
// others.
std::string SomeJsonOf(const Json::Value& object) {
  std::vector<std::string> members = {R"("unit":null)", R"("x":[{},"y",1.5])"};
  for (const std::string& name : object.getMemberNames()) {
    members.push_back(
        absl::StrCat("\n\t\"", name, "\" : ", json::WriteValue(object[name])));
  }
  const std::vector<int> order = *rc::gen::container<std::vector<int>>(
      members.size(), rc::gen::arbitrary<int>());
  std::vector<std::tuple<int, std::string>> ordered;
  ordered.reserve(members.size());
  for (int i = 0; i < static_cast<int>(members.size()); ++i) {
    ordered.emplace_back(order[i], members[i]);
  }
  std::sort(ordered.begin(), ordered.end());
  return absl::StrCat("{ ",
                      absl::StrJoin(ordered, " ,",
                                    [](std::string* out, const auto& member) {
                                      out->append(std::get<1>(member));
                                    }),
                      " }\n");
}

// **Feature: data-collection-scheduler, Property 4: For any valid JSON response containing from, to and count fields, parsing produces a structured object with equivalent values, which can be serialized back to equivalent JSON**
TEST(ApiProperty, ReadsAnyResponseAndWritesItBack) {
  CheckProperty([] {
    const absl::Time from = scheduler::FloorToSlot(*AnyIso8601Time());
    const scheduler::Window window = {from, from + scheduler::kSlotInterval};
    RC_PRE(time::FitsIso8601(window.to));
    const int64_t count = *AnyCount();
    Json::Value object(Json::objectValue);
    object["from"] = time::FormatIso8601(window.from);
    object["to"] = time::FormatIso8601(window.to);
    object["count"] = static_cast<Json::Int64>(count);
    const std::string body = SomeJsonOf(object);

    const absl::StatusOr<scheduler::ApiResponse> response =
        scheduler::ParseApiResponse(body);

    RC_ASSERT(response.ok());
    RC_ASSERT(response->from() == object["from"].asString());
    RC_ASSERT(response->to() == object["to"].asString());
    RC_ASSERT(response->count() == count);
    RC_ASSERT(json::ParseValue(json::ToJson(*response)).value() == object);
    RC_ASSERT(scheduler::ReadCount({.status = 200, .headers = {}, .body = body},
                                   window)
                  .value() == count);
  });
}

}  // namespace
}  // namespace byoshin::properties
