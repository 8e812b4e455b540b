// The cloud's services, what stands between them and the gateway, and what
// deploys into them.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/random/random.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "core/aws/credentials.h"
#include "local/apigateway/front.h"
#include "local/apigateway/providers.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/recorded.h"
#include "local/dashboard/dashboard.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/providers.h"
#include "local/events/cloudformation.h"
#include "local/events/events.h"
#include "local/events/lambda_targets.h"
#include "local/gateway/gateway.h"
#include "local/iam/authorized_service.h"
#include "local/iam/cloudformation.h"
#include "local/iam/iam.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/lambda.h"
#include "local/lambda/service.h"
#include "local/lambda/sqs_queues.h"
#include "local/logs/cloudformation.h"
#include "local/sqs/providers.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"
#include "local/stack/counting_queues.h"
#include "local/stack/faulty_service.h"
#include "local/stack/inspection.h"
#include "local/stack/record_observer.h"
#include "local/stack/stack_cloud_impl.h"
#include "local/stack/zip_folder.h"
#include "local/store/file_header.h"

namespace byoshin::local::stack {
namespace {

namespace cfn = cloudformation;

std::string RandomHex() {
  absl::BitGen random;
  return absl::StrFormat("%016x", absl::Uniform<std::uint64_t>(random));
}

// Functions behind REST APIs.
class ApiInvoker final : public apigateway::FunctionInvoker {
 public:
  explicit ApiInvoker(lambda::Lambda& lambda) : lambda_(lambda) {}

  void InvokeForApi(Request request, Done done) override {
    const lambda::ServicePrincipal caller{
        .principal = "apigateway.amazonaws.com",
        .source_arn = std::move(request.source_arn)};
    lambda_.Invoke(
        request.function_arn, {.payload = std::move(request.payload)}, &caller,
        [done = std::move(done)](absl::StatusOr<lambda::InvokeResult> result) {
          if (!result.ok()) return done(result.status());
          if (!result->function_error.empty()) {
            return done(absl::InternalError(
                absl::StrCat("the function failed: ", result->payload)));
          }
          done(std::move(result->payload));
        });
  }

 private:
  lambda::Lambda& lambda_;
};

}  // namespace

absl::Status StackCloudImpl::OpenServices() {
  credentials_.AddOrDefault(options_.credentials);
  iam_ = std::make_unique<iam::Iam>(
      wall_clock_,
      iam::IamOptions{
          .on_session =
              [this](const iam::SessionCredentials& session) {
                credentials_.Add(
                    {.access_key_id = session.access_key_id,
                     .secret_access_key =
                         aws::Secret(session.secret_access_key),
                     .session_token = aws::Secret(session.session_token),
                     .expires = session.expiration});
              },
          .on_session_end =
              [this](const std::string& key) { credentials_.Remove(key); }});
  absl::StatusOr<std::unique_ptr<sqs::Sqs>> sqs =
      sqs::Sqs::Open(*sqs_store_, clock_, {});
  if (!sqs.ok()) {
    return NameDamagedFile(sqs.status(), DatabasePath("sqs"));
  }
  sqs_ = *std::move(sqs);
  absl::StatusOr<std::unique_ptr<dynamodb::DynamoDb>> dynamodb =
      dynamodb::DynamoDb::Open(*dynamodb_store_, clock_, {});
  if (!dynamodb.ok()) {
    return NameDamagedFile(dynamodb.status(), DatabasePath("dynamodb"));
  }
  dynamodb_ = *std::move(dynamodb);

  sqs_queues_ = std::make_unique<lambda::SqsQueues>(*sqs_);
  queues_ = std::make_unique<CountingQueues>(*sqs_queues_);
  absl::StatusOr<std::unique_ptr<lambda::Lambda>> lambda = lambda::Lambda::Open(
      {.store = *lambda_store_,
       .clock = clock_,
       .queues = *queues_,
       .sink = *sqs_queues_},
      {.folder = folder_ + "/lambda",
       .credentials =
           [this](const std::string& role) { return CredentialsOf(role); },
       .on_credentials_end =
           [this](const std::string& key) { iam_->EndSession(key); },
       .endpoint_url = [this] { return endpoint(); },
       .authorize =
           [this](const std::string& role, const std::string& action,
                  const std::string& resource) {
             return AuthorizeRole(role, action, resource);
           },
       .crash = options_.crash,
       .on_note = [this](const std::string& text) { Note(text); },
       .timer = &timer_});
  if (!lambda.ok()) {
    return NameDamagedFile(lambda.status(), DatabasePath("lambda"));
  }
  lambda_ = *std::move(lambda);
  targets_ = std::make_unique<events::LambdaTargets>(*lambda_);
  absl::StatusOr<std::unique_ptr<events::Events>> events = events::Events::Open(
      {.store = *events_store_,
       .clock = clock_,
       .targets = *targets_,
       .sink = *sqs_queues_,
       .timer = timer_,
       .authorize = [this](const std::string& rule, const std::string& queue) {
         return AuthorizeRule(rule, queue);
       }});
  if (!events.ok()) {
    return NameDamagedFile(events.status(), DatabasePath("events"));
  }
  events_ = *std::move(events);

  api_invoker_ = std::make_unique<ApiInvoker>(*lambda_);
  front_ = std::make_unique<apigateway::Front>(
      apis_, apigateway::Front::Options{
                 .invoker = *api_invoker_,
                 .clock = clock_,
                 .account_id = kLocalAccountId,
                 .region = options_.region,
                 .access_log =
                     [this](absl::string_view group, std::string line) {
                       lambda_->logs().Write({.time = clock_.Now(),
                                              .group = LogGroupOf(group),
                                              .stream = "access",
                                              .text = std::move(line)});
                     },
                 .new_request_id = RandomHex});
  source_ = std::make_unique<CloudSource>(
      CloudSource::World{.clock = clock_,
                         .sqs = *sqs_,
                         .dynamodb = *dynamodb_,
                         .lambda = *lambda_,
                         .events = *events_,
                         .queues = *queues_,
                         .region = options_.region,
                         .endpoint = [this] { return endpoint(); },
                         .on_outcome = options_.on_outcome});
  dashboard_ = std::make_unique<dashboard::Dashboard>(
      *source_, dashboard::DashboardOptions{.instance = RandomHex()});
  source_->set_on_change([this] { dashboard_->Changed(); });
  return absl::OkStatus();
}

absl::Status StackCloudImpl::OpenDeployer() {
  zips_ = std::make_unique<ZipFolder>(folder_ + "/zips");
  providers_.Add(sqs::NewQueueProvider(*sqs_, [this] { return endpoint(); }));
  providers_.Add(dynamodb::NewTableProvider(*dynamodb_));
  for (auto& provider : lambda::LambdaProviders(*lambda_, *zips_)) {
    providers_.Add(std::move(provider));
  }
  providers_.Add(events::RuleProvider(*events_));
  for (auto& provider : apigateway::NewProviders(apis_)) {
    providers_.Add(std::move(provider));
  }
  providers_.Add(logs::LogGroupProvider(log_groups_, lambda_->logs(), clock_));
  iam::AddIamProviders(
      *iam_, providers_,
      [this](const std::string& queue_url, const std::string& policy) {
        return ShowQueuePolicy(queue_url, policy);
      });
  cfn::AddRecordedProviders(providers_);
  absl::StatusOr<std::unique_ptr<cfn::Deployer>> deployer = cfn::Deployer::Open(
      *stacks_store_, clock_, providers_,
      {.context = {.account_id = kLocalAccountId, .region = options_.region}});
  if (!deployer.ok()) {
    return NameDamagedFile(deployer.status(), DatabasePath("cloudformation"));
  }
  deployer_ = *std::move(deployer);
  return absl::OkStatus();
}

absl::Status StackCloudImpl::StartGateway() {
  std::vector<Service*> services;
  const auto guard = [&](Service& service) {
    auto faulty = std::make_unique<FaultyService>(service, options_.fault);
    auto guarded = std::make_unique<iam::AuthorizedService>(
        *faulty, *iam_,
        iam::AuthorizedService::Options{
            .on_denied = [this](const iam::AccessRequest& request,
                                const iam::Decision& decision) {
              NoteDenial(request, decision);
            }});
    services.push_back(guarded.get());
    service_names_.emplace_back(service.name());
    front_services_.push_back(std::move(faulty));
    front_services_.push_back(std::move(guarded));
  };
  auto observer = std::make_unique<RecordObserver>(
      *dynamodb_, clock_, [this] { return source_->window_lag(); },
      [this](const dashboard::SlotRecord& record) { NoteRecord(record); });
  auto wire = std::make_unique<lambda::LambdaService>(*lambda_);
  guard(*sqs_);
  guard(*observer);
  guard(*wire);
  front_services_.push_back(std::move(observer));
  front_services_.push_back(std::move(wire));
  for (std::unique_ptr<Service>& service :
       InspectionServices({.deployer = *deployer_,
       .events = *events_,
       .log_groups = log_groups_,
       .logs = lambda_->logs(),
       .apis = apis_,
       .iam = *iam_,
       .clock = clock_,
       .region = options_.region})) {
    guard(*service);
    front_services_.push_back(std::move(service));
  }

  GatewayOptions gateway_options = options_.gateway;
  gateway_options.signing_clock = &wall_clock_;
  gateway_options.take_other = [this](const http::ServerRequest& request,
                                      const http::Responder& respond) {
    return TakeOther(request, respond);
  };
  absl::StatusOr<std::unique_ptr<Gateway>> gateway =
      Gateway::Start(gateway_options, services, credentials_, clock_);
  if (!gateway.ok()) return gateway.status();
  gateway_ = *std::move(gateway);
  endpoint_ = gateway_->url();
  return absl::OkStatus();
}

void StackCloudImpl::NoteRecord(const dashboard::SlotRecord& record) {
  source_->AddRecord(record);
  if (options_.on_record) options_.on_record(record);
}

bool StackCloudImpl::TakeOther(const http::ServerRequest& request,
                               const http::Responder& respond) {
  // First, so that an API's own host has nothing of the dashboard.
  if (apigateway::Front::Wants(request)) {
    front_->Handle(request, respond);
    return true;
  }
  if (!dashboard::Dashboard::Wants(request)) return false;
  dashboard_->Handle(request, respond);
  return true;
}

}  // namespace byoshin::local::stack
