// Every operation that the local cloud serves, at and beyond each limit that
// AWS's model of its service sets.

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/stack/stack_cloud.h"
#include "local/wire/model.h"
#include "local/wire/models.h"
#include "tests/boundaries/violations.h"

namespace byoshin::boundaries {
namespace {

using local::Answer;
using local::wire::Model;
using local::wire::Shape;

struct Served {
  const char* service;
  const Model& model;
  // The error of a request that breaks a constraint.
  const char* code;
  // How many operations there are: a lower bound, so that none is lost.
  std::size_t operations;
  // Members whose limits the service words itself, as messages name them.
  std::vector<std::string> exempt{};
};

std::ostream& operator<<(std::ostream& out, const Served& served) {
  return out << served.service;
}

// The cloud's services, within the process.
class Services {
 public:
  Services() {
    absl::StatusOr<std::unique_ptr<local::stack::StackCloud>> cloud =
        local::stack::StackCloud::Start(
            {.gateway = {.port = 0},
             .applications =
                 {{.name = "boundaries",
                   .open =
                       [this](local::cloud::Host& host) {
                         host_ = &host;
                         return absl::StatusOr<
                             std::unique_ptr<local::cloud::Module>>(
                             std::make_unique<local::cloud::Module>());
                       }}}},
            clock_);
    EXPECT_TRUE(cloud.ok()) << cloud.status();
    cloud_ = *std::move(cloud);
  }

  local::Service& Find(absl::string_view name) const {
    return *host_->FindService(name);
  }

 private:
  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
  local::cloud::Host* host_ = nullptr;
  std::unique_ptr<local::stack::StackCloud> cloud_;
};

class BoundariesTest : public ::testing::TestWithParam<Served> {
 protected:
  Answer Call(absl::string_view operation, const Json::Value& request) {
    return async::Await<Answer>([&](auto done) {
      services_.Find(GetParam().service)
          .Handle({.operation = std::string(operation),
                   .body = json::WriteValue(request),
                   .region = "us-east-1",
                   .endpoint = "http://127.0.0.1:4566",
                   .caller = {.account_id = local::kLocalAccountId}},
                  std::move(done));
    });
  }

  static std::string CodeOf(const Answer& answer) {
    const absl::StatusOr<Json::Value> body = json::ParseValue(answer.body);
    const std::string type = body.ok() ? json::TextMember(*body, "__type") : "";
    return type.substr(type.find('#') + 1);
  }

  void Check(absl::string_view operation, const Probe& probe) {
    const Answer answer = Call(operation, probe.request);
    SCOPED_TRACE(absl::StrCat(operation, " ",
                              json::WriteValue(probe.request).substr(0, 500),
                              "\n", answer.body.substr(0, 2000)));
    const std::string at = absl::StrCat(" at '", probe.path, "' failed to ");
    switch (probe.kind) {
      case Probe::Kind::kBreaksConstraint:
        if (absl::c_linear_search(GetParam().exempt, probe.path)) break;
        EXPECT_EQ(answer.status, 400);
        EXPECT_EQ(CodeOf(answer), GetParam().code);
        EXPECT_TRUE(absl::StrContains(answer.body, at));
        break;
      case Probe::Kind::kHasOtherType:
        EXPECT_EQ(answer.status, 400);
        EXPECT_EQ(CodeOf(answer), "SerializationException");
        EXPECT_TRUE(absl::StrContains(answer.body,
                                      absl::StrCat(probe.path, " must be ")));
        break;
      case Probe::Kind::kReachesBound:
        EXPECT_LT(answer.status, 500);
        EXPECT_FALSE(absl::StrContains(
            answer.body, absl::StrCat(at,
                                      "satisfy constraint: Member must "
                                      "have")));
        break;
    }
  }

  Services services_;
};

// **Feature: local-cloud, Property 1: For any operation of a service that has
// a model, and any single constraint of that model, a request that breaks it is
// refused with the service's error, which names the member; one that reaches it
// from inside is not refused for it**
TEST_P(BoundariesTest, AreThoseOfTheModel) {
  const Model& model = GetParam().model;
  std::size_t served = 0;
  std::size_t probed = 0;
  for (std::size_t i = 0; i < model.operation_count(); ++i) {
    const absl::string_view operation = model.operation_name(i);
    const Answer plain = Call(operation, Json::Value(Json::objectValue));
    if (CodeOf(plain) == "UnknownOperationException") continue;
    ++served;
    const std::optional<Shape> input = model.InputOf(operation);
    if (!input.has_value()) continue;
    for (const Probe& probe : ProbesOf(*input)) {
      Check(operation, probe);
      ++probed;
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(served, GetParam().operations);
  RecordProperty("probes", std::to_string(probed));
  EXPECT_GE(probed, served * 4);
}

INSTANTIATE_TEST_SUITE_P(
    Each, BoundariesTest,
    ::testing::Values(
        Served{"cognito-idp",
               local::wire::kCognitoidpModel,
               "InvalidParameterException",
               56,
               {"password", "previousPassword", "proposedPassword",
                "temporaryPassword"}},
        Served{"events", local::wire::kEventsModel, "ValidationException", 12},
        Served{"logs", local::wire::kLogsModel, "InvalidParameterException", 4},
        Served{"secretsmanager",
               local::wire::kSecretsmanagerModel,
               "ValidationException",
               19,
               {"clientRequestToken", "passwordLength"}},
        Served{"states", local::wire::kStepfunctionsModel,
               "ValidationException", 37}),
    [](const auto& info) {
      return absl::StrReplaceAll(info.param.service, {{"-", ""}});
    });

}  // namespace
}  // namespace byoshin::boundaries
