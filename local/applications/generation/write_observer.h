// The Data API, watched for statements that change something, so that the page
// shows the change at once.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_WRITE_OBSERVER_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_WRITE_OBSERVER_H_

#include <functional>
#include <string>
#include <utility>

#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Thread-safe.
class WriteObserver final : public ForwardingService {
 public:
  // Called with the cluster's ARN after each successful call that is not a
  // SELECT, before the caller gets its answer.
  using OnWrite = std::function<void(const std::string& cluster_arn)>;

  WriteObserver(Service& data_api, OnWrite on_write)
      : ForwardingService(data_api), on_write_(std::move(on_write)) {}

  void Handle(Call call, AnswerFunction answer) override;

 private:
  const OnWrite on_write_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_WRITE_OBSERVER_H_
