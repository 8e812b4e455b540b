// A service for tests, with the traits of SQS, DynamoDB or neither, and only
// the permissions that a test sets.
//
//   class Counting final : public testing::TestService {
//    public:
//     Counting() : TestService("sqs") {}
//     void Handle(Call call, AnswerFunction answer) override { ... }
//   };
#ifndef BYOSHIN_LOCAL_GATEWAY_TESTING_TEST_SERVICE_H_
#define BYOSHIN_LOCAL_GATEWAY_TESTING_TEST_SERVICE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::testing {

// Needs no signature.
inline constexpr char kUnsignedOperation[] = "SignIn";

class TestService : public Service {
 public:
  // Where operations of the name are asked for: "AmazonSQS" for "sqs".
  explicit TestService(std::string name)
      : name_(std::move(name)),
        target_prefix_(name_ == "sqs"        ? "AmazonSQS"
                       : name_ == "dynamodb" ? "DynamoDB_20120810"
                                             : absl::StrCat("Test_", name_)),
        traits_{
            .name = name_.c_str(),
            .target_prefix = target_prefix_.c_str(),
            .xml_namespace = name_ == "sqs"
                                 ? "http://queue.amazonaws.com/doc/2012-11-05/"
                                 : "",
            .request_id_form = name_ == "dynamodb" ? RequestIdForm::kUpperCase
                                                   : RequestIdForm::kUuid,
            .front_end =
                name_ == "dynamodb" ? FrontEnd::kDynamoDb : FrontEnd::kCommon,
            .access_denied_message_member =
                name_ == "dynamodb" ? "Message" : "message",
            .takes_unsigned = [](absl::string_view operation) {
              return operation == kUnsignedOperation;
            }} {}
  TestService(const TestService&) = delete;
  TestService& operator=(const TestService&) = delete;

  const ServiceTraits& traits() const override { return traits_; }
  std::vector<NeededPermission> PermissionsFor(const Call&) const override {
    return permissions;
  }

  std::vector<NeededPermission> permissions{};

 private:
  const std::string name_;
  const std::string target_prefix_;
  const ServiceTraits traits_;
};

}  // namespace byoshin::local::testing

#endif  // BYOSHIN_LOCAL_GATEWAY_TESTING_TEST_SERVICE_H_
