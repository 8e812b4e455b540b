// CloudWatch Logs' API over the wire, for reading what functions have written:
//
//   LogsService service(groups, logs, clock, {.region = "us-east-1"});
//   $ aws logs tail /byoshin/byoshin/sender --endpoint-url …
//
// There are the lines that Logs holds in memory: the newest of each
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
    // Where functions run: of groups that nobody has made.
    std::string region{};
  };

  // All outlive this.
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

  // Those that were made, and those that were only written to.
  std::vector<LogGroup> Groups(const std::string& region);
  // That which the request names, by name or by ARN.
  absl::StatusOr<LogGroup> FindGroup(const std::string& region,
                                     JsonFields& fields);
  // The lines of the group that are not too old, in the order of their times.
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
