#include "tests/integration/aws_endpoint.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/sigv4_verifier.h"

namespace byoshin::integration {
namespace {

constexpr char kContentType[] = "application/x-amz-json-1.0";
constexpr char kRequestId[] = "6a8d2a0e-5f3c-4c5f-8a57-1f5b9d1c0e11";

http::ServerResponse Answer(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", kContentType},
                      {"x-amzn-RequestId", kRequestId}},
          .body = std::move(body)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<AwsEndpoint>> AwsEndpoint::Start(
    Options options, Operation operation) {
  http::ServerOptions server_options;
  // What hangs is not waited for.
  server_options.drain_timeout = absl::ZeroDuration();
  std::unique_ptr<AwsEndpoint> endpoint(
      new AwsEndpoint(std::move(options), std::move(operation)));
  absl::StatusOr<std::unique_ptr<http::Server>> server = http::Server::Start(
      server_options,
      [endpoint = endpoint.get()](const http::ServerRequest& request,
                                  const http::Responder& respond) {
        endpoint->Handle(request, respond);
      });
  if (!server.ok()) return server.status();
  // The handler reads it, on another thread.
  std::lock_guard<std::mutex> lock(endpoint->mutex_);
  endpoint->server_ = *std::move(server);
  return endpoint;
}

http::ServerResponse AwsEndpoint::Success(const Json::Value& output) {
  return Answer(200, json::WriteValue(output));
}

http::ServerResponse AwsEndpoint::Error(int status, absl::string_view type,
                                        absl::string_view message) {
  Json::Value body;
  body["__type"] = std::string(type);
  body["message"] = std::string(message);
  return Answer(status, json::WriteValue(body));
}

void AwsEndpoint::Inject(Fault fault, int times) {
  std::lock_guard<std::mutex> lock(mutex_);
  faults_.insert(faults_.end(), times, fault);
}

void AwsEndpoint::InjectAlways(Fault fault) {
  std::lock_guard<std::mutex> lock(mutex_);
  always_ = fault;
}

void AwsEndpoint::Recover() {
  std::lock_guard<std::mutex> lock(mutex_);
  faults_.clear();
  always_.reset();
}

std::vector<http::ServerRequest> AwsEndpoint::requests() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return requests_;
}

std::vector<std::string> AwsEndpoint::violations() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return violations_;
}

void AwsEndpoint::Handle(const http::ServerRequest& request,
                         const http::Responder& respond) {
  std::lock_guard<std::mutex> lock(mutex_);
  requests_.push_back(request);
  absl::Status form = CheckForm(request);
  absl::StatusOr<Json::Value> input = json::ParseValue(request.body);
  if (form.ok() && !input.ok()) form = input.status();
  if (form.ok() && !input->isObject()) {
    form = absl::InvalidArgumentError("the body is not an object");
  }
  if (!form.ok()) {
    violations_.push_back(form.ToString());
    const bool unsigned_request =
        form.code() == absl::StatusCode::kUnauthenticated;
    return respond(Error(unsigned_request ? 403 : 400,
                         unsigned_request ? "InvalidSignatureException"
                                          : "SerializationException",
                         std::string(form.message())));
  }
  if (!faults_.empty()) {
    const Fault fault = faults_.front();
    faults_.pop_front();
    return Misbehave(fault, respond);
  }
  if (always_.has_value()) return Misbehave(*always_, respond);
  const absl::string_view target = request.FindHeader("X-Amz-Target");
  respond(
      operation_(absl::StripPrefix(target, options_.target_prefix), *input));
}

void AwsEndpoint::Misbehave(Fault fault, const http::Responder& respond) {
  switch (fault) {
    case Fault::kThrottle:
      return respond(Error(400,
                           "com.amazon.coral.availability#ThrottlingException",
                           "Rate exceeded"));
    case Fault::kInternalError:
      return respond(Error(500, "com.amazon.coral.service#InternalFailure",
                           "We encountered an internal error."));
    case Fault::kUnavailable:
      return respond({.status = 503,
                      .headers = {{"Content-Type", "text/html"}},
                      .body = "<html><h1>503 Service Unavailable</h1></html>"});
    case Fault::kAccessDenied:
      return respond(Error(400,
                           "com.amazon.coral.service#AccessDeniedException",
                           "User is not authorized to perform this action"));
    case Fault::kHang:
      hanging_.push_back(respond);
      return;
    case Fault::kReset:
      // The connection closes when the last copy of `respond` is gone.
      return;
    case Fault::kGarbage:
      return respond(Answer(200, "{\"Successful\": [\x01 oops"));
    case Fault::kEmptyBody:
      return respond(Answer(200, ""));
    case Fault::kEmptyObject:
      return respond(Answer(200, "{}"));
  }
}

absl::Status AwsEndpoint::CheckForm(const http::ServerRequest& request) const {
  const auto wrong = [](absl::string_view what, absl::string_view found) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " is \"", found, "\""));
  };
  if (request.method != "POST") return wrong("method", request.method);
  if (request.target != "/") return wrong("target", request.target);
  const absl::string_view type = request.FindHeader("Content-Type");
  if (type != kContentType) return wrong("Content-Type", type);
  const absl::string_view length = request.FindHeader("Content-Length");
  if (length != absl::StrCat(request.body.size())) {
    return wrong("Content-Length", length);
  }
  const absl::string_view target = request.FindHeader("X-Amz-Target");
  if (!absl::StartsWith(target, options_.target_prefix)) {
    return wrong("X-Amz-Target", target);
  }
  const absl::string_view host = request.FindHeader("Host");
  if (absl::StrCat("http://", host) != server_->url()) {
    return wrong("Host", host);
  }
  return VerifySigV4(request, {.access_key_id = kAccessKeyId,
                               .secret_access_key = kSecretAccessKey,
                               .session_token = kSessionToken,
                               .region = kRegion,
                               .service = options_.service})
      .status();
}

}  // namespace byoshin::integration
