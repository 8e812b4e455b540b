#include "core/http/client.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/cord.h"

namespace byoshin::http {
namespace {

constexpr char kUnsentPayload[] = "byoshin/http/unsent";

}  // namespace

bool IsUnsent(const absl::Status& error) {
  return error.GetPayload(kUnsentPayload).has_value();
}

absl::Status MarkUnsent(absl::Status error) {
  error.SetPayload(kUnsentPayload, absl::Cord("true"));
  return error;
}

}  // namespace byoshin::http
