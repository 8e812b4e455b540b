// CloudWatch Logs' API, as far as it reads logs:
//
//   LogsService service(groups, logs, clock, {.region = "us-east-1"});
//   $ aws logs tail /byoshin/byoshin/sender --endpoint-url …
//
// Only the lines that Logs holds in memory are returned: the newest of each
// group.
#ifndef BYOSHIN_LOCAL_LOGS_SERVICE_H_
#define BYOSHIN_LOCAL_LOGS_SERVICE_H_

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/time/clock.h"
#include "local/gateway/json_api.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/logs/log_groups.h"
#include "local/logs/logs.h"

namespace byoshin::local::logs {

// Thread-safe.
class LogsService final : public Service {
 public:
  struct Options {
    std::string account_id = "000000000000";
    // The region of functions, and of groups that no template has created.
    std::string region{};
  };

  // All must outlive this.
  LogsService(const LogGroups& groups, Logs& logs, time::Clock& clock,
              Options options)
      : groups_(groups),
        logs_(logs),
        clock_(clock),
        options_(std::move(options)) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  absl::StatusOr<Json::Value> Perform(const Call& call);
  absl::StatusOr<Json::Value> DescribeLogGroups(const std::string& region,
                                                JsonFields& fields);
  absl::StatusOr<Json::Value> DescribeLogStreams(const std::string& region,
                                                 JsonFields& fields);
  absl::StatusOr<Json::Value> GetLogEvents(const std::string& region,
                                           JsonFields& fields);
  absl::StatusOr<Json::Value> FilterLogEvents(const std::string& region,
                                              JsonFields& fields);

  // Groups of templates, and groups that were only written to.
  std::vector<LogGroup> Groups(const std::string& region);
  // The group that the request names, by name or ARN.
  absl::StatusOr<LogGroup> FindGroup(const std::string& region,
                                     JsonFields& fields);
  // The lines of the group within its retention, sorted by time.
  std::vector<LogLine> LinesOf(const LogGroup& group);
  std::string ArnOf(const LogGroup& group) const;
  Json::Value GroupJson(const LogGroup& group);

  const LogGroups& groups_;
  Logs& logs_;
  time::Clock& clock_;
  const Options options_;
};

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_SERVICE_H_
