// The properties of a resource, built by its typed struct.
//
//   Properties Queue::ToProperties() const {
//     Properties properties;
//     properties.Require("QueueName", queue_name);
//     properties.Set("DelaySeconds", delay);  // left out if absent
//     return properties;
//   }
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_PROPERTIES_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_PROPERTIES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {

// Not thread-safe.
class Properties {
 public:
  void Set(absl::string_view name, Value value) {
    if (value.absent()) return;
    members_.emplace_back(std::string(name), std::move(value));
  }
  void Set(absl::string_view name, std::optional<absl::Duration> duration) {
    if (duration.has_value()) Set(name, Seconds(*duration));
  }

  // A list is left out if it is empty.
  void SetList(absl::string_view name, Value::Items items) {
    if (!items.empty()) Set(name, List(std::move(items)));
  }

  // A required property: without it, the template is rejected.
  void Require(absl::string_view name, Value value) {
    if (value.absent()) missing_.emplace_back(name);
    Set(name, std::move(value));
  }

  const Value::Members& members() const { return members_; }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  Value::Members members_;
  std::vector<std::string> missing_;
};

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_PROPERTIES_H_
