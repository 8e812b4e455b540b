#include "local/stepfunctions/language/integrations.h"

#include <cstddef>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

struct OptimizedService {
  absl::string_view name;
  // Separated by spaces.
  absl::string_view actions;
};
constexpr OptimizedService kOptimizedServices[] = {
    {"apigateway", "invoke"},
    {"athena",
     "getQueryExecution getQueryResults startQueryExecution "
     "stopQueryExecution"},
    {"batch", "submitJob"},
    {"bedrock", "createModelCustomizationJob invokeModel"},
    {"codebuild",
     "batchDeleteBuilds batchGetReports deleteBuildBatch retryBuildBatch "
     "startBuild startBuildBatch stopBuild stopBuildBatch"},
    {"databrew", "startJobRun"},
    {"dynamodb", "deleteItem getItem putItem updateItem"},
    {"ecs", "runTask"},
    {"eks",
     "call createCluster createFargateProfile createNodegroup deleteCluster "
     "deleteFargateProfile deleteNodegroup runJob"},
    {"elasticmapreduce",
     "addStep cancelStep createCluster modifyInstanceFleetByName "
     "modifyInstanceGroupByName setClusterTerminationProtection "
     "terminateCluster"},
    {"emr-containers", "createVirtualCluster deleteVirtualCluster startJobRun"},
    {"emr-serverless",
     "cancelJobRun createApplication deleteApplication startApplication "
     "startJobRun stopApplication"},
    {"events", "putEvents"},
    {"glue", "startJobRun"},
    {"http", "invoke"},
    {"lambda", "invoke"},
    {"mediaconvert", "createJob"},
    {"sagemaker",
     "createEndpoint createEndpointConfig createHyperParameterTuningJob "
     "createLabelingJob createModel createProcessingJob createTrainingJob "
     "createTransformJob updateEndpoint"},
    {"sns", "publish"},
    {"sqs", "sendMessage"},
    {"states", "startExecution"},
};

bool HasAction(const OptimizedService& service, absl::string_view action) {
  for (const absl::string_view known : absl::StrSplit(service.actions, ' ')) {
    if (known == action) return true;
  }
  return false;
}

}  // namespace

bool IsKnownResource(absl::string_view resource) {
  // arn:PARTITION:states:::SERVICE:ACTION, and :2 of .sync:2
  const std::vector<absl::string_view> parts = absl::StrSplit(resource, ':');
  constexpr size_t kParts = 7;
  if (parts.size() < 6 || parts[2] != "states" || !parts[3].empty() ||
      !parts[4].empty() || parts[5] == "aws-sdk") {
    return true;
  }
  if (parts.size() < kParts) return false;
  // .sync and .waitForTaskToken come after the action.
  const absl::string_view action = parts[6].substr(0, parts[6].find('.'));
  for (const OptimizedService& service : kOptimizedServices) {
    if (service.name == parts[5]) return HasAction(service, action);
  }
  return false;
}

}  // namespace byoshin::local::stepfunctions::internal
