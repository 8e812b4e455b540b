#include "local/iam/iam.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/iam/condition_keys.h"
#include "local/iam/evaluation.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

// As on AWS: 16 characters of five bits; 40 and some hundred characters of six.
constexpr char kSessionKeyPrefix[] = "ASIA";
constexpr std::size_t kKeyIdCharacters = 16;
constexpr std::size_t kSecretBytes = 30;
constexpr std::size_t kTokenBytes = 192;

std::string SystemRandomBytes(std::size_t length) {
  std::random_device device;
  std::string bytes;
  for (std::size_t i = 0; i < length; ++i) {
    bytes.push_back(static_cast<char>(static_cast<uint8_t>(device())));
  }
  return bytes;
}

std::string Base32(absl::string_view bytes) {
  constexpr absl::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  for (const char byte : bytes) {
    text.push_back(kDigits[static_cast<uint8_t>(byte) % kDigits.size()]);
  }
  return text;
}

}  // namespace

Principal ServicePrincipal(absl::string_view service) {
  return {.kind = Principal::Kind::kService, .id = std::string(service)};
}

Iam::Iam(time::Clock& clock, IamOptions options)
    : options_([&options] {
        if (options.random_bytes == nullptr) {
          options.random_bytes = SystemRandomBytes;
        }
        return std::move(options);
      }()),
      clock_(clock) {}

std::string Iam::RoleArn(absl::string_view path, absl::string_view name) const {
  return absl::StrCat("arn:", options_.partition, ":iam::", options_.account_id,
                      ":role", path, name);
}

void Iam::PutRole(Role role) {
  const sync::MutexLock lock(mutex_);
  std::string arn = role.arn;
  if (role.details.created == absl::InfinitePast()) {
    const auto known = roles_.find(arn);
    role.details.created =
        known == roles_.end() ? clock_.Now() : known->second.details.created;
  }
  roles_.insert_or_assign(std::move(arn), std::move(role));
}

void Iam::DeleteRole(absl::string_view arn) {
  const sync::MutexLock lock(mutex_);
  roles_.erase(std::string(arn));
  EndSessions([arn](const SessionCredentials& session) {
    return session.role_arn == arn;
  });
}

void Iam::EndSessions(absl::FunctionRef<bool(const SessionCredentials&)> ends) {
  for (auto session = sessions_.begin(); session != sessions_.end();) {
    if (!ends(session->second)) {
      ++session;
      continue;
    }
    if (options_.on_session_end != nullptr) {
      options_.on_session_end(session->first);
    }
    session = sessions_.erase(session);
  }
}

std::optional<Role> Iam::FindRole(absl::string_view arn) const {
  const sync::MutexLock lock(mutex_);
  const auto role = roles_.find(std::string(arn));
  if (role == roles_.end()) return std::nullopt;
  return role->second;
}

std::vector<Role> Iam::Roles() const {
  const sync::MutexLock lock(mutex_);
  std::vector<Role> roles;
  for (const auto& [arn, role] : roles_) roles.push_back(role);
  return roles;
}

// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
absl::StatusOr<SessionCredentials> Iam::AssumeRole(
    const AssumeRoleRequest& request) {
  const absl::Time now = clock_.Now();
  const sync::MutexLock lock(mutex_);
  const auto role = roles_.find(request.role_arn);
  if (role == roles_.end()) {
    return absl::NotFoundError(
        absl::StrCat("there is no role ", request.role_arn));
  }
  const std::vector<NamedPolicy> trust = {
      {.name = "AssumeRolePolicyDocument", .document = role->second.trust}};
  const Decision decision =
      Evaluate({.resource = trust},
               WithContext({.principal = ServicePrincipal(request.service),
                            .action = "sts:AssumeRole",
                            .resource = request.role_arn}));
  if (!decision.allowed()) {
    return absl::PermissionDeniedError(
        absl::StrCat("The role defined for the function cannot be assumed: ",
                     "the trust policy of ", request.role_arn,
                     " does not allow ", request.service, " to assume it"));
  }
  EndSessions([now](const SessionCredentials& session) {
    return session.expiration <= now;
  });
  SessionCredentials session;
  session.access_key_id = absl::StrCat(
      kSessionKeyPrefix, Base32(options_.random_bytes(kKeyIdCharacters)));
  session.secret_access_key =
      absl::Base64Escape(options_.random_bytes(kSecretBytes));
  session.session_token =
      absl::Base64Escape(options_.random_bytes(kTokenBytes));
  session.expiration = now + request.duration;
  session.role_arn = request.role_arn;
  session.session_arn = absl::StrCat(
      "arn:", options_.partition, ":sts::", options_.account_id,
      ":assumed-role/", role->second.name, "/", request.session_name);
  sessions_[session.access_key_id] = session;
  if (options_.on_session != nullptr) options_.on_session(session);
  return session;
}

std::optional<SessionCredentials> Iam::FindSession(
    absl::string_view access_key_id) const {
  const absl::Time now = clock_.Now();
  const sync::MutexLock lock(mutex_);
  const auto session = sessions_.find(std::string(access_key_id));
  if (session == sessions_.end() || session->second.expiration <= now) {
    return std::nullopt;
  }
  return session->second;
}

void Iam::EndSession(absl::string_view access_key_id) {
  const sync::MutexLock lock(mutex_);
  EndSessions([access_key_id](const SessionCredentials& session) {
    return session.access_key_id == access_key_id;
  });
}

Principal Iam::PrincipalOf(absl::string_view access_key_id) const {
  if (const auto session = FindSession(access_key_id)) {
    return {.kind = Principal::Kind::kRole,
            .id = session->session_arn,
            .role_arn = session->role_arn};
  }
  // A request in progress may outlive its session. It must not gain permissions
  // by that.
  if (absl::StartsWith(access_key_id, kSessionKeyPrefix)) {
    return {.kind = Principal::Kind::kRole, .id = std::string(access_key_id)};
  }
  return {.kind = Principal::Kind::kAccount,
          .id = absl::StrCat("arn:", options_.partition,
                             ":iam::", options_.account_id, ":root")};
}

void Iam::PutResourcePolicy(absl::string_view resource_arn,
                            PolicyDocument policy) {
  const sync::MutexLock lock(mutex_);
  std::string arn(resource_arn);
  NamedPolicy named{.name = absl::StrCat("of ", arn),
                    .document = std::move(policy)};
  resource_policies_.insert_or_assign(std::move(arn), std::move(named));
}

void Iam::DeleteResourcePolicy(absl::string_view resource_arn) {
  const sync::MutexLock lock(mutex_);
  resource_policies_.erase(std::string(resource_arn));
}

bool Iam::HasResourcePolicies(absl::string_view service) const {
  const std::string prefix =
      absl::StrCat("arn:", options_.partition, ":", service, ":");
  const sync::MutexLock lock(mutex_);
  const auto found = resource_policies_.lower_bound(prefix);
  return found != resource_policies_.end() &&
         absl::StartsWith(found->first, prefix);
}

AccessRequest Iam::WithContext(AccessRequest request) const {
  request.context.try_emplace(kSecureTransportKey, "true");
  // AWS names the resource that a service acts for, and other callers by their
  // identity.
  request.context.try_emplace(
      request.principal.kind == Principal::Kind::kService
          ? kSourceAccountKey
          : kPrincipalAccountKey,
      options_.account_id);
  return request;
}

Decision Iam::Authorize(AccessRequest request) const {
  request = WithContext(std::move(request));
  const sync::MutexLock lock(mutex_);
  Policies policies;
  if (const auto role = roles_.find(request.principal.role_arn);
      role != roles_.end()) {
    policies.identity = role->second.policies;
  }
  if (const auto resource = resource_policies_.find(request.resource);
      resource != resource_policies_.end()) {
    policies.resource = absl::MakeConstSpan(&resource->second, 1);
  }
  return Evaluate(policies, request);
}

}  // namespace byoshin::local::iam
