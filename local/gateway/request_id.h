// Request IDs in the forms of AWS's services.
#ifndef BYOSHIN_LOCAL_GATEWAY_REQUEST_ID_H_
#define BYOSHIN_LOCAL_GATEWAY_REQUEST_ID_H_

#include <string>

namespace byoshin::local {

enum class RequestIdForm {
  kUuid,       // "6a1e1f0e-4c1f-4b9c-8c0e-0d6f2d1f9c55", as SQS
  kUpperCase,  // 52 of A-Z and 0-9, as DynamoDB
};

// A new random ID.
// Thread-safe.
std::string NewRequestId(RequestIdForm form);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_REQUEST_ID_H_
