// The mock API as a Lambda function, behind API Gateway.
#include <memory>

#include "absl/status/statusor.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"
#include "mockapi/lambda_handler.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("mock API");

  return process.Run([&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    return std::make_unique<mockapi::LambdaHandler>(process.logger());
  });
}
