#include "local/gateway/service_traits.h"

#include "absl/strings/string_view.h"
#include "local/gateway/request_id.h"

namespace byoshin::local {
namespace {

constexpr ServiceTraits kServices[] = {
    {.name = "dynamodb",
     .target_prefix = "DynamoDB_20120810",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUpperCase},
    {.name = "lambda",
     .target_prefix = "AWSLambda",
     .xml_namespace = "",
     .request_id_form = RequestIdForm::kUuid,
     .speaks_rest = true},
    {.name = "sqs",
     .target_prefix = "AmazonSQS",
     .xml_namespace = "http://queue.amazonaws.com/doc/2012-11-05/",
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
