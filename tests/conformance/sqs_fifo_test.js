// FIFO queues: order within groups, deduplication, receipts, attempts to receive again, dead letters.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const sqs = require('@aws-sdk/client-sqs');
const {cloud, freshName, refused} = require('./cloud');
const {arnOf, sendMessage, receive, remove, attributes} = require('./queues');

const send = (command) => cloud.sqs.send(command);

async function makeFifo(Attributes = {}) {
  const {QueueUrl} = await send(
    new sqs.CreateQueueCommand({
      QueueName: `${freshName('queue')}.fifo`,
      Attributes: {FifoQueue: 'true', ContentBasedDeduplication: 'true', ...Attributes},
    }),
  );
  return QueueUrl;
}

/** "a1" goes to the group "a". */
const post = (QueueUrl, body, more = {}) => sendMessage(QueueUrl, body, {MessageGroupId: body[0], ...more});
const bodies = (messages) => messages.map(({Body}) => Body);
const receiveAll = (QueueUrl, more = {}) => receive(QueueUrl, {MaxNumberOfMessages: 10, ...more});

test('a group comes in order, and stops while a message of it is in flight', async () => {
  const QueueUrl = await makeFifo();
  for (const body of ['a1', 'b1', 'a2', 'a3']) await post(QueueUrl, body);
  const first = await receive(QueueUrl, {MaxNumberOfMessages: 2});
  assert.deepEqual(bodies(first), ['a1', 'a2']);
  assert.deepEqual(bodies(await receiveAll(QueueUrl)), ['b1']);
  await remove(QueueUrl, first[0]);
  assert.deepEqual(await receiveAll(QueueUrl), []);
  const waiting = receiveAll(QueueUrl, {WaitTimeSeconds: 20});
  await remove(QueueUrl, first[1]);
  assert.deepEqual(bodies(await waiting), ['a3']);
});

test('a message has a group, a deduplication ID and a sequence number', async () => {
  const QueueUrl = await makeFifo();
  const first = await post(QueueUrl, 'a1', {MessageDeduplicationId: 'd1'});
  const second = await post(QueueUrl, 'a2');
  assert.match(first.SequenceNumber, /^\d{20}$/);
  assert.ok(BigInt(first.SequenceNumber) < BigInt(second.SequenceNumber));
  const [message] = await receive(QueueUrl, {MessageSystemAttributeNames: ['All']});
  assert.equal(message.Attributes.MessageGroupId, 'a');
  assert.equal(message.Attributes.MessageDeduplicationId, 'd1');
  assert.equal(message.Attributes.SequenceNumber, first.SequenceNumber);
});

test('a repeated message is accepted, and not delivered again', async () => {
  const QueueUrl = await makeFifo();
  const first = await post(QueueUrl, 'a1');
  await remove(QueueUrl, (await receive(QueueUrl))[0]);
  const again = await post(QueueUrl, 'a1');
  assert.equal(again.MessageId, first.MessageId);
  assert.equal(again.SequenceNumber, first.SequenceNumber);
  assert.deepEqual(await receive(QueueUrl), []);
  await post(QueueUrl, 'a1', {MessageDeduplicationId: 'another'});
  assert.deepEqual(bodies(await receive(QueueUrl)), ['a1']);
});

test('batches keep the order, and fail as a whole without group or ID', async () => {
  const QueueUrl = await makeFifo({ContentBasedDeduplication: 'false'});
  const batch = (...entries) =>
    send(
      new sqs.SendMessageBatchCommand({
        QueueUrl,
        Entries: entries.map((entry, i) => ({Id: `${i}`, MessageBody: `${i}`, ...entry})),
      }),
    );
  await refused(
    batch({MessageGroupId: 'a', MessageDeduplicationId: '1'}, {MessageGroupId: 'a'}),
    'InvalidParameterValue',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );
  await refused(
    batch({MessageDeduplicationId: '1'}),
    'InvalidParameterValue',
    'The request must contain the parameter MessageGroupId.',
  );
  const ids = ['1', '2', '1', '3'];
  const {Successful} = await batch(...ids.map((id) => ({MessageGroupId: 'a', MessageDeduplicationId: id})));
  assert.equal(Successful.length, 4);
  assert.equal(Successful[2].MessageId, Successful[0].MessageId);
  assert.deepEqual(bodies(await receiveAll(QueueUrl)), ['0', '1', '3']);
});

test('an expired receipt handle is refused', async () => {
  const QueueUrl = await makeFifo();
  await post(QueueUrl, 'a1');
  const [message] = await receive(QueueUrl, {VisibilityTimeout: 0});
  await refused(
    remove(QueueUrl, message),
    'InvalidParameterValue',
    `Value ${message.ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
  );
});

test('the same attempt to receive returns the same messages', async () => {
  const QueueUrl = await makeFifo();
  for (const body of ['a1', 'b1']) await post(QueueUrl, body);
  const attempt = {ReceiveRequestAttemptId: 'attempt'};
  const [first] = await receive(QueueUrl, attempt);
  const [again] = await receive(QueueUrl, attempt);
  assert.equal(again.ReceiptHandle, first.ReceiptHandle);
  await remove(QueueUrl, first);
  await refused(receive(QueueUrl, attempt), 'InvalidParameterValue', /not retryable/);
});

test('dead letters are of the same type', async () => {
  const dead = await makeFifo();
  const policy = JSON.stringify({deadLetterTargetArn: arnOf(dead), maxReceiveCount: 1});
  const QueueUrl = await makeFifo({RedrivePolicy: policy, VisibilityTimeout: '0'});
  for (const body of ['a1', 'a2']) await post(QueueUrl, body);
  await receiveAll(QueueUrl);
  assert.deepEqual(await receiveAll(QueueUrl), []);
  assert.deepEqual(bodies(await receiveAll(dead)), ['a1', 'a2']);
  await refused(
    send(new sqs.CreateQueueCommand({QueueName: freshName('queue'), Attributes: {RedrivePolicy: policy}})),
    'InvalidParameterValue',
    /Reason: Dead-letter queue must be same type of queue as the source\.$/,
  );
});

test('the attributes are those of AWS', async () => {
  const QueueUrl = await makeFifo({DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId'});
  const all = await attributes(QueueUrl);
  assert.equal(all.FifoQueue, 'true');
  assert.equal(all.ContentBasedDeduplication, 'true');
  assert.equal(all.DeduplicationScope, 'messageGroup');
  assert.equal(all.FifoThroughputLimit, 'perMessageGroupId');
  await refused(
    send(new sqs.CreateQueueCommand({QueueName: freshName('queue'), Attributes: {FifoQueue: 'true'}})),
    'InvalidParameterValue',
    /must end with \.fifo suffix/,
  );
  await refused(
    post(QueueUrl, 'a1', {DelaySeconds: 1}),
    'InvalidParameterValue',
    'Value 1 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.',
  );
});
