#include "local/cognito/cognito.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cognito/errors.h"
#include "local/cognito/records.h"
#include "local/gateway/json_api.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/permission.h"
#include "local/wire/models.h"

namespace byoshin::local::cognito {
namespace {

// Hashing a password takes one for some hundredths of a second.
constexpr int kThreads = 2;

// Whether AWS takes it without a signature: the request itself has a token, a
// password or a code. So may operations that the local cloud does not have.
bool IsUnsigned(absl::string_view operation) {
  // The model is older than this operation.
  constexpr absl::string_view kNewer = "GetTokensFromRefreshToken";
  return operation == kNewer || wire::kCognitoidpModel.IsUnsigned(operation);
}

constexpr ServiceTraits kTraits = {
    .name = "cognito-idp",
    .target_prefix = "AWSCognitoIdentityProviderService",
    .json_content_type = kJson11ContentType,
    .access_denied_status = 400,
    .takes_unsigned = IsUnsigned};

// Unlike its model, AWS allows spaces within a password.
// https://docs.aws.amazon.com/cognito/latest/developerguide/managing-users-passwords.html
constexpr absl::string_view kExempt[] = {
    "Password", "PreviousPassword", "ProposedPassword", "TemporaryPassword"};
constexpr FieldErrors kFieldErrors = {.model = &wire::kCognitoidpModel,
                                      .exempt = kExempt,
                                      .invalid_code = kInvalidParameter};

constexpr char kPoolParameter[] = "UserPoolId";

// Whether the pool that the call names is of the caller's account and region.
// True if it names none, or one that does not exist.
bool IsPoolOfCaller(const Call& call, const Directory& directory) {
  const std::string id = ParameterOf(call, kPoolParameter);
  const std::shared_ptr<const Directory::Pool> pool = directory.Find(id);
  return pool == nullptr ||
         pool->arn == ArnFor(call, kTraits.name, absl::StrCat("userpool/", id));
}

template <typename Record>
std::vector<Record> OwnedBy(absl::string_view prefix,
                            std::vector<Record> records) {
  std::vector<Record> owned;
  for (Record& record : records) {
    if (absl::StartsWith(record.owner(), prefix)) {
      owned.push_back(std::move(record));
    }
  }
  return owned;
}

}  // namespace

Cognito::Cognito(Store& store, time::Clock& clock, CognitoOptions options)
    : clock_(clock),
      options_(std::move(options)),
      directory_(clock),
      database_(store,
                [this](Records& records) { return directory_.Load(records); }),
      workers_(kThreads) {}

absl::StatusOr<std::unique_ptr<Cognito>> Cognito::Open(Store& store,
                                                       time::Clock& clock,
                                                       CognitoOptions options) {
  std::unique_ptr<Cognito> cognito(
      new Cognito(store, clock, std::move(options)));
  absl::Status loaded = cognito->database_.Do(
      [&](Records& records) { return cognito->directory_.Load(records); });
  if (!loaded.ok()) return loaded;
  return cognito;
}

const ServiceTraits& Cognito::traits() const { return kTraits; }

std::vector<NeededPermission> Cognito::PermissionsFor(const Call& call) const {
  if (IsUnsigned(call.operation)) return {};
  return {PermissionByName(call, kTraits, {{kPoolParameter, "userpool/"}})};
}

void Cognito::Handle(Call call, AnswerFunction answer) {
  const Operation run = FindOperation(call.operation);
  if (run == nullptr) {
    return answer(
        Json11Answer(UnknownJsonOperation("Cognito", call.operation)));
  }
  if (!IsUnsigned(call.operation) && !IsPoolOfCaller(call, directory_)) {
    return answer(Json11Answer(NoPoolError(ParameterOf(call, kPoolParameter))));
  }
  workers_.Do([this, run, call = std::make_shared<Call>(std::move(call)),
               answer = std::move(answer)] {
    OperationContext context{.database = database_,
                             .directory = directory_,
                             .options = options_,
                             .call = *call,
                             .now = clock_.Now()};
    JsonFields fields(*call, kFieldErrors);
    answer(Json11Answer(fields.status().ok() ? run(context, fields)
                                             : fields.status()));
  });
}

absl::StatusOr<std::vector<kept::Pool>> Cognito::PoolsOwnedBy(
    absl::string_view owner_prefix) {
  absl::StatusOr<std::vector<kept::Pool>> pools =
      database_.Do([](Records& records) { return records.AllPools(); });
  if (!pools.ok()) return pools;
  return OwnedBy(owner_prefix, *std::move(pools));
}

absl::StatusOr<std::vector<kept::Client>> Cognito::ClientsOwnedBy(
    absl::string_view owner_prefix) {
  absl::StatusOr<std::vector<kept::Client>> clients =
      database_.Do([](Records& records) { return records.AllClients(); });
  if (!clients.ok()) return clients;
  return OwnedBy(owner_prefix, *std::move(clients));
}

}  // namespace byoshin::local::cognito
