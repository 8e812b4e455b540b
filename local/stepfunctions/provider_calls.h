// What the providers of Step Functions' resources have in common.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_PROVIDER_CALLS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_PROVIDER_CALLS_H_

#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"

namespace byoshin::local::stepfunctions {

// Calls the API for the stack.
absl::StatusOr<Json::Value> CallFor(
    Service& states, const cloudformation::ResourceRequest& request,
    absl::string_view operation, const Json::Value& body);

// {"name": value}
Json::Value OneMember(const char* name, const std::string& value);

// The tags of a template, as the API takes them.
Json::Value TagList(const Json::Value& properties);
// Makes the resource's tags those of the properties, where they were those of
// `previous`.
absl::Status UpdateTags(Service& states,
                        const cloudformation::ResourceRequest& request,
                        const Json::Value& previous);

// Whether the error says that the resource is not there.
bool IsMissingResource(const absl::Status& status);

std::unique_ptr<cloudformation::ResourceProvider> NewStateMachineProvider(
    Service& states);
std::unique_ptr<cloudformation::ResourceProvider>
NewStateMachineVersionProvider(Service& states);
std::unique_ptr<cloudformation::ResourceProvider> NewStateMachineAliasProvider(
    Service& states);
std::unique_ptr<cloudformation::ResourceProvider> NewActivityProvider(
    Service& states);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_PROVIDER_CALLS_H_
