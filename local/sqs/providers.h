// AWS::SQS::Queue and AWS::SQS::QueuePolicy in CloudFormation templates.
#ifndef BYOSHIN_LOCAL_SQS_PROVIDERS_H_
#define BYOSHIN_LOCAL_SQS_PROVIDERS_H_

#include <functional>
#include <memory>
#include <string>

#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"

namespace byoshin::local::sqs {

// `sqs` must outlive it; `endpoint` returns the URL of the cloud, for the
// queues' URLs.
std::unique_ptr<cloudformation::ResourceProvider> NewQueueProvider(
    Service& sqs, std::function<std::string()> endpoint);

// queue_policy_provider.cc
std::unique_ptr<cloudformation::ResourceProvider> NewQueuePolicyProvider(
    Service& sqs);

// Both.
void AddSqsProviders(Service& sqs, std::function<std::string()> endpoint,
                     cloudformation::ProviderRegistry& registry);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_PROVIDERS_H_
