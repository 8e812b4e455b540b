// Identifiers in Lambda's format.
#ifndef BYOSHIN_LOCAL_LAMBDA_IDS_H_
#define BYOSHIN_LOCAL_LAMBDA_IDS_H_

#include <string>

#include "absl/time/time.h"

namespace byoshin::local::lambda {

// "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=0"
std::string NewTraceId(absl::Time now);

// "2026/11/16/[$LATEST]7d6f0a2b…"
std::string NewLogStream(absl::Time now);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_IDS_H_
