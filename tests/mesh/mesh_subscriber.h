// A client that subscribes to a deployed mesh over a WebSocket.
//
//   MeshSubscriber subscriber(mesh);
//   const std::string id = subscriber.Subscribe(
//       {.kind = "subscription", .field = "onGroupDissolve",
//        .arguments = KeyOf(group), .selection = "{ message }"});
//   ...
//   subscriber.CatchUp();
//   subscriber.deliveries();
//
// Everything blocks until the server has confirmed it.
#ifndef BYOSHIN_TESTS_MESH_MESH_SUBSCRIBER_H_
#define BYOSHIN_TESTS_MESH_MESH_SUBSCRIBER_H_

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/testing/web_socket_client.h"
#include "tests/bench/graphql_wire.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {

struct Delivery {
  // Of the subscription.
  std::string id{};
  // Of its field.
  Json::Value data{};
};

// Not thread-safe.
class MeshSubscriber {
 public:
  explicit MeshSubscriber(const DeployedMesh& mesh);

  // Returns the id of the subscription.
  std::string Subscribe(const Call& subscription);
  void Unsubscribe(const std::string& id);

  // Takes everything that mutations have published which are answered by now:
  // AppSync publishes before it answers, and a socket keeps the order.
  void CatchUp();

  // What was taken so far, in order.
  const std::vector<Delivery>& deliveries() const { return deliveries_; }

 private:
  // Takes messages until one of this type comes for this subscription.
  void ReadUntil(absl::string_view type, absl::string_view id);

  const bench::GraphqlTarget target_;
  http::testing::WebSocketClient socket_;
  std::vector<Delivery> deliveries_;
  int subscribed_ = 0;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_TESTS_MESH_MESH_SUBSCRIBER_H_
