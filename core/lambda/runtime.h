// Runs a handler as a Lambda function. main() of a function calls it through
// lambda::Process (process.h).
//
// aws-lambda-cpp speaks to Lambda's Runtime API; this adds what it leaves open:
// an initialisation that can fail, errors that are valid JSON, exceptions.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
#ifndef BYOSHIN_CORE_LAMBDA_RUNTIME_H_
#define BYOSHIN_CORE_LAMBDA_RUNTIME_H_

#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/lambda/invoke.h"
#include "core/log/logger.h"

namespace byoshin::lambda {

// Host and port of the Runtime API; Lambda sets it.
inline constexpr char kRuntimeApiVariable[] = "AWS_LAMBDA_RUNTIME_API";

struct RunOptions {
  // For people.
  absl::string_view function;
  const env::Environment& environment;
  // Only reports a failed initialisation; invocations have a connection of
  // their own.
  http::Client& http_client;
  log::Logger& logger;
};

// Makes the handler, once, and then serves invocations, one at a time, for as
// long as the Runtime API answers. Returns the exit status of the process:
// always 1, since Lambda ends a healthy function by killing it. Where the
// handler cannot be made, the Runtime API is told why; where there is no
// Runtime API, whoever started the program is told, on standard error, what it
// is.
int Run(const RunOptions& options, HandlerFactory make_handler);

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_RUNTIME_H_
