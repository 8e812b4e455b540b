// Queues for tests, and what is done with them again and again.
'use strict';

const sqs = require('@aws-sdk/client-sqs');
const {cloud, freshName} = require('./cloud');

async function makeQueue(Attributes = {}, more = {}) {
  const {QueueUrl} = await cloud.sqs.send(new sqs.CreateQueueCommand({QueueName: freshName('queue'), Attributes, ...more}));
  return QueueUrl;
}

const arnOf = (QueueUrl) => `arn:aws:sqs:us-east-1:000000000000:${QueueUrl.split('/').pop()}`;

const sendMessage = (QueueUrl, MessageBody, more = {}) =>
  cloud.sqs.send(new sqs.SendMessageCommand({QueueUrl, MessageBody, ...more}));

const receive = async (QueueUrl, more = {}) =>
  (await cloud.sqs.send(new sqs.ReceiveMessageCommand({QueueUrl, ...more}))).Messages ?? [];

const remove = (QueueUrl, {ReceiptHandle}) =>
  cloud.sqs.send(new sqs.DeleteMessageCommand({QueueUrl, ReceiptHandle}));

async function attributes(QueueUrl, ...AttributeNames) {
  const names = AttributeNames.length ? AttributeNames : ['All'];
  return (await cloud.sqs.send(new sqs.GetQueueAttributesCommand({QueueUrl, AttributeNames: names}))).Attributes;
}

module.exports = {makeQueue, arnOf, sendMessage, receive, remove, attributes};
