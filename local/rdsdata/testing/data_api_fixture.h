// A Data API on a real server, called as the gateway would, with JSON in and
// out.
#ifndef BYOSHIN_LOCAL_RDSDATA_TESTING_DATA_API_FIXTURE_H_
#define BYOSHIN_LOCAL_RDSDATA_TESTING_DATA_API_FIXTURE_H_

#include <json/json.h>

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"
#include "local/rdsdata/data_api.h"
#include "local/rdsdata/service.h"
#include "local/rdsdata/testing/test_clusters.h"

namespace byoshin::local::rdsdata {

class DataApiTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { clusters_ = new TestClusters; }
  static void TearDownTestSuite() { delete std::exchange(clusters_, nullptr); }

  DataApiTest() { Open(kMaxConnections); }

  void Open(int max_connections) {
    service_ = nullptr;
    api_ = *DataApi::Open({.clusters = *clusters_,
                           .secrets = secrets_,
                           .max_connections = max_connections},
                          clock_);
    service_ = std::make_unique<RdsDataService>(*api_);
  }

  // A request with cluster, secret and database, and these members.
  static Json::Value Request(const std::string& members = "{}") {
    Json::Value request = *json::ParseValue(members);
    for (const auto& [name, value] : {std::pair{"resourceArn", kTestCluster},
                                      {"secretArn", kTestSecret},
                                      {"database", "postgres"}}) {
      if (!request.isMember(name)) request[name] = value;
    }
    return request;
  }
  static Json::Value Sql(const std::string& sql,
                         const std::string& parameters = "[]") {
    Json::Value request = Request();
    request["sql"] = sql;
    request["parameters"] = *json::ParseValue(parameters);
    return request;
  }

  std::future<Answer> Send(const std::string& path,
                           const Json::Value& request) {
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> answer = promise->get_future();
    service_->Handle(
        {.protocol = WireProtocol::kRestJson,
         .body = json::WriteValue(request),
         .path = path},
        [promise](Answer given) { promise->set_value(std::move(given)); });
    return answer;
  }

  // The body, or "CODE: message" as a string.
  static Json::Value Read(const Answer& answer) {
    const Json::Value body = *json::ParseValue(answer.body);
    if (answer.status == 200) return body;
    return Json::Value(absl::StrCat(answer.headers.at(0).value, ": ",
                                    body["message"].asString()));
  }
  Json::Value Call(const std::string& path, const Json::Value& request) {
    return Read(Send(path, request).get());
  }
  Json::Value Execute(const std::string& sql,
                      const std::string& parameters = "[]") {
    return Call("/Execute", Sql(sql, parameters));
  }
  // The records as JSON text; or an error, as above.
  std::string Records(const std::string& sql,
                      const std::string& parameters = "[]") {
    const Json::Value answer = Execute(sql, parameters);
    return answer.isString() ? answer.asString()
                             : json::WriteValue(answer["records"]);
  }
  std::string Error(const std::string& sql,
                    const std::string& parameters = "[]") {
    const Json::Value answer = Execute(sql, parameters);
    return answer.isString() ? answer.asString() : "no error";
  }
  std::string Begin() {
    return Call("/BeginTransaction", Request())["transactionId"].asString();
  }
  Json::Value In(const std::string& transaction, const std::string& sql) {
    Json::Value request = Sql(sql);
    request["transactionId"] = transaction;
    return Call("/Execute", request);
  }
  Json::Value End(const std::string& path, const std::string& transaction) {
    Json::Value request = Request();
    request["transactionId"] = transaction;
    return Call(path, request);
  }

  static inline TestClusters* clusters_ = nullptr;
  TestSecrets secrets_;
  time::SimulatedClock clock_{absl::FromUnixSeconds(1'700'000'000)};
  std::unique_ptr<DataApi> api_;
  std::unique_ptr<RdsDataService> service_;
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_TESTING_DATA_API_FIXTURE_H_
