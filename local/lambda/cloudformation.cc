#include "local/lambda/cloudformation.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/cloudformation/properties.h"
#include "local/lambda/event_source_mapping.h"
#include "local/lambda/function.h"
#include "local/lambda/function_checks.h"
#include "local/queues/queues.h"

namespace byoshin::local::lambda {
namespace {

using cloudformation::IntegerProperty;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;
using cloudformation::TextsProperty;

constexpr char kTagsReason[] = "the local cloud does not use tags";

// Reads properties one after the other, and keeps the first error.
class Reader {
 public:
  explicit Reader(const Json::Value& properties) : properties_(properties) {}

  std::string Text(absl::string_view path, absl::string_view otherwise = "") {
    return Take(TextProperty(properties_, path, otherwise), std::string());
  }
  std::vector<std::string> Texts(absl::string_view path) {
    return Take(TextsProperty(properties_, path), std::vector<std::string>());
  }
  bool Bool(absl::string_view path, bool otherwise) {
    return Take(cloudformation::BoolProperty(properties_, path, otherwise),
                otherwise);
  }
  // From `min` to `max`, both included.
  std::int64_t Integer(absl::string_view path, std::int64_t otherwise,
                       std::int64_t min, std::int64_t max) {
    const std::int64_t value =
        Take(IntegerProperty(properties_, path, otherwise), otherwise);
    if (value < min || value > max) {
      Fail(absl::StrCat(path, " must be from ", min, " to ", max, ", and is ",
                        value));
    }
    return value;
  }
  std::string OneOf(absl::string_view path, absl::string_view otherwise,
                    const std::vector<std::string>& choices) {
    std::string value = Text(path, otherwise);
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
      Fail(absl::StrCat(path, " must be one of ", absl::StrJoin(choices, ", "),
                        ", and is \"", value, "\""));
    }
    return value;
  }
  bool Has(absl::string_view path) const {
    return !PropertyAt(properties_, path).isNull();
  }
  const Json::Value& At(absl::string_view path) const {
    return PropertyAt(properties_, path);
  }
  void Fail(absl::string_view message) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(message);
  }
  const absl::Status& status() const { return status_; }

 private:
  template <typename T>
  T Take(absl::StatusOr<T> value, T otherwise) {
    if (value.ok()) return *std::move(value);
    if (status_.ok()) status_ = value.status();
    return otherwise;
  }

  const Json::Value& properties_;
  absl::Status status_;
};

// A provider that creates and updates a resource in the same way.
class PutProvider : public ResourceProvider {
 public:
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, request.physical_id);
  }
  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    return Put(request, state.physical_id).status();
  }

 protected:
  virtual absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                            const std::string& id) = 0;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-function.html
class FunctionProvider final : public PutProvider {
 public:
  FunctionProvider(Lambda& lambda, ZipSource& zips)
      : lambda_(lambda), zips_(zips) {}

  absl::string_view type() const override { return "AWS::Lambda::Function"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Architectures[]", "Code.S3Bucket", "Code.S3Key",
                     "Description", "Environment.Variables.*", "FunctionName",
                     "Handler", "LoggingConfig.ApplicationLogLevel",
                     "LoggingConfig.LogFormat", "LoggingConfig.LogGroup",
                     "LoggingConfig.SystemLogLevel", "MemorySize",
                     "ReservedConcurrentExecutions", "Role", "Runtime",
                     "Timeout", "TracingConfig.Mode"},
        .inert = {{"Tags", kTagsReason}},
        .required = {"Code", "Role"},
        .create_only = {"FunctionName"},
        .attributes = {"Arn"}};
    return schema;
  }

  absl::StatusOr<std::string> Fingerprint(
      const ResourceRequest& request) override {
    absl::StatusOr<Zip> zip = FetchZip(request);
    if (!zip.ok()) return zip.status();
    return zip->digest();
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::string> name =
        TextProperty(request.properties, "FunctionName");
    if (!name.ok()) return name.status();
    if (name->empty()) {
      return Put(request, cloudformation::GeneratedName(
                              request, kMaxFunctionNameLength));
    }
    if (absl::Status valid = CheckFunctionName(*name); !valid.ok()) {
      return valid;
    }
    return Put(request, *name);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    lambda_.RemoveFunction(
        lambda_.ArnOf(request.physical_id, request.stack.region));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Zip> FetchZip(const ResourceRequest& request) {
    Reader reader(request.properties);
    const CodeLocation location{.bucket = reader.Text("Code.S3Bucket"),
                                .key = reader.Text("Code.S3Key"),
                                .function = request.logical_id};
    if (!reader.status().ok()) return reader.status();
    return zips_.Fetch(location);
  }

  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& name) override;

  Lambda& lambda_;
  ZipSource& zips_;
};

LoggingConfig ReadLogging(Reader& reader) {
  LoggingConfig logging;
  logging.group = reader.Text("LoggingConfig.LogGroup");
  if (reader.OneOf("LoggingConfig.LogFormat", "Text", {"Text", "JSON"}) ==
      "JSON") {
    logging.format = LoggingConfig::Format::kJson;
  }
  const std::string level = reader.OneOf("LoggingConfig.SystemLogLevel", "INFO",
                                         {"DEBUG", "INFO", "WARN"});
  logging.system_level = level == "DEBUG" ? LoggingConfig::SystemLevel::kDebug
                         : level == "INFO"
                             ? LoggingConfig::SystemLevel::kInfo
                             : LoggingConfig::SystemLevel::kWarning;
  logging.application_level =
      reader.OneOf("LoggingConfig.ApplicationLogLevel", "INFO",
                   {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"});
  return logging;
}

absl::StatusOr<ResourceState> FunctionProvider::Put(
    const ResourceRequest& request, const std::string& name) {
  Reader reader(request.properties);
  FunctionConfig config;
  config.name = name;
  config.region = request.stack.region;
  config.arn = lambda_.ArnOf(name, config.region);
  config.description = reader.Text("Description");
  config.runtime = reader.OneOf(
      "Runtime", "", {"provided.al2023", "provided.al2", "provided"});
  config.handler = reader.Text("Handler", "bootstrap");
  const std::vector<std::string> architectures = reader.Texts("Architectures");
  if (!architectures.empty()) config.architecture = architectures.front();
  config.role = reader.Text("Role");
  config.memory_mb =
      static_cast<int>(reader.Integer("MemorySize", 128, 128, 10240));
  config.timeout = absl::Seconds(reader.Integer("Timeout", 3, 1, 900));
  if (reader.Has("ReservedConcurrentExecutions")) {
    config.reserved_concurrency = static_cast<int>(
        reader.Integer("ReservedConcurrentExecutions", 0, 0, 1000));
  }
  const Json::Value& variables = reader.At("Environment.Variables");
  if (variables.isObject()) {
    for (const std::string& variable : variables.getMemberNames()) {
      config.variables[variable] =
          reader.Text(absl::StrCat("Environment.Variables.", variable));
    }
  }
  config.logging = ReadLogging(reader);
  config.tracing_mode = reader.OneOf("TracingConfig.Mode", "PassThrough",
                                     {"PassThrough", "Active"});
  if (!reader.status().ok()) return reader.status();
  if (absl::Status valid = CheckVariables(config.variables); !valid.ok()) {
    return valid;
  }
  absl::StatusOr<Zip> zip = FetchZip(request);
  if (!zip.ok()) return zip.status();
  const std::string arn = config.arn;
  if (absl::Status put = lambda_.PutFunction(std::move(config), *zip);
      !put.ok()) {
    return put;
  }
  return ResourceState{.physical_id = name, .attributes = {{"Arn", arn}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-permission.html
class PermissionProvider final : public PutProvider {
 public:
  explicit PermissionProvider(Lambda& lambda) : lambda_(lambda) {}

  absl::string_view type() const override { return "AWS::Lambda::Permission"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Action", "FunctionName", "Principal", "SourceAccount",
                     "SourceArn"},
        .required = {"Action", "FunctionName", "Principal"},
        .create_only = {"Action", "FunctionName", "Principal", "SourceAccount",
                        "SourceArn"},
        .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Put(request, cloudformation::GeneratedName(request, 100));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::StatusOr<std::string> function =
        TextProperty(request.properties, "FunctionName");
    if (!function.ok()) return function.status();
    lambda_.RemovePermission(lambda_.ArnOf(*function, request.stack.region),
                             request.physical_id);
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& id) override {
    Reader reader(request.properties);
    const std::string function = reader.Text("FunctionName");
    Permission permission{
        .id = id,
        .action =
            reader.OneOf("Action", "", {"lambda:InvokeFunction", "lambda:*"}),
        .principal = reader.Text("Principal"),
        .source_arn = reader.Text("SourceArn"),
        .source_account = reader.Text("SourceAccount")};
    if (!reader.status().ok()) return reader.status();
    const std::string arn = lambda_.ArnOf(function, request.stack.region);
    if (!lambda_.GetFunction(arn).has_value()) {
      return absl::NotFoundError(absl::StrCat("Function not found: ", arn));
    }
    lambda_.PutPermission(arn, std::move(permission));
    return ResourceState{.physical_id = id, .attributes = {{"Id", id}}};
  }

  Lambda& lambda_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html
class MappingProvider final : public PutProvider {
 public:
  explicit MappingProvider(Lambda& lambda) : lambda_(lambda) {}

  absl::string_view type() const override {
    return "AWS::Lambda::EventSourceMapping";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"BatchSize", "Enabled", "EventSourceArn", "FunctionName",
                     "FunctionResponseTypes[]",
                     "MaximumBatchingWindowInSeconds",
                     "ScalingConfig.MaximumConcurrency"},
        .inert = {{"Tags", kTagsReason}},
        .required = {"EventSourceArn", "FunctionName"},
        .create_only = {"EventSourceArn"},
        .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Put(request, random::NewUuid());
  }

  absl::Status Delete(const ResourceRequest& request) override {
    lambda_.RemoveMapping(request.physical_id);
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& uuid) override {
    Reader reader(request.properties);
    MappingConfig config{.uuid = uuid};
    config.queue_arn = reader.Text("EventSourceArn");
    if (!absl::StartsWith(config.queue_arn, "arn:aws:sqs:")) {
      reader.Fail("EventSourceArn must be that of an SQS queue");
    }
    config.function_arn =
        lambda_.ArnOf(reader.Text("FunctionName"), request.stack.region);
    config.batch_size =
        static_cast<int>(reader.Integer("BatchSize", 10, 1, 10000));
    config.batching_window = absl::Seconds(
        reader.Integer("MaximumBatchingWindowInSeconds", 0, 0, 300));
    if (reader.Has("ScalingConfig.MaximumConcurrency")) {
      config.max_concurrency = static_cast<int>(
          reader.Integer("ScalingConfig.MaximumConcurrency", 0, 2, 1000));
    }
    for (const std::string& type : reader.Texts("FunctionResponseTypes")) {
      if (type != "ReportBatchItemFailures") {
        reader.Fail(absl::StrCat("FunctionResponseTypes has \"", type,
                                 "\"; there is ReportBatchItemFailures only"));
      }
      config.responses = MappingConfig::Responses::kReportBatchItemFailures;
    }
    if (!reader.Bool("Enabled", true)) {
      config.state = MappingConfig::State::kDisabled;
    }
    if (!reader.status().ok()) return reader.status();
    if (absl::Status put = lambda_.PutMapping(std::move(config)); !put.ok()) {
      return put;
    }
    return ResourceState{.physical_id = uuid, .attributes = {{"Id", uuid}}};
  }

  Lambda& lambda_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventinvokeconfig.html
class InvokeConfigProvider final : public PutProvider {
 public:
  explicit InvokeConfigProvider(Lambda& lambda) : lambda_(lambda) {}

  absl::string_view type() const override {
    return "AWS::Lambda::EventInvokeConfig";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"DestinationConfig.OnFailure.Destination", "FunctionName",
                     "MaximumEventAgeInSeconds", "MaximumRetryAttempts",
                     "Qualifier"},
        .required = {"FunctionName", "Qualifier"},
        .create_only = {"FunctionName", "Qualifier"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Put(request, cloudformation::GeneratedName(request, 100));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::StatusOr<std::string> function =
        TextProperty(request.properties, "FunctionName");
    if (!function.ok()) return function.status();
    lambda_.RemoveEventInvokeConfig(
        lambda_.ArnOf(*function, request.stack.region));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& id) override {
    Reader reader(request.properties);
    const std::string arn =
        lambda_.ArnOf(reader.Text("FunctionName"), request.stack.region);
    reader.OneOf("Qualifier", kLatestVersion, {kLatestVersion});
    EventInvokeConfig config;
    config.max_retries =
        static_cast<int>(reader.Integer("MaximumRetryAttempts", 2, 0, 2));
    config.max_age = absl::Seconds(
        reader.Integer("MaximumEventAgeInSeconds", 21600, 60, 21600));
    config.on_failure = reader.Text("DestinationConfig.OnFailure.Destination");
    if (!config.on_failure.empty() &&
        !absl::StartsWith(config.on_failure, "arn:aws:sqs:")) {
      reader.Fail("the destination OnFailure must be an SQS queue");
    }
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-lambda-eventinvokeconfig-destinationconfig.html
    if (queues::IsFifoQueue(config.on_failure)) {
      reader.Fail(absl::StrCat("the destination OnFailure is the FIFO queue ",
                               config.on_failure,
                               ": Lambda sends to standard queues only"));
    }
    if (!reader.status().ok()) return reader.status();
    if (absl::Status put = lambda_.PutEventInvokeConfig(arn, std::move(config));
        !put.ok()) {
      return put;
    }
    return ResourceState{.physical_id = id};
  }

  Lambda& lambda_;
};

}  // namespace

std::vector<std::unique_ptr<ResourceProvider>> LambdaProviders(
    Lambda& lambda, ZipSource& zips) {
  std::vector<std::unique_ptr<ResourceProvider>> providers;
  providers.push_back(std::make_unique<FunctionProvider>(lambda, zips));
  providers.push_back(std::make_unique<PermissionProvider>(lambda));
  providers.push_back(std::make_unique<MappingProvider>(lambda));
  providers.push_back(std::make_unique<InvokeConfigProvider>(lambda));
  return providers;
}

}  // namespace byoshin::local::lambda
