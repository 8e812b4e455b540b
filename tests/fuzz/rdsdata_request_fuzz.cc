// Tries requests of the Data API, as JSON: whatever they say, they are read, or
// refused with an error that is the caller's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/gateway/error.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"
#include "local/postgres_client/connection.h"
#include "local/rdsdata/requests.h"

namespace byoshin::local::rdsdata {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckError(const absl::Status& status) {
  if (status.ok()) return;
  const ErrorAnswer error = ErrorAnswerOf(status);
  Require(error.http_status >= 400 && error.http_status < 500,
          "an error is the caller's");
  Require(!error.code.empty() && !error.message.empty(),
          "an error has a code and a message");
  Require(json::ParseValue(
              RestErrorAnswer(status, MessageSpelling::kLowerCase).body)
              .ok(),
          "an error can be written as JSON");
}

void CheckStatement(const absl::StatusOr<StatementRequest>& request) {
  CheckError(request.status());
  if (!request.ok()) return;
  Require(!request->target.resource_arn.empty(), "there is a cluster");
  Require(!request->target.secret_arn.empty(), "there is a secret");
  const auto has_zero = [](absl::string_view text) {
    return text.find('\0') != absl::string_view::npos;
  };
  Require(!has_zero(request->statement.sql), "libpq gets the whole statement");
  for (const std::vector<postgres_client::Parameter>& set :
       request->statement.sets) {
    for (const postgres_client::Parameter& parameter : set) {
      if (!parameter.value.has_value()) continue;
      Require(parameter.format == postgres_client::Parameter::Format::kBinary ||
                  !has_zero(*parameter.value),
              "libpq gets the whole text");
    }
  }
}

void Try(absl::string_view data) {
  Call call;
  call.protocol = WireProtocol::kRestJson;
  call.body = std::string(data);
  CheckStatement(ReadExecute(call));
  CheckStatement(ReadBatch(call));
  CheckError(ReadBegin(call).status());
  CheckError(ReadEnd(call).status());
}

}  // namespace
}  // namespace byoshin::local::rdsdata

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::rdsdata::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
