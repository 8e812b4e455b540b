// Stacks, their resources and events in the XML of CloudFormation's API.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_STACK_XML_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_STACK_XML_H_

#include "local/cloudformation/stack.h"
#include "local/cloudformation/template.h"
#include "local/gateway/xml.h"

namespace byoshin::local::cloudformation {

// Each writes one <member>.

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Stack.html
void WriteStackMember(const Stack& stack, XmlWriter& xml);
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StackSummary.html
void WriteSummaryMember(const Stack& stack, XmlWriter& xml);
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StackResource.html
void WriteResourceMember(const Stack& stack, const StackResource& resource,
                         XmlWriter& xml);
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StackResourceSummary.html
void WriteResourceSummaryMember(const StackResource& resource, XmlWriter& xml);
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StackEvent.html
void WriteEventMember(const Stack& stack, const StackEvent& event,
                      XmlWriter& xml);
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Export.html
void WriteExportMember(const Stack& stack, const StackOutput& output,
                       XmlWriter& xml);

// <StackResourceDetail>
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StackResourceDetail.html
void WriteResourceDetail(const Stack& stack, const StackResource& resource,
                         XmlWriter& xml);

// The content of the result of ValidateTemplate.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ValidateTemplate.html
void WriteTemplateSummary(const Template& t, XmlWriter& xml);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_STACK_XML_H_
