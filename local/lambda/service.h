// Lambda's API, as far as it invokes and describes functions and mappings.
//
//   LambdaService service(lambda);  // behind the gateway
//   $ aws lambda invoke --function-name sender --endpoint-url … out.json
#ifndef BYOSHIN_LOCAL_LAMBDA_SERVICE_H_
#define BYOSHIN_LOCAL_LAMBDA_SERVICE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/lambda/lambda.h"

namespace byoshin::local::lambda {

// The operation of a request.
struct LambdaOperation {
  // "Invoke", "GetFunction" and so on; empty if there is none.
  std::string name{};
  // The name or ARN of the function, or the mapping's UUID, decoded; empty if
  // there is none.
  std::string subject{};
};
LambdaOperation OperationOf(absl::string_view method, absl::string_view path);

// Thread-safe.
class LambdaService final : public Service {
 public:
  // `lambda` must outlive this.
  explicit LambdaService(Lambda& lambda) : lambda_(lambda) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  void Invoke(const Call& call, const std::string& arn, AnswerFunction answer);
  // GetFunction and other operations on one function.
  void GetOfFunction(const std::string& operation, const std::string& arn,
                     AnswerFunction answer);
  void GetEventSourceMapping(const std::string& uuid, AnswerFunction answer);
  void ListFunctions(const Call& call, AnswerFunction answer);
  void ListEventSourceMappings(const Call& call, AnswerFunction answer);

  Lambda& lambda_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_SERVICE_H_
