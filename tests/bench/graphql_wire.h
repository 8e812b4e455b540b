// Operations of AppSync's GraphQL APIs as bytes and messages: what clients post
// and what they say over a WebSocket.
//
//   const GraphqlOperation report = {.query = "mutation M($g: ID!) { … }",
//                                    .variables = R"({"g":"1"})"};
//   connection.Send(PostRequest(target, report));
//   socket.SendText(StartMessage(target, "1", subscription));
#ifndef BYOSHIN_TESTS_BENCH_GRAPHQL_WIRE_H_
#define BYOSHIN_TESTS_BENCH_GRAPHQL_WIRE_H_

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::bench {

// A GraphQL API.
struct GraphqlTarget {
  std::string name{};
  int port = 0;        // on 127.0.0.1
  std::string path{};  // of POST requests
  std::string key{};   // x-api-key
  pid_t process = 0;   // that serves it
};

// The one at a URL of this machine, "http://127.0.0.1:4566/…/graphql".
absl::StatusOr<GraphqlTarget> TargetAt(absl::string_view url,
                                       absl::string_view key);

struct GraphqlOperation {
  std::string query{};
  // A JSON object.
  std::string variables = "{}";
};

// As a JSON string.
std::string JsonQuoted(absl::string_view text);

// {"query":…,"variables":…}.
std::string OperationBody(const GraphqlOperation& operation);

// A POST of the operation, or of any body.
std::string PostRequest(const GraphqlTarget& target,
                        const GraphqlOperation& operation);
std::string PostRequest(const GraphqlTarget& target, absl::string_view body);

// The request for a WebSocket.
std::string UpgradeRequest(const GraphqlTarget& target);

// The messages that begin a connection and a subscription, and end it.
inline constexpr char kInitMessage[] = R"({"type":"connection_init"})";
std::string StartMessage(const GraphqlTarget& target, absl::string_view id,
                         const GraphqlOperation& subscription);
std::string StopMessage(absl::string_view id);

// Whether the server's message has this type.
bool HasType(absl::string_view message, absl::string_view type);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_GRAPHQL_WIRE_H_
