// The cloud that StackCloud::Start() makes. For its own files: stack_cloud.cc
// has how it begins, deploys and ends, stack_cloud_services.cc its parts and
// how they are connected, stack_cloud_access.cc who may do what.
#ifndef BYOSHIN_LOCAL_STACK_STACK_CLOUD_IMPL_H_
#define BYOSHIN_LOCAL_STACK_STACK_CLOUD_IMPL_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/clock.h"
#include "core/time/real_clock.h"
#include "local/apigateway/front.h"
#include "local/apigateway/registry.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/dashboard/dashboard.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/dynamodb/dynamodb.h"
#include "local/events/events.h"
#include "local/events/lambda_targets.h"
#include "local/files/temporary_folder.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/service.h"
#include "local/iam/iam.h"
#include "local/lambda/lambda.h"
#include "local/lambda/real_timer.h"
#include "local/lambda/sqs_queues.h"
#include "local/logs/log_groups.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"
#include "local/stack/counting_queues.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/zip_folder.h"
#include "local/store/store.h"

namespace byoshin::local::stack {

class StackCloudImpl final : public StackCloud {
 public:
  StackCloudImpl(StackCloudOptions options, time::Clock& clock)
      : options_(std::move(options)), clock_(clock) {}
  ~StackCloudImpl() override;

  absl::Status Open();

  std::string url() const override { return gateway_->url(); }
  std::vector<std::string> services() const override { return service_names_; }
  absl::StatusOr<cloudformation::DeployResult> Deploy(
      const StackDeployment& deployment) override;
  void WarmUp() override { lambda_->WarmUp(); }
  void Begin() override {
    lambda_->Begin();
    events_->Begin();
  }
  void EndSchedules() override { events_->DisableRules(); }
  void ExpectSlotsFrom(absl::Time slot) override {
    source_->ExpectSlotsFrom(slot);
  }
  dashboard::DashboardSource& source() override { return *source_; }
  std::int64_t retries() const override { return queues_->all_retries(); }
  void Stop() override;

 private:
  absl::Status MakeFolders();
  absl::Status OpenStores();
  // Empty if data is in memory.
  std::string DatabasePath(absl::string_view service) const;
  absl::Status OpenServices();
  absl::Status OpenDeployer();
  absl::Status StartGateway();
  absl::Status RestoreStacks();
  // Of zips, those that no deployed function names, but for `kept`.
  void RemoveUnusedCode(std::set<std::string> kept);
  absl::Status ShowQueuePolicy(const std::string& queue_url,
                               const std::string& policy);
  absl::StatusOr<aws::Credentials> CredentialsOf(const std::string& role);
  absl::Status AuthorizeRole(const std::string& role, const std::string& action,
                             const std::string& resource);
  absl::Status AuthorizeRule(const std::string& rule, const std::string& queue);
  // Tells people of a refusal.
  absl::Status Authorize(const iam::AccessRequest& request);
  bool TakeOther(const http::ServerRequest& request,
                 const http::Responder& respond);
  void NoteDenial(const iam::AccessRequest& request,
                  const iam::Decision& decision);
  void NoteRecord(const dashboard::SlotRecord& record);
  void Note(const std::string& text) {
    if (options_.on_note) options_.on_note(text);
  }
  // Functions are started by other threads, also while the gateway ends.
  std::string endpoint() const { return endpoint_; }

  const StackCloudOptions options_;
  time::Clock& clock_;
  // Functions and clients sign by the wall clock, whatever the cloud's is.
  time::RealClock wall_clock_;
  std::string endpoint_;  // does not change once there are functions
  std::once_flag stopped_;
  std::string folder_;  // absolute
  // Of a cloud that is to leave nothing behind; null if data is kept.
  std::unique_ptr<TemporaryFolder> temporary_;

  // Each is used by what stands below it.
  CredentialSet credentials_;
  lambda::SteadyTimer timer_;
  std::unique_ptr<Store> sqs_store_, dynamodb_store_, lambda_store_,
      events_store_, stacks_store_;
  std::unique_ptr<iam::Iam> iam_;
  std::unique_ptr<sqs::Sqs> sqs_;
  std::unique_ptr<dynamodb::DynamoDb> dynamodb_;
  std::unique_ptr<lambda::SqsQueues> sqs_queues_;
  std::unique_ptr<CountingQueues> queues_;
  std::unique_ptr<lambda::Lambda> lambda_;
  std::unique_ptr<events::LambdaTargets> targets_;
  std::unique_ptr<events::Events> events_;
  apigateway::Registry apis_;
  logs::LogGroups log_groups_;
  std::unique_ptr<apigateway::FunctionInvoker> api_invoker_;
  std::unique_ptr<apigateway::Front> front_;
  std::unique_ptr<ZipFolder> zips_;
  cloudformation::ProviderRegistry providers_;
  std::unique_ptr<cloudformation::Deployer> deployer_;
  // What one deployment has put, another is not to remove.
  std::mutex deploying_;
  std::unique_ptr<CloudSource> source_;
  std::unique_ptr<dashboard::Dashboard> dashboard_;
  std::vector<std::unique_ptr<Service>> front_services_;
  std::vector<std::string> service_names_;
  std::unique_ptr<Gateway> gateway_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_STACK_CLOUD_IMPL_H_
