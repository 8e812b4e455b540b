// Dead-letter queues: messages go there after too many tries, and come back when asked to.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const sqs = require('@aws-sdk/client-sqs');
const {cloud, refused} = require('./cloud');
const {makeQueue, arnOf, sendMessage, receive, attributes} = require('./queues');

const send = (command) => cloud.sqs.send(command);

async function makePair(maxReceiveCount) {
  const dead = await makeQueue();
  const policy = JSON.stringify({deadLetterTargetArn: arnOf(dead), maxReceiveCount});
  const source = await makeQueue({RedrivePolicy: policy, VisibilityTimeout: '0'});
  return {source, dead};
}

/** Receives until it has gone to the dead-letter queue. */
async function killMessage({source, dead}, body) {
  await sendMessage(source, body);
  while ((await receive(source)).length) {
    // Once more.
  }
  assert.equal((await attributes(dead)).ApproximateNumberOfMessages, '1');
}

test('a message that was received too often goes to the dead-letter queue', async () => {
  const {source, dead} = await makePair(2);
  const {MessageId} = await sendMessage(source, 'poison', {
    MessageAttributes: {a: {DataType: 'String', StringValue: 'b'}},
  });
  assert.equal((await receive(source)).length, 1);
  assert.equal((await receive(source)).length, 1);
  assert.equal((await receive(source)).length, 0);
  const [message] = await receive(dead, {MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All']});
  assert.equal(message.MessageId, MessageId);
  assert.equal(message.Body, 'poison');
  assert.equal(message.MessageAttributes.a.StringValue, 'b');
  assert.equal(message.Attributes.DeadLetterQueueSourceArn, arnOf(source));
});

test('who uses a queue for dead letters can be asked', async () => {
  const {source, dead} = await makePair(3);
  const {queueUrls} = await send(new sqs.ListDeadLetterSourceQueuesCommand({QueueUrl: dead}));
  assert.deepEqual(queueUrls, [source]);
});

test('a redrive policy must make sense', async () => {
  const QueueUrl = await makeQueue();
  const set = (policy) =>
    send(new sqs.SetQueueAttributesCommand({QueueUrl, Attributes: {RedrivePolicy: policy}}));
  const dead = await makeQueue();
  for (const policy of [
    'nonsense',
    JSON.stringify({maxReceiveCount: 1}),
    JSON.stringify({deadLetterTargetArn: arnOf(dead)}),
    JSON.stringify({deadLetterTargetArn: arnOf(dead), maxReceiveCount: 0}),
    JSON.stringify({deadLetterTargetArn: arnOf(dead), maxReceiveCount: 1001}),
    JSON.stringify({deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:none', maxReceiveCount: 1}),
  ]) {
    const error = await set(policy).then(
      () => assert.fail(`accepted ${policy}`),
      (reason) => reason,
    );
    assert.match(error.name, /^(InvalidParameterValue|InvalidAttributeValue)$/, `${policy}: ${error.message}`);
  }
  await set(JSON.stringify({deadLetterTargetArn: arnOf(dead), maxReceiveCount: '1000'}));
  await set('');
  assert.equal((await attributes(QueueUrl)).RedrivePolicy, undefined);
});

test('StartMessageMoveTask brings dead letters back to where they came from', async () => {
  const pair = await makePair(1);
  await killMessage(pair, 'lazarus');
  const SourceArn = arnOf(pair.dead);
  const {TaskHandle} = await send(new sqs.StartMessageMoveTaskCommand({SourceArn}));
  assert.ok(TaskHandle);
  const [message] = await receive(pair.source, {WaitTimeSeconds: 20});
  assert.equal(message.Body, 'lazarus');
  for (;;) {
    const {Results} = await send(new sqs.ListMessageMoveTasksCommand({SourceArn}));
    if (Results[0].Status === 'RUNNING') continue;
    assert.equal(Results[0].Status, 'COMPLETED');
    assert.equal(Number(Results[0].ApproximateNumberOfMessagesMoved), 1);
    break;
  }
});

test('StartMessageMoveTask takes them elsewhere if told to', async () => {
  const pair = await makePair(1);
  const elsewhere = await makeQueue();
  await killMessage(pair, 'traveller');
  await send(
    new sqs.StartMessageMoveTaskCommand({SourceArn: arnOf(pair.dead), DestinationArn: arnOf(elsewhere)}),
  );
  const [message] = await receive(elsewhere, {WaitTimeSeconds: 20});
  assert.equal(message.Body, 'traveller');
});

test('only a dead-letter queue can be moved from', async () => {
  const QueueUrl = await makeQueue();
  await refused(
    send(new sqs.StartMessageMoveTaskCommand({SourceArn: arnOf(QueueUrl)})),
    'InvalidParameterValue',
    /Source queue must be configured as a Dead Letter Queue/,
  );
  await refused(
    send(new sqs.StartMessageMoveTaskCommand({SourceArn: 'arn:aws:sqs:us-east-1:000000000000:none'})),
    'ResourceNotFoundException',
  );
});
