// A deployer of resources of the type Test::Thing, for tests of what a
// deployment does with resources that are there already.
//
//   TEST_F(ExistingResourcesTest, ...) {
//     ASSERT_TRUE(Deploy(ThingOf("A", R"("Name": "a")", kRetain)).ok());
//     Open();  // as a process that starts
//     EXPECT_EQ(IdOf("A"), "a");
//   }
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_EXISTING_RESOURCES_TEST_BASE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_EXISTING_RESOURCES_TEST_BASE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/testing/fake_provider.h"
#include "local/store/forwarding_store.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation::testing {

inline constexpr char kRetain[] =
    R"("DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain", )";

inline std::string ThingOf(absl::string_view id, absl::string_view properties,
                           absl::string_view attributes = "") {
  return absl::StrCat("\"", id, R"(": {"Type": "Test::Thing", )", attributes,
                      R"("Properties": {)", properties, "}}");
}

// Fails at its commit number `commits_left`, and from then on, as if the
// process had been killed there.
class KilledStore final : public ForwardingStore {
 public:
  KilledStore(Store& store, FakeWorld& world, int commits_left)
      : ForwardingStore(store), world_(world), commits_left_(commits_left) {}

  absl::Status Commit() override {
    if (commits_left_-- > 0) return ForwardingStore::Commit();
    Rollback();
    world_.dead = true;
    return absl::UnavailableError("dead");
  }

 private:
  FakeWorld& world_;
  int commits_left_;
};

class ExistingResourcesTest : public ::testing::Test {
 protected:
  ExistingResourcesTest() {
    registry_.Add(std::make_unique<FakeProvider>(
        "Test::Thing",
        ResourceSchema{.acted_on = {"Fixed", "Link", "Name", "Size"},
                       .create_only = {"Fixed", "Name"},
                       .attributes = {"Arn"}},
        world_));
    Open();
  }

  // As a process that starts.
  void Open() {
    deployer_ = nullptr;
    deployer_ = *Deployer::Open(*store_, clock_, registry_, {});
    EXPECT_EQ(deployer_->Restore(), absl::OkStatus());
  }
  void LoseStacks() {
    deployer_ = nullptr;
    store_ = *OpenSqliteStore({});
    Open();
  }

  absl::StatusOr<DeployResult> Deploy(
      absl::string_view resources,
      ExistingResources existing = ExistingResources::kRefuse) {
    return DeployWith(*deployer_, resources, existing);
  }

  // With a process that is killed at a commit. True if it lived to the end.
  bool DeployAndDie(absl::string_view resources, int commits,
                    ExistingResources existing = ExistingResources::kRefuse) {
    deployer_ = nullptr;
    KilledStore killed(*store_, world_, commits);
    const auto deployer = Deployer::Open(killed, clock_, registry_, {});
    const bool lived = DeployWith(**deployer, resources, existing).ok();
    world_.dead = false;
    return lived;
  }

  std::string IdOf(const std::string& logical_id) {
    return deployer_->Find("s")->resources.at(logical_id).state.physical_id;
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1000)};
  FakeWorld world_;
  ProviderRegistry registry_;
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  std::unique_ptr<Deployer> deployer_;
  std::vector<std::string> notes_;  // of the last deployment

 private:
  absl::StatusOr<DeployResult> DeployWith(Deployer& deployer,
                                          absl::string_view resources,
                                          ExistingResources existing) {
    world_.calls.clear();
    notes_.clear();
    return deployer.Deploy(
        {.stack_name = "s",
         .template_text = absl::StrCat(R"({"Resources": {)", resources, "}}"),
         .existing = existing,
         .on_note = [this](const std::string& note) {
           notes_.push_back(note);
         }});
  }
};

}  // namespace byoshin::local::cloudformation::testing

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_EXISTING_RESOURCES_TEST_BASE_H_
