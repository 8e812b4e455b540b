// What gives an imitation of SQS away: late heartbeats, queues without a URL, traces, members that are not there, and
// what may be in the attributes of messages.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const sqs = require('@aws-sdk/client-sqs');
const {cloud, freshName, refused} = require('./cloud');
const {makeQueue, sendMessage, receive} = require('./queues');

const send = (command) => cloud.sqs.send(command);
const hide = (QueueUrl, {ReceiptHandle}, VisibilityTimeout) =>
  send(new sqs.ChangeMessageVisibilityCommand({QueueUrl, ReceiptHandle, VisibilityTimeout}));

test('a heartbeat may come after the visibility time-out', async () => {
  const QueueUrl = await makeQueue({VisibilityTimeout: '0'});
  await sendMessage(QueueUrl, 'work');
  const [late] = await receive(QueueUrl);
  await hide(QueueUrl, late, 600);
  assert.deepEqual(await receive(QueueUrl), []);
});

test('an earlier receipt handle changes the visibility, too', async () => {
  const QueueUrl = await makeQueue({VisibilityTimeout: '0'});
  await sendMessage(QueueUrl, 'work');
  const [first] = await receive(QueueUrl);
  const [second] = await receive(QueueUrl, {VisibilityTimeout: 600});
  assert.deepEqual(await receive(QueueUrl), []);
  await hide(QueueUrl, first, 0);
  const [third] = await receive(QueueUrl);
  assert.equal(third.MessageId, second.MessageId);
  await hide(QueueUrl, first, 600);
  assert.deepEqual(await receive(QueueUrl), []);
});

test('QueueUrl may be a name; a URL that is none is that of no queue', async () => {
  const client = cloud.client(sqs.SQSClient, {useQueueUrlAsEndpoint: false});
  const QueueName = freshName('queue');
  const {QueueUrl} = await send(new sqs.CreateQueueCommand({QueueName}));
  await client.send(new sqs.SendMessageCommand({QueueUrl: QueueName, MessageBody: 'by name'}));
  assert.equal((await receive(QueueUrl))[0].Body, 'by name');
  for (const wrong of ['http://garbage', freshName('none')]) {
    await refused(
      client.send(new sqs.SendMessageCommand({QueueUrl: wrong, MessageBody: 'x'})),
      'QueueDoesNotExist',
      'The specified queue does not exist.',
    );
  }
});

test('answers omit members that would be empty', async () => {
  const QueueUrl = await makeQueue();
  assert.equal((await send(new sqs.ListQueueTagsCommand({QueueUrl}))).Tags, undefined);
  assert.equal((await send(new sqs.ListQueuesCommand({QueueNamePrefix: 'nobody'}))).QueueUrls, undefined);
  const policy = new sqs.GetQueueAttributesCommand({QueueUrl, AttributeNames: ['Policy']});
  assert.equal((await send(policy)).Attributes, undefined);
});

test('the trace of the request becomes AWSTraceHeader', async () => {
  const QueueUrl = await makeQueue();
  const client = cloud.client(sqs.SQSClient);
  client.middlewareStack.add(
    (next) => (args) => {
      args.request.headers['X-Amzn-Trace-Id'] = 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1';
      return next(args);
    },
    {step: 'build'},
  );
  await client.send(new sqs.SendMessageCommand({QueueUrl, MessageBody: 'traced'}));
  const [message] = await receive(QueueUrl, {MessageSystemAttributeNames: ['AWSTraceHeader']});
  assert.deepEqual(message.Attributes, {AWSTraceHeader: 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1'});
});

test('an empty MessageGroupId is refused', async () => {
  const QueueUrl = await makeQueue();
  await refused(
    sendMessage(QueueUrl, 'x', {MessageGroupId: ''}),
    'InvalidParameterValue',
    'Value  for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and ' +
      'punctuation characters. 1 to 128 in length.',
  );
});

test('names of attributes have letters of any script; values have no control characters', async () => {
  const QueueUrl = await makeQueue();
  const withAttribute = (name, StringValue = 'x') =>
    sendMessage(QueueUrl, 'x', {MessageAttributes: {[name]: {DataType: 'String', StringValue}}});
  await withAttribute('größe.秒');
  const [message] = await receive(QueueUrl, {MessageAttributeNames: ['All']});
  assert.deepEqual(Object.keys(message.MessageAttributes), ['größe.秒']);
  for (const name of ['a!', 'a€', '😀']) await refused(withAttribute(name), 'InvalidParameterValue');
  await refused(
    withAttribute('a', '\b'),
    'InvalidParameterValue',
    /^Invalid binary character '#x8' was found in the message attribute 'a' value, the set of allowed characters is /,
  );
});
