#include "local/stepfunctions/language/integrations.h"

#include <cstddef>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

struct OptimizedService {
  absl::string_view name;
  // With their patterns, separated by spaces.
  absl::string_view actions;
};
constexpr OptimizedService kOptimizedServices[] = {
    {"apigateway", "invoke invoke.waitForTaskToken"},
    {"athena",
     "getQueryExecution getQueryResults startQueryExecution "
     "startQueryExecution.sync stopQueryExecution"},
    {"batch", "submitJob submitJob.sync"},
    {"bedrock",
     "createModelCustomizationJob createModelCustomizationJob.sync "
     "createModelCustomizationJob.waitForTaskToken invokeModel "
     "invokeModel.waitForTaskToken"},
    {"codebuild",
     "batchDeleteBuilds batchGetReports deleteBuildBatch retryBuildBatch "
     "retryBuildBatch.sync startBuild startBuild.sync startBuildBatch "
     "startBuildBatch.sync stopBuild stopBuildBatch"},
    {"databrew", "startJobRun startJobRun.sync"},
    {"dynamodb", "deleteItem getItem putItem updateItem"},
    {"ecs", "runTask runTask.sync runTask.waitForTaskToken"},
    {"eks",
     "call call.waitForTaskToken createCluster createCluster.sync "
     "createCluster.waitForTaskToken createFargateProfile "
     "createFargateProfile.sync createFargateProfile.waitForTaskToken "
     "createNodegroup createNodegroup.sync createNodegroup.waitForTaskToken "
     "deleteCluster deleteCluster.sync deleteCluster.waitForTaskToken "
     "deleteFargateProfile deleteFargateProfile.sync "
     "deleteFargateProfile.waitForTaskToken deleteNodegroup "
     "deleteNodegroup.sync deleteNodegroup.waitForTaskToken runJob "
     "runJob.sync runJob.waitForTaskToken"},
    {"elasticmapreduce",
     "addStep addStep.sync cancelStep createCluster createCluster.sync "
     "modifyInstanceFleetByName modifyInstanceGroupByName "
     "setClusterTerminationProtection terminateCluster terminateCluster.sync"},
    {"emr-containers",
     "createVirtualCluster deleteVirtualCluster deleteVirtualCluster.sync "
     "startJobRun startJobRun.sync"},
    {"emr-serverless",
     "cancelJobRun cancelJobRun.sync createApplication createApplication.sync "
     "deleteApplication deleteApplication.sync startApplication "
     "startApplication.sync startJobRun startJobRun.sync stopApplication "
     "stopApplication.sync"},
    {"events", "putEvents putEvents.waitForTaskToken"},
    {"glue", "startJobRun startJobRun.sync"},
    {"http", "invoke"},
    {"lambda", "invoke invoke.waitForTaskToken"},
    {"mediaconvert", "createJob createJob.sync"},
    {"sagemaker",
     "createEndpoint createEndpointConfig createHyperParameterTuningJob "
     "createHyperParameterTuningJob.sync createLabelingJob "
     "createLabelingJob.sync createModel createProcessingJob "
     "createProcessingJob.sync createTrainingJob createTrainingJob.sync "
     "createTransformJob createTransformJob.sync updateEndpoint"},
    {"sns", "publish publish.waitForTaskToken"},
    {"sqs", "sendMessage sendMessage.waitForTaskToken"},
    {"states",
     "startExecution startExecution.sync startExecution.sync:2 "
     "startExecution.waitForTaskToken"},
};

bool HasAction(const OptimizedService& service, absl::string_view action) {
  for (const absl::string_view known : absl::StrSplit(service.actions, ' ')) {
    if (known == action) return true;
  }
  return false;
}

}  // namespace

bool IsKnownResource(absl::string_view resource) {
  // arn:PARTITION:states:::SERVICE:ACTION, where ACTION may end in .sync:2
  constexpr size_t kParts = 7;
  const std::vector<absl::string_view> parts =
      absl::StrSplit(resource, absl::MaxSplits(':', kParts - 1));
  if (parts.size() < 6 || parts[2] != "states" || !parts[3].empty() ||
      !parts[4].empty() || parts[5] == "aws-sdk") {
    return true;
  }
  if (parts.size() < kParts) return false;
  for (const OptimizedService& service : kOptimizedServices) {
    if (service.name == parts[5]) return HasAction(service, parts[6]);
  }
  return false;
}

}  // namespace byoshin::local::stepfunctions::internal
