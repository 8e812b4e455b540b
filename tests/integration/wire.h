// Compares requests on the wire.
#ifndef BYOSHIN_TESTS_INTEGRATION_WIRE_H_
#define BYOSHIN_TESTS_INTEGRATION_WIRE_H_

#include "absl/strings/string_view.h"
#include "core/http/server.h"

namespace byoshin::integration {

// Expects that a service can't tell our request from the SDK's in anything that
// matters, and that both signatures are valid with the credentials of
// LambdaEnvironment(). `signing_name` is the service's in signatures.
void ExpectEquivalent(const http::ServerRequest& ours,
                      const http::ServerRequest& sdks,
                      absl::string_view signing_name);

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_WIRE_H_
