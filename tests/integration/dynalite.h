// DynamoDB as somebody else understood it: dynalite, from npm, in memory.
//
//   absl::StatusOr<std::unique_ptr<Dynalite>> dynalite = Dynalite::Start();
//   absl::Status status = (*dynalite)->CreateMetricsTable("AiResponseMetrics");
//   ...  // a function with AWS_ENDPOINT_URL_DYNAMODB=(*dynalite)->url()
//   absl::StatusOr<std::vector<Json::Value>> items =
//       (*dynalite)->Scan("AiResponseMetrics");
#ifndef BYOSHIN_TESTS_INTEGRATION_DYNALITE_H_
#define BYOSHIN_TESTS_INTEGRATION_DYNALITE_H_

#include <json/json.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "tests/integration/process.h"

namespace byoshin::integration {

// Not thread-safe.
class Dynalite {
 public:
  static absl::StatusOr<std::unique_ptr<Dynalite>> Start();

  Dynalite(const Dynalite&) = delete;
  Dynalite& operator=(const Dynalite&) = delete;

  const std::string& url() const { return url_; }

  // A table with the keys of the metrics table, ready for use.
  absl::Status CreateMetricsTable(const std::string& name);

  // All items, each an object of attribute values: {"count": {"N": "7"}, ...}.
  absl::StatusOr<std::vector<Json::Value>> Scan(const std::string& table);

  // The item under a key, null if there is none.
  absl::StatusOr<Json::Value> Find(const std::string& table,
                                   const std::string& slot_time);

 private:
  Dynalite(std::unique_ptr<Process> process, std::string url);

  absl::StatusOr<Json::Value> Call(absl::string_view operation,
                                   const Json::Value& input);

  const std::unique_ptr<Process> process_;
  const std::string url_;
  const std::unique_ptr<http::Client> client_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_DYNALITE_H_
