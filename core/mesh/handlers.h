// The functions behind fields of the GraphQL API: each turns an event of
// AppSync, in the form of a direct Lambda resolver, into an answer.
//
//   CreateGroupHandler handler(
//       {.service = service, .logger = logger, .clock = clock});
//   handler.Handle(invocation);
//   // {"data":{"id":…}} or {"error":{"type":"ValidationError","message":…}}
//
// https://docs.aws.amazon.com/appsync/latest/devguide/direct-lambda-reference.html
#ifndef BYOSHIN_CORE_MESH_HANDLERS_H_
#define BYOSHIN_CORE_MESH_HANDLERS_H_

#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/mesh/service.h"
#include "core/time/clock.h"

namespace byoshin::mesh {

// The parts must outlive the handlers.
struct HandlerDependencies {
  Service& service;
  log::Logger& logger;
  const time::Clock& clock;
};

// Reads the event and writes the answer. The time of a call is that of the
// event's "now", in milliseconds since 1970, which the resolver puts there:
// functions and resolvers must agree on what is over. Without it, as in events
// of direct resolvers, it is the clock's.
// Logs errors that clients have caused,
// by their type: neither arguments nor headers, which have the API key. Not
// thread-safe.
class FieldHandler : public lambda::Handler {
 public:
  // InvalidArgument only if the payload is not an event of AppSync for this
  // field: AppSync checks types of arguments by the schema.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) final;

 protected:
  FieldHandler(absl::string_view field, HandlerDependencies dependencies);

  Service& service() const { return dependencies_.service; }
  void Count(absl::string_view metric, double count) const;

 private:
  // The value of the field.
  virtual absl::StatusOr<Json::Value> Resolve(const Json::Value& arguments,
                                              const CallTimes& times) = 0;

  const std::string field_;
  const HandlerDependencies dependencies_;
};

class CreateGroupHandler final : public FieldHandler {
 public:
  explicit CreateGroupHandler(HandlerDependencies dependencies);

 private:
  absl::StatusOr<Json::Value> Resolve(const Json::Value& arguments,
                                      const CallTimes& times) override;
};

class LeaveGroupHandler final : public FieldHandler {
 public:
  explicit LeaveGroupHandler(HandlerDependencies dependencies);

 private:
  absl::StatusOr<Json::Value> Resolve(const Json::Value& arguments,
                                      const CallTimes& times) override;
};

class DissolveGroupHandler final : public FieldHandler {
 public:
  explicit DissolveGroupHandler(HandlerDependencies dependencies);

 private:
  absl::StatusOr<Json::Value> Resolve(const Json::Value& arguments,
                                      const CallTimes& times) override;
};

class FireEventsHandler final : public FieldHandler {
 public:
  explicit FireEventsHandler(HandlerDependencies dependencies);

 private:
  absl::StatusOr<Json::Value> Resolve(const Json::Value& arguments,
                                      const CallTimes& times) override;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_HANDLERS_H_
