// The service as clients of both protocols see it.
#include <gtest/gtest.h>
#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "local/gateway/service.h"
#include "local/sqs/testing/sqs_fixture.h"

namespace byoshin::local::sqs {
namespace {

class SqsProtocolTest : public SqsFixture {};

std::string HeaderOf(const Answer& answer, absl::string_view name) {
  for (const http::Header& header : answer.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return "";
}

std::string Xml(absl::string_view operation, absl::string_view result) {
  return absl::StrCat(
      "<?xml version=\"1.0\"?>\n<", operation,
      "Response xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\">", result,
      "<ResponseMetadata><RequestId>the-request</RequestId></ResponseMetadata>"
      "</",
      operation, "Response>");
}

// Without what may stand before the first element.
std::string Root(const std::string& xml) {
  const auto declaration_end = xml.find("?>");
  if (declaration_end == std::string::npos) return xml;
  return xml.substr(xml.find('<', declaration_end));
}

TEST_F(SqsProtocolTest, CarriesAMessageOverJson) {
  EXPECT_EQ(
      Parsed(Json("CreateQueue", R"({"QueueName":"orders"})"))["QueueUrl"],
      kUrl);
  EXPECT_EQ(
      Parsed(Json("GetQueueUrl", R"({"QueueName":"orders"})"))["QueueUrl"],
      kUrl);
  const Json::Value sent = Parsed(JsonOrders(
      "SendMessage",
      R"(,"MessageBody":"msg","MessageAttributes":{"Foo":{"DataType":"String",)"
      R"("StringValue":"Bar"},"B":{"DataType":"Binary","BinaryValue":"AAE="}},)"
      R"("MessageSystemAttributes":{"AWSTraceHeader":{"DataType":"String",)"
      R"("StringValue":"Root=1"}})"));
  EXPECT_EQ(sent["MD5OfMessageBody"], "6e2baaf3b97dbeef01c0043275f9a0e7");
  EXPECT_EQ(sent["MD5OfMessageSystemAttributes"].asString().size(), 32);

  const Json::Value received = Parsed(JsonOrders(
      "ReceiveMessage",
      R"(,"MessageAttributeNames":["Foo"],"AttributeNames":["All"])"));
  ASSERT_EQ(received["Messages"].size(), 1);
  const Json::Value& message = received["Messages"][0];
  EXPECT_EQ(message["MessageId"], sent["MessageId"]);
  EXPECT_EQ(message["Body"], "msg");
  EXPECT_EQ(message["MD5OfBody"], "6e2baaf3b97dbeef01c0043275f9a0e7");
  EXPECT_EQ(json::WriteValue(message["MessageAttributes"]),
            R"({"Foo":{"DataType":"String","StringValue":"Bar"}})");
  EXPECT_EQ(message["MD5OfMessageAttributes"],
            "ae7155c6026991b6d54b11589678bf9c");
  EXPECT_EQ(json::WriteValue(message["Attributes"]),
            R"({"AWSTraceHeader":"Root=1",)"
            R"("ApproximateFirstReceiveTimestamp":"1764670980000",)"
            R"("ApproximateReceiveCount":"1","SenderId":"000000000000",)"
            R"("SentTimestamp":"1764670980000"})");

  EXPECT_EQ(JsonOrders("DeleteMessage",
                       absl::StrCat(R"(,"ReceiptHandle":")",
                                    message["ReceiptHandle"].asString(), "\""))
                .body,
            "{}");
  EXPECT_EQ(JsonOrders("ReceiveMessage").body, "{}");
}

TEST_F(SqsProtocolTest, CarriesAMessageOverQuery) {
  EXPECT_EQ(Root(Query("CreateQueue",
                       "Action=CreateQueue&QueueName=orders&Attribute.1.Name="
                       "DelaySeconds&Attribute.1.Value=0&Tag.1.Key=k&Tag.1."
                       "Value=v")
                     .body),
            Root(Xml("CreateQueue",
                     absl::StrCat("<CreateQueueResult><QueueUrl>", kUrl,
                                  "</QueueUrl></CreateQueueResult>"))));
  EXPECT_EQ(Root(Query("ListQueueTags", "", "/000000000000/orders").body),
            Root(Xml("ListQueueTags",
                     "<ListQueueTagsResult><Tag><Key>k</Key><Value>v</Value>"
                     "</Tag></ListQueueTagsResult>")));
  // Addressed to the path of the queue.
  const Answer sent = Query(
      "SendMessage",
      "MessageBody=a+%3Cb%3E&MessageAttribute.1.Name=Foo&MessageAttribute.1."
      "Value.DataType=String&MessageAttribute.1.Value.StringValue=Bar",
      "/000000000000/orders");
  EXPECT_EQ(sent.status, 200);
  EXPECT_EQ(sent.content_type, "text/xml");
  EXPECT_TRUE(absl::StrContains(
      sent.body, "<MD5OfMessageAttributes>ae7155c6026991b6d54b11589678bf9c</"));
  const std::string received =
      Query("ReceiveMessage",
            absl::StrCat("QueueUrl=", kUrl,
                         "&MaxNumberOfMessages=10&AttributeName.1=SenderId&"
                         "MessageAttributeName.1=All"))
          .body;
  EXPECT_TRUE(absl::StrContains(
      received,
      "<Body>a &lt;b&gt;</Body><Attribute><Name>SenderId</Name><Value>"
      "000000000000</Value></Attribute><MD5OfMessageAttributes>"
      "ae7155c6026991b6d54b11589678bf9c</MD5OfMessageAttributes>"
      "<MessageAttribute><Name>Foo</Name><Value><StringValue>Bar</StringValue>"
      "<DataType>String</DataType></Value></MessageAttribute></Message>"))
      << received;
  EXPECT_EQ(Root(Query("PurgeQueue", "", "/000000000000/orders").body),
            Root(Xml("PurgeQueue", "")));
  EXPECT_EQ(Root(Query("ReceiveMessage", "", "/000000000000/orders").body)
                .find("<Message>"),
            std::string::npos);
}

TEST_F(SqsProtocolTest, SetsASingleAttributeInTheOldestForm) {
  CreateOrders();
  EXPECT_EQ(Query("SetQueueAttributes",
                  "Attribute.Name=VisibilityTimeout&Attribute.Value=35",
                  "/000000000000/orders")
                .status,
            200);
  EXPECT_TRUE(absl::StrContains(
      Query("GetQueueAttributes", "AttributeName.1=VisibilityTimeout",
            "/000000000000/orders")
          .body,
      "<Attribute><Name>VisibilityTimeout</Name><Value>35</Value>"
      "</Attribute>"));
}

TEST_F(SqsProtocolTest, AnswersErrorsInBothForms) {
  const Answer json = JsonOrders("ReceiveMessage");
  EXPECT_EQ(json.status, 400);
  EXPECT_EQ(json.body,
            R"({"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":)"
            R"("The specified queue does not exist."})");
  EXPECT_EQ(HeaderOf(json, "x-amzn-query-error"),
            "AWS.SimpleQueueService.NonExistentQueue;Sender");
  const Answer query = Query("ReceiveMessage", "", "/000000000000/orders");
  EXPECT_EQ(query.status, 400);
  EXPECT_TRUE(absl::StrContains(
      query.body,
      "<Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code>"
      "<Message>The specified queue does not exist for this wsdl version."
      "</Message>"));
}

TEST_F(SqsProtocolTest, RefusesParametersAsAwsDoes) {
  CreateOrders();
  struct Case {
    std::string operation;
    std::string more;
    std::string query_error;
  };
  for (const Case& c : std::vector<Case>{
           {"ReceiveMessage", R"(,"MaxNumberOfMessages":11)",
            "InvalidParameterValue;Sender"},
           {"ReceiveMessage", R"(,"MaxNumberOfMessages":0)",
            "InvalidParameterValue;Sender"},
           {"ReceiveMessage", R"(,"WaitTimeSeconds":21)",
            "InvalidParameterValue;Sender"},
           {"ReceiveMessage", R"(,"VisibilityTimeout":43201)",
            "InvalidParameterValue;Sender"},
           {"ReceiveMessage", R"(,"VisibilityTimeout":-1)",
            "InvalidParameterValue;Sender"},
           {"ReceiveMessage", R"(,"AttributeNames":["x"])",
            "InvalidAttributeName;Sender"},
           {"ReceiveMessage", R"(,"MessageSystemAttributeNames":["x"])",
            "InvalidAttributeName;Sender"},
           {"ReceiveMessage", R"(,"ReceiveRequestAttemptId":"x")",
            "InvalidParameterValue;Sender"},
           {"ReceiveMessage", R"(,"MaxNumberOfMessages":"1")",
            "MalformedInput;Sender"},
           {"SendMessage", "", "MissingParameter;Sender"},
           {"SendMessage", R"(,"MessageBody":"x","DelaySeconds":901)",
            "InvalidParameterValue;Sender"},
           {"SendMessage", R"(,"MessageBody":"\u0001")",
            "InvalidMessageContents;Sender"},
           {"SendMessage",
            R"(,"MessageBody":"x","MessageAttributes":{"a":{"DataType":)"
            R"("Binary","BinaryValue":"%"}})",
            "MalformedInput;Sender"},
           {"SendMessage",
            R"(,"MessageBody":"x","MessageAttributes":{"a":{"DataType":)"
            R"("String","StringListValues":["x"]}})",
            "AWS.SimpleQueueService.UnsupportedOperation;Sender"},
           {"SendMessageBatch", R"(,"Entries":[])",
            "AWS.SimpleQueueService.EmptyBatchRequest;Sender"},
           {"DeleteMessage", "", "MissingParameter;Sender"},
           {"DeleteMessage", R"(,"ReceiptHandle":"x")",
            "ReceiptHandleIsInvalid;Sender"},
           {"ChangeMessageVisibility", R"(,"ReceiptHandle":"x")",
            "MissingParameter;Sender"},
           {"SetQueueAttributes", "", "MissingParameter;Sender"},
           {"AddPermission", R"(,"Label":"x")", "InvalidParameterValue;Sender"},
           {"RemovePermission", R"(,"Label":"x")",
            "InvalidParameterValue;Sender"},
           {"SendMessage", R"(,"MessageBody":"x","MessageGroupId":"")",
            "InvalidParameterValue;Sender"},
           {"SendMessage", R"(,"MessageBody":"x","MessageDeduplicationId":"d")",
            "InvalidParameterValue;Sender"},
           {"SendMessage",
            R"(,"MessageBody":"x","MessageAttributes":{"a":{"DataType":)"
            R"("String","StringValue":"\u0008"}})",
            "InvalidParameterValue;Sender"},
           {"StartMessageMoveTask", "", "MissingParameter;Sender"},
           {"CancelMessageMoveTask", R"(,"TaskHandle":"x")",
            "InvalidParameterValue;Sender"},
           {"NoSuchOperation", "", "InvalidAction;Sender"}}) {
    EXPECT_EQ(HeaderOf(JsonOrders(c.operation, c.more), "x-amzn-query-error"),
              c.query_error)
        << c.operation << c.more;
  }
  EXPECT_EQ(HeaderOf(Json("ListQueues", "{"), "x-amzn-query-error"),
            "MalformedInput;Sender");
  EXPECT_EQ(HeaderOf(Json("ReceiveMessage", "{}"), "x-amzn-query-error"),
            "MissingParameter;Sender");
  EXPECT_EQ(HeaderOf(Json("ReceiveMessage", R"({"QueueUrl":"/orders"})"),
                     "x-amzn-query-error"),
            "InvalidAddress;Sender");
  EXPECT_EQ(HeaderOf(Json("ReceiveMessage", R"({"QueueUrl":"http://garbage"})"),
                     "x-amzn-query-error"),
            "AWS.SimpleQueueService.NonExistentQueue;Sender");
  EXPECT_EQ(HeaderOf(Json("GetQueueUrl", R"({"QueueName":"orders",)"
                                         R"("QueueOwnerAWSAccountId":"1"})"),
                     "x-amzn-query-error"),
            "AWS.SimpleQueueService.NonExistentQueue;Sender");
}

TEST_F(SqsProtocolTest, TakesTheNameOfAQueueForItsUrl) {
  CreateOrders();
  EXPECT_EQ(
      Json("SendMessage", R"({"QueueUrl":"orders","MessageBody":"a"})").status,
      200);
}

TEST_F(SqsProtocolTest, OmitsEmptyMembersOfJson) {
  EXPECT_EQ(Json("ListQueues", "{}").body, "{}");
  CreateOrders();
  EXPECT_EQ(JsonOrders("ListQueueTags").body, "{}");
  EXPECT_EQ(JsonOrders("GetQueueAttributes").body, "{}");
  EXPECT_EQ(
      JsonOrders("GetQueueAttributes", R"(,"AttributeNames":["Policy"])").body,
      "{}");
  EXPECT_EQ(JsonOrders("ListDeadLetterSourceQueues").body, "{}");
}

TEST_F(SqsProtocolTest, PassesTheTraceOfTheRequestOn) {
  CreateOrders();
  const auto send = [&](absl::string_view more) {
    return Parsed(
        Start({.operation = "SendMessage",
               .body = absl::StrCat(R"({"QueueUrl":")", kUrl,
                                    R"(","MessageBody":"a")", more, "}"),
               .headers = {{"x-amzn-trace-id", "Root=1-header"}},
               .region = "eu-west-1"})
            .get());
  };
  EXPECT_FALSE(send("").isMember("MD5OfMessageSystemAttributes"));
  send(R"(,"MessageSystemAttributes":{"AWSTraceHeader":{"DataType":"String",)"
       R"("StringValue":"Root=1-own"}})");
  const Json::Value received = Parsed(JsonOrders(
      "ReceiveMessage",
      R"(,"MaxNumberOfMessages":10,"AttributeNames":["AWSTraceHeader"])"));
  ASSERT_EQ(received["Messages"].size(), 2);
  EXPECT_EQ(received["Messages"][0]["Attributes"]["AWSTraceHeader"],
            "Root=1-header");
  EXPECT_EQ(received["Messages"][1]["Attributes"]["AWSTraceHeader"],
            "Root=1-own");
}

TEST_F(SqsProtocolTest, AnswersQueriesInJsonIfTheClientAcceptsIt) {
  CreateOrders();
  const auto ask = [&](const std::string& operation, const std::string& body,
                       const std::string& path) {
    return Start({.operation = operation,
                  .protocol = WireProtocol::kQuery,
                  .body = body,
                  .path = path,
                  .method = "GET",
                  .headers = {{"Accept", "application/json"}},
                  .request_id = "the-request",
                  .region = "eu-west-1",
                  .endpoint = "http://127.0.0.1:4566"})
        .get();
  };
  const std::string path = "/000000000000/orders";
  const Answer answer =
      ask("GetQueueAttributes", "AttributeName.1=QueueArn", path);
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(
      answer.body,
      absl::StrCat(
          R"({"GetQueueAttributesResponse":{"GetQueueAttributesResult":)"
          R"({"Attributes":[{"Name":"QueueArn","Value":")",
          kArn, R"("}]},"ResponseMetadata":{"RequestId":"the-request"}}})"));
  EXPECT_EQ(ask("PurgeQueue", "", path).body,
            R"({"PurgeQueueResponse":{"ResponseMetadata":)"
            R"({"RequestId":"the-request"}}})");
  ask("SendMessage",
      "MessageBody=a&MessageAttribute.1.Name=n&MessageAttribute.1.Value."
      "DataType=String&MessageAttribute.1.Value.StringValue=v",
      path);
  const absl::StatusOr<Json::Value> received = json::ParseValue(
      ask("ReceiveMessage", "MessageAttributeName.1=All", path).body);
  ASSERT_TRUE(received.ok()) << received.status();
  const Json::Value& message =
      (*received)["ReceiveMessageResponse"]["ReceiveMessageResult"]["messages"]
                 [0];
  EXPECT_EQ(message["Body"], "a");
  EXPECT_EQ(
      json::WriteValue(message["MessageAttributes"]),
      R"([{"Name":"n","Value":{"DataType":"String","StringValue":"v"}}])");
  const Answer error = ask("ListQueues", "", path);
  EXPECT_EQ(error.status, 400);
  EXPECT_EQ(error.body,
            R"({"Error":{"Code":"InvalidAction","Message":"The action )"
            R"(ListQueues is not valid for this endpoint.","Type":"Sender"},)"
            R"("RequestId":"the-request"})");
}

TEST_F(SqsProtocolTest, OnThePathOfAQueueOnlyItsOwnActionsAreValid) {
  CreateOrders();
  for (const char* action : {"CreateQueue", "ListQueues"}) {
    EXPECT_TRUE(absl::StrContains(
        Query(action, "QueueName=x", "/000000000000/orders").body,
        absl::StrCat("<Code>InvalidAction</Code><Message>The action ", action,
                     " is not valid for this endpoint.</Message>")));
  }
  const Answer without = Query("", "", "/000000000000/orders");
  EXPECT_EQ(without.status, 404);
  EXPECT_EQ(without.body, "<UnknownOperationException/>\n");
}

TEST_F(SqsProtocolTest, KeepsPermissionsInThePolicy) {
  CreateOrders();
  const auto policy = [&] {
    const Json::Value answer = Parsed(
        JsonOrders("GetQueueAttributes", R"(,"AttributeNames":["Policy"])"));
    return answer["Attributes"]["Policy"].asString();
  };
  EXPECT_EQ(JsonOrders("AddPermission",
                       R"(,"Label":"one","AWSAccountIds":["111111111111"],)"
                       R"("Actions":["ReceiveMessage"])")
                .body,
            "{}");
  EXPECT_EQ(
      policy(),
      absl::StrCat(
          R"({"Id":")", kArn,
          R"(/SQSDefaultPolicy","Statement":[{"Action":"SQS:ReceiveMessage",)"
          R"("Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111111111111:)"
          R"(root"},"Resource":")",
          kArn, R"(","Sid":"one"}],"Version":"2008-10-17"})"));
  EXPECT_TRUE(absl::StrContains(
      Query("AddPermission",
            "Label=one&AWSAccountId.1=111111111111&ActionName.1=*",
            "/000000000000/orders")
          .body,
      "Value one for parameter Label is invalid. Reason: Already exists."));
  EXPECT_EQ(Query("AddPermission",
                  "Label=two&AWSAccountId.1=111111111111&AWSAccountId.2="
                  "222222222222&ActionName.1=SendMessage&ActionName.2=*",
                  "/000000000000/orders")
                .status,
            200);
  EXPECT_TRUE(absl::StrContains(
      policy(), R"("Principal":{"AWS":["arn:aws:iam::111111111111:root",)"
                R"("arn:aws:iam::222222222222:root"]})"))
      << policy();
  for (const char* label : {"one", "two"}) {
    EXPECT_EQ(JsonOrders("RemovePermission",
                         absl::StrCat(R"(,"Label":")", label, "\""))
                  .status,
              200);
  }
  EXPECT_EQ(policy(), "");
  EXPECT_TRUE(absl::StrContains(
      JsonOrders("RemovePermission", R"(,"Label":"one")").body,
      "Value one for parameter Label is invalid. Reason: can't find label."));
  EXPECT_TRUE(absl::StrContains(
      JsonOrders("AddPermission",
                 R"(,"Label":"x","AWSAccountIds":["111111111111"],)"
                 R"("Actions":["DeleteQueue"])")
          .body,
      "Only the queue owner is allowed to invoke this action."));
}

TEST_F(SqsProtocolTest, RefusesQueryParametersOfTheWrongForm) {
  CreateOrders();
  const auto send = [&](absl::string_view more) {
    return Query("SendMessage", absl::StrCat("MessageBody=x&", more),
                 "/000000000000/orders")
        .body;
  };
  EXPECT_TRUE(absl::StrContains(
      send("DelaySeconds=soon"),
      "<Message>Value soon for parameter DelaySeconds is invalid. Reason: Must "
      "be an integer.</Message>"));
  EXPECT_TRUE(absl::StrContains(
      send("MessageAttribute.1.Name=a&MessageAttribute.1.Value.DataType=String&"
           "MessageAttribute.1.Value.StringValue=x&MessageAttribute.2.Name=a&"
           "MessageAttribute.2.Value.DataType=String&"
           "MessageAttribute.2.Value.StringValue=y"),
      "already exists."));
  EXPECT_TRUE(absl::StrContains(send("MessageAttribute.x.Name=a"),
                                "<Code>MalformedInput</Code>"));
}

TEST_F(SqsProtocolTest, TakesAnEmptyListUnderItsJsonName) {
  CreateOrders();
  EXPECT_TRUE(absl::StrContains(
      Query("SendMessageBatch", "Entries=", "/000000000000/orders").body,
      "AWS.SimpleQueueService.EmptyBatchRequest"));
}

TEST_F(SqsProtocolTest, AnswersBatchesEntryByEntry) {
  CreateOrders();
  const Json::Value sent = Parsed(JsonOrders(
      "SendMessageBatch",
      R"(,"Entries":[{"Id":"1","MessageBody":"a"},{"Id":"2","MessageBody":""}])"));
  EXPECT_EQ(sent["Successful"][0]["Id"], "1");
  EXPECT_EQ(sent["Successful"][0]["MD5OfMessageBody"],
            "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(sent["Failed"][0]["Id"], "2");
  EXPECT_EQ(sent["Failed"][0]["SenderFault"], true);
  EXPECT_EQ(sent["Failed"][0]["Code"], "MissingParameter");
  EXPECT_TRUE(absl::StrContains(
      Query("SendMessageBatch",
            "SendMessageBatchRequestEntry.1.Id=x&"
            "SendMessageBatchRequestEntry.1.MessageBody=a&"
            "SendMessageBatchRequestEntry.2.Id=y",
            "/000000000000/orders")
          .body,
      "</SendMessageBatchResultEntry><BatchResultErrorEntry><Id>y</Id>"
      "<SenderFault>true</SenderFault><Code>MissingParameter</Code>"));
  const Json::Value received =
      Parsed(JsonOrders("ReceiveMessage", R"(,"MaxNumberOfMessages":10)"));
  ASSERT_EQ(received["Messages"].size(), 2);
  const auto handle = [&](int i) {
    return received["Messages"][i]["ReceiptHandle"].asString();
  };
  EXPECT_EQ(Parsed(JsonOrders("ChangeMessageVisibilityBatch",
                              absl::StrCat(
                                  R"(,"Entries":[{"Id":"1","ReceiptHandle":")",
                                  handle(0), R"(","VisibilityTimeout":60}])")))
                .toStyledString(),
            Json::Value(*json::ParseValue(R"({"Successful":[{"Id":"1"}]})"))
                .toStyledString());
  EXPECT_EQ(
      JsonOrders("DeleteMessageBatch",
                 absl::StrCat(R"(,"Entries":[{"Id":"1","ReceiptHandle":")",
                              handle(0), R"("},{"Id":"2"}])"))
          .body,
      R"({"Successful":[{"Id":"1"}],"Failed":[{"Id":"2","SenderFault":)"
      R"(true,"Code":"MissingParameter","Message":"The request must )"
      R"(contain the parameter ReceiptHandle."}]})");
}

TEST_F(SqsProtocolTest, ListsAndMovesOverBothProtocols) {
  CreateOrders();
  Parsed(
      Json("CreateQueue",
           absl::StrCat(R"({"QueueName":"src","Attributes":{"RedrivePolicy":)",
                        R"("{\"deadLetterTargetArn\":\")", kArn,
                        R"(\",\"maxReceiveCount\":1}"}})")));
  EXPECT_EQ(Json("ListQueues", R"({"MaxResults":1})").body,
            absl::StrCat(R"({"QueueUrls":[")", kUrl,
                         R"("],"NextToken":"b3JkZXJz"})"));
  EXPECT_EQ(JsonOrders("ListDeadLetterSourceQueues").body,
            R"({"queueUrls":["http://127.0.0.1:4566/000000000000/src"]})");
  EXPECT_TRUE(absl::StrContains(
      Query("ListQueues", "QueueNamePrefix=s").body,
      "<ListQueuesResult><QueueUrl>http://127.0.0.1:4566/000000000000/src"
      "</QueueUrl></ListQueuesResult>"));
  const std::string source = absl::StrCat(R"({"SourceArn":")", kArn, "\"}");
  EXPECT_NE(Parsed(Json("StartMessageMoveTask", source))["TaskHandle"], "");
  clock.AwaitIdle();
  EXPECT_EQ(
      Json("ListMessageMoveTasks", source).body,
      absl::StrCat(R"({"Results":[{"Status":"COMPLETED","SourceArn":")", kArn,
                   R"(","ApproximateNumberOfMessagesMoved":0,)"
                   R"("ApproximateNumberOfMessagesToMove":0,)"
                   R"("StartedTimestamp":1764670980000}]})"));
  EXPECT_TRUE(absl::StrContains(
      Query("ListMessageMoveTasks", absl::StrCat("SourceArn=", kArn)).body,
      "<ListMessageMoveTasksResultEntry><Status>COMPLETED</Status>"));
}

}  // namespace
}  // namespace byoshin::local::sqs
