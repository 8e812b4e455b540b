// Messages: sending, receiving, visibility, delay, long polling, attributes and their checksums.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const {test} = require('node:test');
const sqs = require('@aws-sdk/client-sqs');
const {cloud, refused} = require('./cloud');
const {makeQueue, sendMessage, receive, remove, attributes} = require('./queues');

const send = (command) => cloud.sqs.send(command);
const md5 = (bytes) => crypto.createHash('md5').update(bytes).digest('hex');

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
function md5OfAttributes(list) {
  const hash = crypto.createHash('md5');
  const add = (bytes) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of Object.keys(list).sort()) {
    const {DataType, StringValue, BinaryValue} = list[name];
    add(Buffer.from(name));
    add(Buffer.from(DataType));
    hash.update(Buffer.from([BinaryValue ? 2 : 1]));
    add(BinaryValue ? Buffer.from(BinaryValue) : Buffer.from(StringValue));
  }
  return hash.digest('hex');
}

test('a message arrives as it was sent, with checksums', async () => {
  const QueueUrl = await makeQueue();
  const body = 'text, <xml> & "quotes"\t\r\n, 秒 and 😀';
  const MessageAttributes = {
    text: {DataType: 'String', StringValue: 'a <b> 秒'},
    number: {DataType: 'Number.int', StringValue: '42'},
    bytes: {DataType: 'Binary', BinaryValue: new Uint8Array([0, 128, 255])},
  };
  const sent = await sendMessage(QueueUrl, body, {MessageAttributes});
  assert.equal(sent.MD5OfMessageBody, md5(body));
  assert.equal(sent.MD5OfMessageAttributes, md5OfAttributes(MessageAttributes));
  assert.match(sent.MessageId, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);

  const [message] = await receive(QueueUrl, {MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All']});
  assert.equal(message.MessageId, sent.MessageId);
  assert.equal(message.Body, body);
  assert.equal(message.MD5OfBody, md5(body));
  assert.equal(message.MD5OfMessageAttributes, md5OfAttributes(MessageAttributes));
  assert.deepEqual(message.MessageAttributes.number, MessageAttributes.number);
  assert.deepEqual([...message.MessageAttributes.bytes.BinaryValue], [0, 128, 255]);
  assert.equal(message.Attributes.ApproximateReceiveCount, '1');
  for (const name of ['SentTimestamp', 'ApproximateFirstReceiveTimestamp']) {
    assert.match(message.Attributes[name], /^\d{13}$/, name);
  }
  assert.ok(message.Attributes.SenderId);
});

test('only the attributes that are asked for come, and their checksum', async () => {
  const QueueUrl = await makeQueue({VisibilityTimeout: '0'});
  const MessageAttributes = {};
  for (const name of ['app.one', 'app.two', 'other']) MessageAttributes[name] = {DataType: 'String', StringValue: name};
  await sendMessage(QueueUrl, 'x', {MessageAttributes});
  const names = async (MessageAttributeNames) => {
    const [message] = await receive(QueueUrl, MessageAttributeNames ? {MessageAttributeNames} : {});
    const found = message.MessageAttributes ?? {};
    assert.equal(message.MD5OfMessageAttributes, Object.keys(found).length ? md5OfAttributes(found) : undefined);
    assert.equal(message.Attributes, undefined);
    return Object.keys(found).sort();
  };
  assert.deepEqual(await names(), []);
  assert.deepEqual(await names(['other', 'missing']), ['other']);
  assert.deepEqual(await names(['app.*']), ['app.one', 'app.two']);
  assert.deepEqual(await names(['All']), ['app.one', 'app.two', 'other']);
});

test('a trace header is a system attribute with a checksum of its own', async () => {
  const QueueUrl = await makeQueue();
  const MessageSystemAttributes = {AWSTraceHeader: {DataType: 'String', StringValue: 'Root=1-abc'}};
  const sent = await sendMessage(QueueUrl, 'x', {MessageSystemAttributes});
  assert.equal(sent.MD5OfMessageSystemAttributes, md5OfAttributes(MessageSystemAttributes));
  const [message] = await receive(QueueUrl, {MessageSystemAttributeNames: ['AWSTraceHeader']});
  assert.deepEqual(message.Attributes, {AWSTraceHeader: 'Root=1-abc'});
});

test('what is received is invisible until its time-out, or until that is changed', async () => {
  const QueueUrl = await makeQueue();
  await sendMessage(QueueUrl, 'x');
  const [first] = await receive(QueueUrl);
  assert.deepEqual(await receive(QueueUrl), []);
  assert.equal((await attributes(QueueUrl)).ApproximateNumberOfMessagesNotVisible, '1');
  await send(
    new sqs.ChangeMessageVisibilityCommand({QueueUrl, ReceiptHandle: first.ReceiptHandle, VisibilityTimeout: 0}),
  );
  const [second] = await receive(QueueUrl, {MessageSystemAttributeNames: ['ApproximateReceiveCount']});
  assert.equal(second.Attributes.ApproximateReceiveCount, '2');
  assert.notEqual(second.ReceiptHandle, first.ReceiptHandle);
  await remove(QueueUrl, second);
  // A second time is no error.
  await remove(QueueUrl, second);
  assert.equal((await attributes(QueueUrl)).ApproximateNumberOfMessagesNotVisible, '0');
});

test('a message comes back by itself when its time-out has passed', async () => {
  const QueueUrl = await makeQueue();
  await sendMessage(QueueUrl, 'x');
  const before = Date.now();
  const [first] = await receive(QueueUrl, {VisibilityTimeout: 1});
  const [second] = await receive(QueueUrl, {WaitTimeSeconds: 20});
  assert.equal(second.MessageId, first.MessageId);
  assert.ok(Date.now() - before >= 990, `after ${Date.now() - before} ms`);
});

test('a delayed message arrives when it is due, to whom waits for it', async () => {
  const QueueUrl = await makeQueue({DelaySeconds: '900'});
  const before = Date.now();
  await sendMessage(QueueUrl, 'late', {DelaySeconds: 1});
  await sendMessage(QueueUrl, 'later');
  assert.equal((await attributes(QueueUrl)).ApproximateNumberOfMessagesDelayed, '2');
  assert.deepEqual(await receive(QueueUrl), []);
  const [message] = await receive(QueueUrl, {WaitTimeSeconds: 20});
  assert.equal(message.Body, 'late');
  assert.ok(Date.now() - before >= 990, `after ${Date.now() - before} ms`);
});

test('a long poll is answered when a message comes, and others are not held up by it', async () => {
  const QueueUrl = await makeQueue();
  const waiting = Array.from({length: 30}, () => {
    // As many connections as there are polls.
    const client = cloud.client(sqs.SQSClient);
    return client.send(new sqs.ReceiveMessageCommand({QueueUrl, WaitTimeSeconds: 20}));
  });
  for (let i = 0; i < waiting.length; ++i) await sendMessage(QueueUrl, `${i}`);
  const received = await Promise.all(waiting);
  const bodies = received.flatMap(({Messages}) => (Messages ?? []).map(({Body}) => Body));
  assert.deepEqual(
    bodies.sort((a, b) => a - b),
    waiting.map((_, i) => `${i}`),
  );
});

test('a long poll without messages ends with nothing', async () => {
  const QueueUrl = await makeQueue({ReceiveMessageWaitTimeSeconds: '1'});
  const before = Date.now();
  assert.deepEqual(await receive(QueueUrl), []);
  assert.ok(Date.now() - before >= 990, `after ${Date.now() - before} ms`);
});

test('at most as many messages come as are asked for', async () => {
  const QueueUrl = await makeQueue();
  for (let i = 0; i < 12; ++i) await sendMessage(QueueUrl, `${i}`);
  assert.equal((await receive(QueueUrl)).length, 1);
  assert.equal((await receive(QueueUrl, {MaxNumberOfMessages: 10})).length, 10);
  assert.equal((await receive(QueueUrl, {MaxNumberOfMessages: 10})).length, 1);
  for (const MaxNumberOfMessages of [0, 11]) {
    await refused(
      receive(QueueUrl, {MaxNumberOfMessages}),
      'InvalidParameterValue',
      `Value ${MaxNumberOfMessages} for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.`,
    );
  }
  await refused(
    receive(QueueUrl, {WaitTimeSeconds: 21}),
    'InvalidParameterValue',
    'Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.',
  );
});

test('messages have limits', async () => {
  const QueueUrl = await makeQueue({MaximumMessageSize: '1024'});
  await sendMessage(QueueUrl, 'x'.repeat(1024));
  await refused(
    sendMessage(QueueUrl, 'x'.repeat(1025)),
    'InvalidParameterValue',
    'One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.',
  );
  await refused(sendMessage(QueueUrl, 'a\u0000b'), 'InvalidMessageContents');
  await refused(
    sendMessage(QueueUrl, 'x', {DelaySeconds: 901}),
    'InvalidParameterValue',
    'Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.',
  );
  await refused(
    sendMessage(QueueUrl, 'x', {MessageAttributes: {a: {DataType: 'Nonsense', StringValue: 'b'}}}),
    'InvalidParameterValue',
    /^The type of message \(user\) attribute 'a' is invalid\./,
  );
});

test('a receipt handle must be one', async () => {
  const QueueUrl = await makeQueue();
  await refused(remove(QueueUrl, {ReceiptHandle: 'nonsense'}), 'ReceiptHandleIsInvalid', /receipt handle/);
  await refused(
    send(new sqs.ChangeMessageVisibilityCommand({QueueUrl, ReceiptHandle: 'nonsense', VisibilityTimeout: 0})),
    'ReceiptHandleIsInvalid',
  );
});

test('the SDK notices a damaged body', async () => {
  // That it looks at the checksums at all: with another body than was announced, it must complain.
  const QueueUrl = await makeQueue();
  const client = cloud.client(sqs.SQSClient);
  client.middlewareStack.add(
    (next) => (args) => {
      args.request.body = args.request.body.replace('original', 'tampered');
      return next(args);
    },
    {step: 'build', priority: 'low'},
  );
  await assert.rejects(
    client.send(new sqs.SendMessageCommand({QueueUrl, MessageBody: 'original'})),
    /MD5|checksum/i,
  );
});
