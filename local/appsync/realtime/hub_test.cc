#include "local/appsync/realtime/hub.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"
#include "local/appsync/realtime/testing.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kNotesSchema[] = R"(
  type Note { group: String, text: String }
  type Query { a: Int }
  type Mutation { say(group: String, text: String): Note }
  type Subscription {
    onSay(group: String): Note @aws_subscribe(mutations: ["say"])
  })";

class HubTest : public ::testing::Test {
 protected:
  // A subscription to a group, which the hub does not know yet.
  std::shared_ptr<Subscription> NewSubscription(absl::string_view id,
                                                absl::string_view group,
                                                absl::string_view selection) {
    const auto document = std::make_shared<graphql::PreparedDocument>(
        schema_,
        absl::StrCat("subscription { onSay(group: \"", group, "\") { ",
                     selection, " } }"),
        graphql::ValidationOptions());
    auto subscription = std::make_shared<Subscription>();
    subscription->id = std::string(id);
    subscription->socket = socket_;
    subscription->field = "onSay";
    subscription->projection =
        graphql::Projection::Make(document, *document->FindOperation(""),
                                  json::Data())
            .projection;
    subscription->arguments = subscription->projection->arguments();
    return subscription;
  }
  std::shared_ptr<Subscription> Subscribe(absl::string_view id,
                                          absl::string_view group,
                                          absl::string_view selection) {
    std::shared_ptr<Subscription> subscription =
        NewSubscription(id, group, selection);
    hub_.Add(subscription, absl::StrCat("ack ", id));
    return subscription;
  }

  void Say(absl::string_view group) {
    hub_.Publish({"onSay"},
                 json::Data::Parse(absl::StrCat(R"({"group":")", group,
                                                R"(","text":"hello"})"))
                     .value());
  }

  std::shared_ptr<const graphql::Schema> schema_ =
      graphql::Schema::Parse(kNotesSchema).schema;
  std::shared_ptr<RecordingSocket> socket_ =
      std::make_shared<RecordingSocket>();
  Hub hub_;
};

TEST_F(HubTest, DeliversToThoseWhoseArgumentsMatch) {
  Subscribe("1", "g", "text");
  Subscribe("2", "other", "text");
  EXPECT_THAT(socket_->Take(), ElementsAre("ack 1", "ack 2"));
  Say("g");
  EXPECT_THAT(
      socket_->Take(),
      ElementsAre(
          R"({"id":"1","type":"data","payload":{"data":{"onSay":{"text":"hello"}}}})"));
  Say("nobody's");
  EXPECT_THAT(socket_->Take(), IsEmpty());
}

TEST_F(HubTest, KeepsNothingOfSelectionsThatNobodyHasAnyMore) {
  const std::shared_ptr<Subscription> stays = Subscribe("1", "g", "text");
  for (int i = 0; i < 10; ++i) {
    const std::shared_ptr<Subscription> goes =
        Subscribe("2", "g", absl::StrCat("a", i, ": text"));
    EXPECT_EQ(hub_.selections(), 2);
    hub_.Remove(goes);
    EXPECT_EQ(hub_.selections(), 1);
  }
  hub_.Remove(stays);
  EXPECT_EQ(hub_.selections(), 0);
}

TEST_F(HubTest, KeepsASelectionAsLongAsSomebodyHasIt) {
  const std::shared_ptr<Subscription> first = Subscribe("1", "g", "text");
  const std::shared_ptr<Subscription> second = Subscribe("2", "g", "text");
  EXPECT_EQ(hub_.selections(), 1);
  hub_.Remove(first);
  EXPECT_EQ(hub_.selections(), 1);
  const std::shared_ptr<Subscription> third = Subscribe("3", "g", "text");
  EXPECT_EQ(third->projection, second->projection);
}

TEST_F(HubTest, IgnoresTheRemovalOfWhatItDoesNotHave) {
  const std::shared_ptr<Subscription> stays = Subscribe("1", "g", "text");
  hub_.Remove(NewSubscription("1", "g", "text"));
  hub_.Remove(NewSubscription("1", "other", "text"));
  EXPECT_EQ(hub_.size(), 1);
  const std::shared_ptr<Subscription> twice = Subscribe("2", "g", "group");
  hub_.Remove(twice);
  hub_.Remove(twice);
  EXPECT_EQ(hub_.size(), 1);
}

}  // namespace
}  // namespace byoshin::local::appsync
