#include "local/stack/stack_cloud.h"

#include <json/json.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/random/random.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/json/value.h"
#include "core/time/real_clock.h"
#include "local/apigateway/front.h"
#include "local/apigateway/providers.h"
#include "local/apigateway/registry.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/recorded.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/dashboard.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/providers.h"
#include "local/events/cloudformation.h"
#include "local/events/events.h"
#include "local/events/lambda_targets.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/in_process.h"
#include "local/iam/authorized_service.h"
#include "local/iam/cloudformation.h"
#include "local/iam/iam.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/lambda.h"
#include "local/lambda/real_timer.h"
#include "local/lambda/service.h"
#include "local/lambda/sqs_queues.h"
#include "local/logs/cloudformation.h"
#include "local/logs/log_groups.h"
#include "local/sqs/providers.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"
#include "local/stack/counting_queues.h"
#include "local/stack/faulty_service.h"
#include "local/stack/inspection.h"
#include "local/stack/record_observer.h"
#include "local/stack/watched_store.h"
#include "local/stack/zip_folder.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::stack {
namespace {

namespace cfn = cloudformation;

// A part of the second within which the cloud stops.
constexpr absl::Duration kDrainLimit = absl::Milliseconds(400);

absl::Status MakeFolder(const std::string& path) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(path, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder ", path, ": ", error.message()));
  }
  // Data and code are nobody else's business.
  if (made) ::chmod(path.c_str(), S_IRWXU);
  return absl::OkStatus();
}

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

class StackCloudImpl final : public StackCloud {
 public:
  StackCloudImpl(StackCloudOptions options, time::Clock& clock)
      : options_(std::move(options)), clock_(clock) {}
  ~StackCloudImpl() override;

  absl::Status Open();

  std::string url() const override { return gateway_->url(); }
  absl::StatusOr<cfn::DeployResult> Deploy(
      const StackDeployment& deployment) override;
  void WarmUp() override { lambda_->WarmUp(); }
  void Begin() override {
    lambda_->Begin();
    events_->Begin();
  }
  dashboard::DashboardSource& source() override { return *source_; }
  std::int64_t retries() const override { return queues_->all_retries(); }
  void Stop() override {
    // While functions still reach the cloud.
    if (lambda_ != nullptr) lambda_->Drain(kDrainLimit);
    if (dashboard_ != nullptr) dashboard_->EndLongPolls();
    // The gateway waits for those who wait for records.
    if (source_ != nullptr) source_->StopReading();
    if (gateway_ != nullptr) gateway_->Stop();
  }

 private:
  absl::Status MakeFolders();
  absl::Status OpenStores();
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
  std::string folder_;
  // Removes the folder of a cloud that is to leave nothing behind.
  std::shared_ptr<void> cleanup_;

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
  std::unique_ptr<ApiInvoker> api_invoker_;
  std::unique_ptr<apigateway::Front> front_;
  std::unique_ptr<ZipFolder> zips_;
  cfn::ProviderRegistry providers_;
  std::unique_ptr<cfn::Deployer> deployer_;
  // What one deployment has put, another is not to remove.
  std::mutex deploying_;
  std::unique_ptr<CloudSource> source_;
  std::unique_ptr<dashboard::Dashboard> dashboard_;
  std::vector<std::unique_ptr<Service>> front_services_;
  std::unique_ptr<Gateway> gateway_;
};

// Services tell the source of what they do, and the dashboard's thread asks
// them through it. So first nobody calls from outside any more, then the two
// are cut off from the services, then those end that call others, and last the
// called.
StackCloudImpl::~StackCloudImpl() {
  Stop();
  gateway_.reset();
  if (source_ != nullptr) source_->Stop();
  dashboard_.reset();
  deployer_.reset();
  events_.reset();
  lambda_.reset();
  dynamodb_.reset();
  sqs_.reset();
}

absl::Status StackCloudImpl::Open() {
  for (absl::Status (StackCloudImpl::*step)() :
       {&StackCloudImpl::MakeFolders, &StackCloudImpl::OpenStores,
        &StackCloudImpl::OpenServices, &StackCloudImpl::OpenDeployer,
        &StackCloudImpl::StartGateway, &StackCloudImpl::RestoreStacks}) {
    if (absl::Status status = (this->*step)(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status StackCloudImpl::MakeFolders() {
  folder_ = options_.data_directory;
  if (folder_.empty()) {
    std::string pattern =
        std::filesystem::temp_directory_path() / "byoshin-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      return absl::UnavailableError("cannot make a temporary folder");
    }
    folder_ = pattern;
    cleanup_ = std::shared_ptr<void>(nullptr, [folder = folder_](void*) {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    });
  }
  absl::Status status = MakeFolder(folder_);
  if (status.ok()) status = MakeFolder(folder_ + "/zips");
  if (status.ok()) status = MakeFolder(folder_ + "/lambda");
  return status;
}

absl::Status StackCloudImpl::OpenStores() {
  const std::pair<std::unique_ptr<Store>*, absl::string_view> stores[] = {
      {&sqs_store_, "sqs"},
      {&dynamodb_store_, "dynamodb"},
      {&lambda_store_, "lambda"},
      {&events_store_, "events"},
      {&stacks_store_, "cloudformation"}};
  for (const auto& [store, name] : stores) {
    const std::string path = options_.data_directory.empty()
                                 ? ""
                                 : absl::StrCat(folder_, "/", name, ".db");
    absl::StatusOr<std::unique_ptr<Store>> opened =
        OpenSqliteStore({.path = path, .durability = options_.durability});
    if (!opened.ok()) return opened.status();
    *store = std::make_unique<WatchedStore>(
        *std::move(opened), [this](const std::string& text) { Note(text); });
  }
  return absl::OkStatus();
}

absl::Status StackCloudImpl::OpenServices() {
  credentials_.Add({.access_key_id = kDefaultAccessKeyId,
                    .secret_access_key = aws::Secret(kDefaultSecretAccessKey)});
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
  if (!sqs.ok()) return sqs.status();
  sqs_ = *std::move(sqs);
  absl::StatusOr<std::unique_ptr<dynamodb::DynamoDb>> dynamodb =
      dynamodb::DynamoDb::Open(*dynamodb_store_, clock_, {});
  if (!dynamodb.ok()) return dynamodb.status();
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
       .timer = &timer_});
  if (!lambda.ok()) return lambda.status();
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
  if (!events.ok()) return events.status();
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
                         .endpoint = [this] { return endpoint(); }});
  dashboard_ = std::make_unique<dashboard::Dashboard>(
      *source_, dashboard::DashboardOptions{.instance = RandomHex()});
  source_->set_on_change([this] { dashboard_->Changed(); });
  return absl::OkStatus();
}

absl::Status StackCloudImpl::ShowQueuePolicy(const std::string& queue_url,
                                             const std::string& policy) {
  Json::Value request(Json::objectValue);
  request["QueueUrl"] = queue_url;
  request["Attributes"]["Policy"] = policy;
  return CallInProcess(*sqs_,
                       {.operation = "SetQueueAttributes",
                        .region = options_.region,
                        .endpoint = endpoint(),
                        .caller = {.account_id = kLocalAccountId}},
                       request)
      .status();
}

absl::StatusOr<aws::Credentials> StackCloudImpl::CredentialsOf(
    const std::string& role) {
  absl::StatusOr<iam::SessionCredentials> session =
      iam_->AssumeRole({.role_arn = role,
                        .session_name = role.substr(role.rfind('/') + 1),
                        .service = "lambda.amazonaws.com",
                        // It ends with the environment, and not before: a warm
                        // one may be as old as the cloud, and older by the
                        // clock, if that was set or the machine has slept.
                        .duration = absl::InfiniteDuration()});
  if (!session.ok()) {
    Note(absl::StrCat("a function can't be started: ",
                      session.status().message()));
    return session.status();
  }
  return aws::Credentials{
      .access_key_id = session->access_key_id,
      .secret_access_key = aws::Secret(session->secret_access_key),
      .session_token = aws::Secret(session->session_token)};
}

absl::Status StackCloudImpl::AuthorizeRole(const std::string& role,
                                           const std::string& action,
                                           const std::string& resource) {
  return Authorize({.principal = {.kind = iam::Principal::Kind::kRole,
                                  .id = role,
                                  .role_arn = role},
                    .action = action,
                    .resource = resource});
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
absl::Status StackCloudImpl::AuthorizeRule(const std::string& rule,
                                           const std::string& queue) {
  return Authorize({.principal = iam::ServicePrincipal("events.amazonaws.com"),
                    .action = "sqs:SendMessage",
                    .resource = queue,
                    .context = {{"aws:SourceArn", rule}}});
}

absl::Status StackCloudImpl::Authorize(const iam::AccessRequest& request) {
  const iam::Decision decision = iam_->Authorize(request);
  if (decision.allowed()) return absl::OkStatus();
  NoteDenial(request, decision);
  return absl::PermissionDeniedError(iam::DenialMessage(request, decision));
}

void StackCloudImpl::NoteDenial(const iam::AccessRequest& request,
                                const iam::Decision& decision) {
  Note(absl::StrCat(
      "access denied: ", iam::DenialMessage(request, decision),
      decision.missing.empty() ? "" : "; missing: ", decision.missing));
}

void StackCloudImpl::NoteRecord(const dashboard::SlotRecord& record) {
  source_->AddRecord(record);
  if (options_.on_record) options_.on_record(record);
}

bool StackCloudImpl::TakeOther(const http::ServerRequest& request,
                               const http::Responder& respond) {
  if (dashboard::Dashboard::Wants(request)) {
    dashboard_->Handle(request, respond);
    return true;
  }
  if (std::optional<apigateway::Address> address =
          apigateway::AddressOf(request)) {
    front_->Handle(request, *address, respond);
    return true;
  }
  return false;
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
    front_services_.push_back(std::move(faulty));
    front_services_.push_back(std::move(guarded));
  };
  auto observer = std::make_unique<RecordObserver>(
      *dynamodb_, clock_,
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
  if (!deployer.ok()) return deployer.status();
  deployer_ = *std::move(deployer);
  return absl::OkStatus();
}

// Once the gateway is there: URLs of queues have its address.
absl::Status StackCloudImpl::RestoreStacks() {
  if (absl::Status status = deployer_->Restore(); !status.ok()) {
    // The next deployment makes it anew.
    Note(absl::StrCat("not all of what was deployed could be started again: ",
                      status.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<cfn::DeployResult> StackCloudImpl::Deploy(
    const StackDeployment& deployment) {
  const absl::StatusOr<Json::Value> document =
      json::ParseValue(deployment.template_text);
  if (!document.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the template is not JSON: ", document.status().message()));
  }
  cfn::DeployRequest request{.stack_name = deployment.stack_name,
                             .template_text = deployment.template_text,
                             .parameters = deployment.parameters};
  request.parameters.try_emplace("CodeBucket", kLocalBucket);
  const std::lock_guard<std::mutex> lock(deploying_);
  std::set<std::string> given;
  const Json::Value& code = (*document)["Metadata"]["Byoshin"]["Code"];
  if (code.isObject()) {
    for (const std::string& parameter : code.getMemberNames()) {
      const std::string file = code[parameter].asString();
      const auto zip = deployment.zips.find(file);
      if (zip == deployment.zips.end()) {
        return absl::NotFoundError(
            absl::StrCat("the template needs ", file, ", which is not there"));
      }
      absl::StatusOr<std::string> name = zips_->Put(file, zip->second);
      if (!name.ok()) return name.status();
      given.insert(*name);
      request.parameters[parameter] = *std::move(name);
    }
  }
  absl::StatusOr<cfn::DeployResult> result = deployer_->Deploy(request);
  if (!result.ok()) return result;
  source_->Load(result->stack);
  // The next start is given those again that no function has.
  RemoveUnusedCode(std::move(given));
  return result;
}

void StackCloudImpl::RemoveUnusedCode(std::set<std::string> kept) {
  for (const std::string& name : deployer_->Names()) {
    const std::optional<cfn::Stack> stack = deployer_->Find(name);
    if (!stack.has_value()) continue;
    for (const auto& [id, resource] : stack->resources) {
      if (resource.type != "AWS::Lambda::Function") continue;
      kept.insert(
          cfn::TextProperty(resource.properties, "Code.S3Key").value_or(""));
    }
  }
  absl::Status removed = zips_->KeepOnly(kept);
  removed.Update(lambda_->RemoveUnusedCode());
  if (!removed.ok()) {
    Note(absl::StrCat("code that is not used any more is left: ",
                      removed.message()));
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<StackCloud>> StackCloud::Start(
    StackCloudOptions options, time::Clock& clock) {
  auto cloud = std::make_unique<StackCloudImpl>(std::move(options), clock);
  if (absl::Status status = cloud->Open(); !status.ok()) return status;
  return cloud;
}

}  // namespace byoshin::local::stack
