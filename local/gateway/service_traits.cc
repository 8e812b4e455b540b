#include "local/gateway/service_traits.h"

#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/request_id.h"

namespace byoshin::local {
namespace {

constexpr ServiceTraits kServices[] = {
    {.name = "apigateway",
     .target_prefix = "BackplaneControlService",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUuid,
     .speaks_rest = true},
    {.name = "cloudformation",
     .target_prefix = "CloudFormation_20100515",
     .xml_namespace = "http://cloudformation.amazonaws.com/doc/2010-05-15/",
     .request_id_form = RequestIdForm::kUuid},
    {.name = "dynamodb",
     .target_prefix = "DynamoDB_20120810",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUpperCase},
    {.name = "events",
     .target_prefix = "AWSEvents",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUuid,
     .json_content_type = kJson11ContentType},
    {.name = "iam",
     .target_prefix = "AWSIdentityManagementV20100508",
     .xml_namespace = "https://iam.amazonaws.com/doc/2010-05-08/",
     .request_id_form = RequestIdForm::kUuid},
    {.name = "lambda",
     .target_prefix = "AWSLambda",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUuid,
     .speaks_rest = true},
    {.name = "logs",
     .target_prefix = "Logs_20140328",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUuid,
     .json_content_type = kJson11ContentType},
    {.name = "sqs",
     .target_prefix = "AmazonSQS",
     .xml_namespace = "http://queue.amazonaws.com/doc/2012-11-05/",
     .request_id_form = RequestIdForm::kUuid},
    {.name = "sts",
     .target_prefix = "AWSSecurityTokenServiceV20110615",
     .xml_namespace = "https://sts.amazonaws.com/doc/2011-06-15/",
     .request_id_form = RequestIdForm::kUuid},
};

}  // namespace

const ServiceTraits* FindServiceTraits(absl::string_view name) {
  for (const ServiceTraits& traits : kServices) {
    if (traits.name == name) return &traits;
  }
  return nullptr;
}

}  // namespace byoshin::local
