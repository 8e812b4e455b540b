// AppSync's control plane: the service behind the gateway with which clients
// and templates make GraphQL APIs.
//
//   absl::StatusOr<std::unique_ptr<ControlPlane>> plane =
//       ControlPlane::Open({.store = store, .clock = clock, .compilers = …});
//   gateway.Add(**plane);
//   std::shared_ptr<const ApiState> state = (*plane)->catalog().Find(api_id);
#ifndef BYOSHIN_LOCAL_APPSYNC_CONTROL_CONTROL_PLANE_H_
#define BYOSHIN_LOCAL_APPSYNC_CONTROL_CONTROL_PLANE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/catalog.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::appsync {

// Thread-safe.
class ControlPlane final : public Service {
 public:
  struct World {
    // Both must outlive it.
    Store& store;
    time::Clock& clock;
    Compilers compilers{};
    // Of changes; may be null.
    Catalog::Listener listener{};
    // Does work that may take seconds, on threads that nothing else waits for.
    // Drops what it has not begun before the control plane ends. Never null.
    std::function<void(std::function<void()>)> post_long{};
  };

  // DataLoss if the store is damaged.
  static absl::StatusOr<std::unique_ptr<ControlPlane>> Open(World world);

  ControlPlane(const ControlPlane&) = delete;
  ControlPlane& operator=(const ControlPlane&) = delete;
  ~ControlPlane() override;

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

  // For Find() and List().
  const Catalog& catalog() const { return catalog_; }

 private:
  explicit ControlPlane(World world);

  absl::StatusOr<Answer> Run(const Operation& operation, const Call& call,
                             std::vector<std::string> parts);

  const World world_;
  Catalog catalog_;
  // The loop's own.
  SchemaFailures schema_failures_;
  WorkLoop loop_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CONTROL_CONTROL_PLANE_H_
