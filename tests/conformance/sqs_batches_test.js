// SendMessageBatch, DeleteMessageBatch, ChangeMessageVisibilityBatch.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const sqs = require('@aws-sdk/client-sqs');
const {cloud, refused} = require('./cloud');
const {makeQueue, sendMessage, receive} = require('./queues');

const send = (command) => cloud.sqs.send(command);
const sendBatch = (QueueUrl, Entries) => send(new sqs.SendMessageBatchCommand({QueueUrl, Entries}));

test('a batch is sent, received, hidden and deleted', async () => {
  const QueueUrl = await makeQueue();
  const Entries = Array.from({length: 10}, (_, i) => ({Id: `id-${i}`, MessageBody: `body ${i}`}));
  const sent = await sendBatch(QueueUrl, Entries);
  assert.deepEqual(sent.Successful.map(({Id}) => Id).sort(), Entries.map(({Id}) => Id).sort());
  assert.equal(sent.Failed?.length ?? 0, 0);

  const messages = await receive(QueueUrl, {MaxNumberOfMessages: 10});
  assert.equal(messages.length, 10);
  const changed = await send(
    new sqs.ChangeMessageVisibilityBatchCommand({
      QueueUrl,
      Entries: messages.map(({ReceiptHandle}, i) => ({Id: `${i}`, ReceiptHandle, VisibilityTimeout: 0})),
    }),
  );
  assert.equal(changed.Successful.length, 10);
  const again = await receive(QueueUrl, {MaxNumberOfMessages: 10});
  assert.equal(again.length, 10);
  const deleted = await send(
    new sqs.DeleteMessageBatchCommand({
      QueueUrl,
      Entries: [
        ...again.slice(0, 9).map(({ReceiptHandle}, i) => ({Id: `${i}`, ReceiptHandle})),
        {Id: 'wrong', ReceiptHandle: 'nonsense'},
      ],
    }),
  );
  assert.equal(deleted.Successful.length, 9);
  assert.equal(deleted.Failed.length, 1);
  assert.equal(deleted.Failed[0].Id, 'wrong');
  assert.equal(deleted.Failed[0].SenderFault, true);
  assert.match(deleted.Failed[0].Code, /ReceiptHandleIsInvalid/);
});

test('one bad message does not spoil the others', async () => {
  const QueueUrl = await makeQueue();
  const {Successful, Failed} = await sendBatch(QueueUrl, [
    {Id: 'good', MessageBody: 'x'},
    {Id: 'bad', MessageBody: 'x', DelaySeconds: 901},
  ]);
  assert.deepEqual(Successful.map(({Id}) => Id), ['good']);
  assert.deepEqual(Failed.map(({Id, SenderFault}) => ({Id, SenderFault})), [{Id: 'bad', SenderFault: true}]);
  assert.equal(Failed[0].Code, 'InvalidParameterValue');
  assert.equal((await receive(QueueUrl, {MaxNumberOfMessages: 10})).length, 1);
});

test('batches have rules', async () => {
  const QueueUrl = await makeQueue();
  await refused(
    sendBatch(QueueUrl, []),
    'EmptyBatchRequest',
    'There should be at least one SendMessageBatchRequestEntry in the request.',
  );
  await refused(
    sendBatch(QueueUrl, Array.from({length: 11}, (_, i) => ({Id: `${i}`, MessageBody: 'x'}))),
    'TooManyEntriesInBatchRequest',
    'Maximum number of entries per request are 10. You have sent 11.',
  );
  await refused(
    sendBatch(QueueUrl, [{Id: 'a', MessageBody: 'x'}, {Id: 'a', MessageBody: 'y'}]),
    'BatchEntryIdsNotDistinct',
    'Id a repeated.',
  );
  await refused(
    sendBatch(QueueUrl, [{Id: 'a b', MessageBody: 'x'}]),
    'InvalidBatchEntryId',
    'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
  );
  const half = 'x'.repeat(600 * 1024);
  await refused(
    sendBatch(QueueUrl, [{Id: 'a', MessageBody: half}, {Id: 'b', MessageBody: half}]),
    'BatchRequestTooLong',
    /^Batch requests cannot be longer than \d+ bytes\. You have sent 1228800 bytes\.$/,
  );
  assert.deepEqual(await receive(QueueUrl), []);
  await sendMessage(QueueUrl, 'still works');
});
