"""The local cloud as boto3 sees it. Its SQS client speaks the Query protocol, if it is as old as Debian's.

boto3_test.py URL: every function whose name begins with "test_" is run against the server there.
"""

import decimal
import hashlib
import sys
import traceback

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

_OPTIONS = {
    "endpoint_url": sys.argv[1],
    "region_name": "us-east-1",
    "aws_access_key_id": "test",
    "aws_secret_access_key": "test",
    "config": Config(retries={"max_attempts": 1}),
}
sqs = boto3.client("sqs", **_OPTIONS)
dynamodb = boto3.client("dynamodb", **_OPTIONS)
tables = boto3.resource("dynamodb", **_OPTIONS)


def refused(code, call, **parameters):
    try:
        call(**parameters)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response
        assert error.response["ResponseMetadata"]["RequestId"]
        return error.response["Error"]["Message"]
    raise AssertionError("accepted, expected " + code)


def make_queue(name, **attributes):
    return sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]


def test_messages_go_round():
    url = make_queue("boto-round")
    body = 'text, <xml> & "quotes", 秒 and 😀\n'
    sent = sqs.send_message(
        QueueUrl=url,
        MessageBody=body,
        MessageAttributes={
            "n": {"DataType": "Number", "StringValue": "7"},
            "b": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
        },
    )
    assert sent["MD5OfMessageBody"] == hashlib.md5(body.encode()).hexdigest()
    received = sqs.receive_message(QueueUrl=url, AttributeNames=["All"], MessageAttributeNames=["All"])
    (message,) = received["Messages"]
    assert message["Body"] == body
    assert message["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"]
    assert message["MessageAttributes"]["b"]["BinaryValue"] == b"\x00\xff"
    assert message["Attributes"]["ApproximateReceiveCount"] == "1"
    sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0)
    (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
    sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    assert "Messages" not in sqs.receive_message(QueueUrl=url)


def test_batches():
    url = make_queue("boto-batches")
    sent = sqs.send_message_batch(
        QueueUrl=url,
        Entries=[
            {"Id": "good", "MessageBody": "x"},
            {"Id": "bad", "MessageBody": "x", "DelaySeconds": 901},
        ],
    )
    assert [entry["Id"] for entry in sent["Successful"]] == ["good"]
    assert [entry["Id"] for entry in sent["Failed"]] == ["bad"]
    (message,) = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
    deleted = sqs.delete_message_batch(
        QueueUrl=url, Entries=[{"Id": "one", "ReceiptHandle": message["ReceiptHandle"]}]
    )
    assert deleted["Successful"] == [{"Id": "one"}]


def test_queues():
    url = make_queue("boto-queue", VisibilityTimeout="7")
    assert sqs.get_queue_url(QueueName="boto-queue")["QueueUrl"] == url
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert attributes["VisibilityTimeout"] == "7"
    assert attributes["QueueArn"] == "arn:aws:sqs:us-east-1:000000000000:boto-queue"
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"DelaySeconds": "3"})
    assert sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["DelaySeconds"])["Attributes"] == {"DelaySeconds": "3"}
    assert url in sqs.list_queues(QueueNamePrefix="boto-q")["QueueUrls"]
    sqs.tag_queue(QueueUrl=url, Tags={"a": "b", "c": "d"})
    sqs.untag_queue(QueueUrl=url, TagKeys=["a"])
    assert sqs.list_queue_tags(QueueUrl=url)["Tags"] == {"c": "d"}
    sqs.purge_queue(QueueUrl=url)
    sqs.delete_queue(QueueUrl=url)


def test_fifo_queues_keep_the_order_of_a_group():
    url = make_queue("boto.fifo", FifoQueue="true", ContentBasedDeduplication="true")
    numbers = []
    for body in ("a1", "b1", "a2", "a1"):
        sent = sqs.send_message(QueueUrl=url, MessageBody=body, MessageGroupId=body[0])
        numbers.append(sent["SequenceNumber"])
    assert numbers[:3] == sorted(set(numbers)) and numbers[3] == numbers[0], numbers
    messages = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"])["Messages"]
    assert [message["Body"] for message in messages] == ["a1", "a2", "b1"]
    assert messages[1]["Attributes"]["MessageGroupId"] == "a"
    assert messages[1]["Attributes"]["SequenceNumber"] == numbers[2]
    sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=messages[0]["ReceiptHandle"], VisibilityTimeout=0)
    handle = messages[0]["ReceiptHandle"]
    message = refused("InvalidParameterValue", sqs.delete_message, QueueUrl=url, ReceiptHandle=handle)
    assert message.endswith("The receipt handle has expired."), message
    refused("MissingParameter", sqs.send_message, QueueUrl=url, MessageBody="x")


def test_errors_of_sqs_have_the_codes_of_the_query_protocol():
    refused("AWS.SimpleQueueService.NonExistentQueue", sqs.get_queue_url, QueueName="none")
    url = make_queue("boto-errors")
    refused("ReceiptHandleIsInvalid", sqs.delete_message, QueueUrl=url, ReceiptHandle="nonsense")
    refused("AWS.SimpleQueueService.EmptyBatchRequest", sqs.send_message_batch, QueueUrl=url, Entries=[])
    refused("InvalidParameterValue", sqs.receive_message, QueueUrl=url, MaxNumberOfMessages=11)
    refused("QueueAlreadyExists", sqs.create_queue, QueueName="boto-errors", Attributes={"DelaySeconds": "9"})


def test_tables_and_waiters():
    table = tables.create_table(
        TableName="Boto",
        KeySchema=[{"AttributeName": "h", "KeyType": "HASH"}, {"AttributeName": "r", "KeyType": "RANGE"}],
        AttributeDefinitions=[
            {"AttributeName": "h", "AttributeType": "S"},
            {"AttributeName": "r", "AttributeType": "N"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    table.wait_until_exists()
    with table.batch_writer() as batch:
        for i in range(60):
            batch.put_item(Item={"h": "a", "r": i, "v": decimal.Decimal("1.25"), "set": {1, 2}, "b": b"\x00"})
    found = table.query(
        KeyConditionExpression=boto3.dynamodb.conditions.Key("h").eq("a")
        & boto3.dynamodb.conditions.Key("r").between(10, 19),
        FilterExpression=boto3.dynamodb.conditions.Attr("v").gt(1),
    )
    assert [int(item["r"]) for item in found["Items"]] == list(range(10, 20))
    assert found["Items"][0]["set"] == {1, 2}
    updated = table.update_item(
        Key={"h": "a", "r": 1},
        UpdateExpression="SET v = v + :one",
        ExpressionAttributeValues={":one": 1},
        ReturnValues="UPDATED_NEW",
    )
    assert updated["Attributes"] == {"v": decimal.Decimal("2.25")}
    pages = dynamodb.get_paginator("scan").paginate(TableName="Boto", PaginationConfig={"PageSize": 7})
    assert sum(page["Count"] for page in pages) == 60
    refused(
        "ConditionalCheckFailedException",
        dynamodb.put_item,
        TableName="Boto",
        Item={"h": {"S": "a"}, "r": {"N": "1"}},
        ConditionExpression="attribute_not_exists(h)",
    )
    table.delete()
    table.wait_until_not_exists()


def main():
    failed = 0
    for name, function in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            function()
            print("ok", name)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print("FAILED", name)
            traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
