// Log streams in which the cloud reports failures of a function's mappings and
// asynchronous invocations.
#ifndef BYOSHIN_LOCAL_LAMBDA_LOG_STREAMS_H_
#define BYOSHIN_LOCAL_LAMBDA_LOG_STREAMS_H_

namespace byoshin::local::lambda {

// For a mapping, followed by its UUID.
inline constexpr char kEventSourceStream[] = "event-source/";
// For asynchronous invocations.
inline constexpr char kAsyncStream[] = "asynchronous-invocations";

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_LOG_STREAMS_H_
