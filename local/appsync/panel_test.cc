#include "local/appsync/panel.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/model/api_key.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/resolve/trace.h"
#include "local/dashboard/panel.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ApisPanelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore({});
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    catalog_ = std::make_unique<Catalog>(*store_);
    panel_ = std::make_unique<ApisPanel>(ApisPanel::World{
        .catalog = *catalog_,
        .traces = traces_,
        .clock = clock_,
        .count_sockets = [](absl::string_view) { return std::size_t{3}; }});
  }

  void AddApi() {
    catalog_->Save(GraphqlApi{.id = "api1", .name = "shop"});
    for (const auto& [id, hours] :
         {std::pair{"da2-old", -1}, {"da2-new", 48}, {"da2-soon", 24}}) {
      catalog_->Save(
          "api1",
          ApiKey{.id = id, .expires = clock_.Now() + absl::Hours(hours)});
    }
  }

  std::string Status() {
    json::Writer json;
    panel_->WriteStatus(json);
    return json.Take();
  }

  absl::StatusOr<std::string> Get(absl::string_view endpoint,
                                  const std::string& query) {
    for (const dashboard::PanelEndpoint& one : panel_->endpoints()) {
      if (one.name != endpoint) continue;
      http::ServerRequest request;
      request.query = query;
      return one.answer(request);
    }
    return absl::UnimplementedError(endpoint);
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'800'000'000)};
  std::unique_ptr<Store> store_;
  std::unique_ptr<Catalog> catalog_;
  Traces traces_;
  std::unique_ptr<ApisPanel> panel_;
};

TEST_F(ApisPanelTest, IsShownOnceThereIsAnApi) {
  EXPECT_FALSE(panel_->IsShown());
  AddApi();
  EXPECT_TRUE(panel_->IsShown());
}

TEST_F(ApisPanelTest, GivesTheKeyThatIsValidLongest) {
  AddApi();
  EXPECT_EQ(Status(),
            R"({"requests":0,"apis":[{"id":"api1","name":"shop",)"
            R"("path":"/graphql/api1/graphql","key":"da2-new","sockets":3}]})");
}

TEST_F(ApisPanelTest, ShowsTheSchemaAsIntrospectionWould) {
  AddApi();
  EXPECT_TRUE(absl::IsNotFound(Get("schema", "api=api1").status()));
  EXPECT_TRUE(absl::IsNotFound(Get("schema", "api=other").status()));
  catalog_->SaveSchema("api1", "type Query { hello: String }");
  const absl::StatusOr<std::string> schema = Get("schema", "api=api1");
  ASSERT_TRUE(schema.ok()) << schema.status();
  EXPECT_THAT(*schema, HasSubstr(R"("name":"hello")"));
}

TEST_F(ApisPanelTest, ShowsWhatResolversTook) {
  traces_.Add({.request_id = "r1",
               .api_id = "api1",
               .time = clock_.Now(),
               .kind = RequestTrace::Kind::kMutation,
               .operation_name = "Order",
               .duration = absl::Microseconds(2500),
               .errors = 1,
               .resolvers = {{.path = "/order",
                              .data_sources = {"Table", "Log"},
                              .start = absl::Microseconds(100),
                              .duration = absl::Microseconds(2000),
                              .error = "no stock"}}});
  traces_.Add({.request_id = "r2", .api_id = "api2", .time = clock_.Now()});
  const absl::StatusOr<std::string> traces = Get("traces", "api=api1");
  ASSERT_TRUE(traces.ok()) << traces.status();
  EXPECT_THAT(*traces,
              HasSubstr(R"("operation":"mutation","name":"Order",)"
                        R"("durationMs":2.5,"errors":1,"deliveries":0,)"
                        R"("resolvers":[{"path":"/order",)"
                        R"("dataSource":"Table, Log","startMs":0.1,)"
                        R"("durationMs":2.0,"error":"no stock"}])"));
  EXPECT_THAT(*traces, Not(HasSubstr("r2")));
  EXPECT_THAT(Status(), HasSubstr(R"("requests":2)"));
}

}  // namespace
}  // namespace byoshin::local::appsync
