#include "local/appsync/control/control_plane.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/names.h"
#include "local/gateway/error.h"
#include "local/gateway/permission.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/store/run_on_loop.h"
#include "local/store/work_loop.h"

namespace byoshin::local::appsync {
namespace {

constexpr ServiceTraits kTraits = {.name = "appsync",
                                   .target_prefix = "AWSDeepdishControlPlane",
                                   .speaks_rest = true};

struct Found {
  const Operation* operation;
  std::vector<std::string> parts;
};

std::optional<Found> FindOperation(const Call& call) {
  for (const auto operations :
       {ApiOperations(), KeyOperations(), DataSourceOperations(),
        FunctionOperations(), ResolverOperations(), SchemaOperations(),
        TagOperations(), UnsupportedOperations()}) {
    for (const Operation& operation : operations) {
      if (call.method != operation.method) continue;
      std::optional<std::vector<std::string>> parts =
          MatchPath(operation.path, call.path);
      if (parts.has_value()) return Found{&operation, *std::move(parts)};
    }
  }
  return std::nullopt;
}

Answer ResultAnswer(absl::StatusOr<Answer> result) {
  if (result.ok()) return *std::move(result);
  return RestErrorAnswer(result.status(), MessageSpelling::kLowerCase);
}

}  // namespace

ControlPlane::ControlPlane(World world)
    : world_(std::move(world)),
      catalog_(world_.store, world_.listener),
      loop_(world_.store, world_.clock, {.on_rollback = [this] {
              // What can't be read can't be written either.
              catalog_.Load().IgnoreError();
            }}) {}

ControlPlane::~ControlPlane() { loop_.Stop(); }

absl::StatusOr<std::unique_ptr<ControlPlane>> ControlPlane::Open(World world) {
  std::unique_ptr<ControlPlane> plane(new ControlPlane(std::move(world)));
  absl::Status loaded;
  RunOnLoop(plane->loop_, [&] { loaded = plane->catalog_.Load(); });
  if (!loaded.ok()) return loaded;
  return plane;
}

const ServiceTraits& ControlPlane::traits() const { return kTraits; }

// An operation on an API as a whole is on its ARN, any other on its path.
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsappsync.html
std::vector<NeededPermission> ControlPlane::PermissionsFor(
    const Call& call) const {
  const std::optional<Found> found = FindOperation(call);
  if (!found.has_value()) return {};
  std::string resource = ArnFor(call, kTraits.name, call.path);
  const absl::string_view path = found->operation->path;
  if (path == "/v1/apis/{apiId}") {
    resource =
        ArnFor(call, kTraits.name, absl::StrCat("apis/", found->parts[0]));
  } else if (absl::StartsWith(path, "/v1/tags/")) {
    resource = found->parts[0];
  }
  return {{.action = absl::StrCat(kTraits.name, ":", found->operation->name),
           .resource = std::move(resource)}};
}

absl::StatusOr<Answer> ControlPlane::Run(const Operation& operation,
                                         const Call& call,
                                         std::vector<std::string> parts) {
  if (operation.run == nullptr) {
    return BadRequest(absl::StrCat("The operation ", operation.name,
                                   " is not supported by the local cloud. ",
                                   operation.instead));
  }
  OperationContext context{.catalog = catalog_,
                           .schema_failures = schema_failures_,
                           .compilers = world_.compilers,
                           .call = call,
                           .parts = std::move(parts),
                           .body = Json::Value(Json::objectValue),
                           .now = world_.clock.Now()};
  if (!call.body.empty()) {
    const absl::StatusOr<Json::Value>& body = call.JsonBody();
    if (!body.ok() || !body->isObject()) {
      return BadRequest("The request's body is not a JSON object.");
    }
    context.body = *body;
  }
  return operation.run(context);
}

void ControlPlane::Handle(Call call, AnswerFunction answer) {
  std::optional<Found> found = FindOperation(call);
  if (!found.has_value()) {
    return answer(ResultAnswer(ServiceError(
        {.code = "UnknownOperationException",
         .message = absl::StrCat("AppSync has no operation here for ",
                                 call.method, " ", call.path),
         .http_status = 404})));
  }
  const auto shared = std::make_shared<Call>(std::move(call));
  if (found->operation->runs_on == RunsOn::kLongThread) {
    return world_.post_long(
        [this, found = *std::move(found), shared, answer = std::move(answer)] {
          answer(ResultAnswer(Run(*found.operation, *shared, found.parts)));
        });
  }
  // Schemas and code take milliseconds to check, so this is the loop's work.
  loop_.Submit([this, found = *std::move(found), shared,
                answer = std::move(answer)]() -> AfterCommit {
    auto result = std::make_shared<absl::StatusOr<Answer>>(
        Run(*found.operation, *shared, found.parts));
    return [answer, result](const absl::Status& committed) {
      answer(ResultAnswer(committed.ok() ? *std::move(result) : committed));
    };
  });
}

}  // namespace byoshin::local::appsync
