// Runs a handler as a Lambda function. main() of a function calls it through
// lambda::Process (process.h).
//
// aws-lambda-cpp talks to Lambda's Runtime API; this adds an initialization
// that can fail, errors that are valid JSON, and handling of exceptions.
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
  // The function's name in messages.
  absl::string_view function;
  const env::Environment& environment;
  // Only for reporting a failed initialization; invocations have their own
  // connection.
  http::Client& http_client;
  log::Logger& logger;
};

// Creates the handler once, and then serves invocations, one at a time, as long
// as the Runtime API answers. Returns the exit status of the process: always 1,
// since Lambda ends a healthy function by killing it. If the handler can't be
// created, reports the error to the Runtime API. If there is no Runtime API,
// prints an explanation on standard error.
int Run(const RunOptions& options, HandlerFactory make_handler);

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_RUNTIME_H_
