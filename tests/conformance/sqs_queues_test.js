// Queues: making, finding, describing, tagging, purging, deleting.
'use strict';

const assert = require('node:assert/strict');
const {test} = require('node:test');
const sqs = require('@aws-sdk/client-sqs');
const {cloud, refused, freshName} = require('./cloud');
const {makeQueue, arnOf, sendMessage, receive, attributes} = require('./queues');

const send = (command) => cloud.sqs.send(command);

test('a queue has a URL at the local cloud, by which it is found again', async () => {
  const QueueName = freshName('found');
  const {QueueUrl} = await send(new sqs.CreateQueueCommand({QueueName}));
  assert.equal(QueueUrl, `${cloud.url}/000000000000/${QueueName}`);
  assert.equal((await send(new sqs.GetQueueUrlCommand({QueueName}))).QueueUrl, QueueUrl);
  await refused(
    send(new sqs.GetQueueUrlCommand({QueueName: 'none'})),
    'QueueDoesNotExist',
    /^The specified queue does not exist/,
  );
});

test('a queue begins with the attributes of AWS', async () => {
  const QueueUrl = await makeQueue();
  const all = await attributes(QueueUrl);
  const expected = {
    QueueArn: arnOf(QueueUrl),
    VisibilityTimeout: '30',
    MessageRetentionPeriod: '345600',
    DelaySeconds: '0',
    ReceiveMessageWaitTimeSeconds: '0',
    ApproximateNumberOfMessages: '0',
    ApproximateNumberOfMessagesNotVisible: '0',
    ApproximateNumberOfMessagesDelayed: '0',
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(all[name], value, name);
  assert.match(all.CreatedTimestamp, /^\d{10}$/);
  assert.match(all.LastModifiedTimestamp, /^\d{10}$/);
  assert.deepEqual(await attributes(QueueUrl, 'DelaySeconds'), {DelaySeconds: '0'});
  await refused(
    attributes(QueueUrl, 'Nonsense'),
    'InvalidAttributeName',
    'Unknown Attribute Nonsense.',
  );
});

test('making a queue again is harmless, unless it would differ', async () => {
  const QueueName = freshName('again');
  const make = (Attributes) => send(new sqs.CreateQueueCommand({QueueName, Attributes}));
  const first = await make({VisibilityTimeout: '7'});
  assert.equal((await make({VisibilityTimeout: '7'})).QueueUrl, first.QueueUrl);
  await refused(
    make({VisibilityTimeout: '8'}),
    'QueueNameExists',
    'A queue already exists with the same name and a different value for attribute VisibilityTimeout',
  );
});

test('attributes are set, and checked', async () => {
  const QueueUrl = await makeQueue();
  const set = (Attributes) => send(new sqs.SetQueueAttributesCommand({QueueUrl, Attributes}));
  await set({VisibilityTimeout: '0', DelaySeconds: '900', MaximumMessageSize: '1024'});
  const all = await attributes(QueueUrl);
  assert.equal(all.VisibilityTimeout, '0');
  assert.equal(all.DelaySeconds, '900');
  const wrong = {
    VisibilityTimeout: '43201',
    DelaySeconds: '901',
    MessageRetentionPeriod: '59',
    ReceiveMessageWaitTimeSeconds: '21',
    MaximumMessageSize: '1023',
  };
  for (const [name, value] of Object.entries(wrong)) {
    await refused(set({[name]: value}), 'InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
  }
  await refused(set({Nonsense: '1'}), 'InvalidAttributeName', 'Unknown Attribute Nonsense.');
});

test('names of queues have rules', async () => {
  for (const QueueName of ['a b', 'a/b', 'x'.repeat(81)]) {
    const error = await refused(
      send(new sqs.CreateQueueCommand({QueueName})),
      'InvalidParameterValue',
    ).catch((reason) => {
      throw new Error(`${JSON.stringify(QueueName)}: ${reason.message}`);
    });
    assert.match(error.message, /1 to 80 in length/);
  }
});

test('AddPermission writes into the policy, and RemovePermission out of it', async () => {
  const QueueUrl = await makeQueue();
  const permission = {QueueUrl, Label: 'one', AWSAccountIds: ['111111111111'], Actions: ['SendMessage']};
  await send(new sqs.AddPermissionCommand(permission));
  const {Statement} = JSON.parse((await attributes(QueueUrl, 'Policy')).Policy);
  assert.equal(Statement[0].Sid, 'one');
  assert.equal(Statement[0].Action, 'SQS:SendMessage');
  await refused(
    send(new sqs.AddPermissionCommand(permission)),
    'InvalidParameterValue',
    'Value one for parameter Label is invalid. Reason: Already exists.',
  );
  await send(new sqs.RemovePermissionCommand({QueueUrl, Label: 'one'}));
  assert.equal(await attributes(QueueUrl, 'Policy'), undefined);
});

test('ListQueues filters by prefix and comes in pages', async () => {
  const prefix = freshName('listed-');
  for (let i = 0; i < 5; ++i) await send(new sqs.CreateQueueCommand({QueueName: `${prefix}-${i}`}));
  const {QueueUrls} = await send(new sqs.ListQueuesCommand({QueueNamePrefix: `${prefix}-`}));
  assert.deepEqual(QueueUrls.map((url) => url.split('-').pop()).sort(), ['0', '1', '2', '3', '4']);
  const paged = [];
  for await (const page of sqs.paginateListQueues(
    {client: cloud.sqs, pageSize: 2},
    {QueueNamePrefix: `${prefix}-`},
  )) {
    const urls = page.QueueUrls ?? [];
    assert.ok(urls.length <= 2);
    paged.push(...urls);
  }
  assert.deepEqual(paged.sort(), QueueUrls.sort());
  assert.equal((await send(new sqs.ListQueuesCommand({QueueNamePrefix: 'none-of-this'}))).QueueUrls?.length ?? 0, 0);
});

test('tags', async () => {
  const QueueUrl = await makeQueue({}, {tags: {stage: 'test'}});
  await send(new sqs.TagQueueCommand({QueueUrl, Tags: {owner: 'me', empty: ''}}));
  await send(new sqs.UntagQueueCommand({QueueUrl, TagKeys: ['stage', 'none']}));
  assert.deepEqual((await send(new sqs.ListQueueTagsCommand({QueueUrl}))).Tags, {owner: 'me', empty: ''});
});

test('PurgeQueue empties a queue, once a minute', async () => {
  const QueueUrl = await makeQueue();
  for (let i = 0; i < 3; ++i) await sendMessage(QueueUrl, `${i}`);
  await receive(QueueUrl);
  await send(new sqs.PurgeQueueCommand({QueueUrl}));
  assert.deepEqual(await receive(QueueUrl), []);
  assert.equal((await attributes(QueueUrl)).ApproximateNumberOfMessagesNotVisible, '0');
  await refused(
    send(new sqs.PurgeQueueCommand({QueueUrl})),
    'PurgeQueueInProgress',
    /^Only one PurgeQueue operation on .* is allowed every 60 seconds\.$/,
  );
});

test('a deleted queue is gone', async () => {
  const QueueUrl = await makeQueue();
  await sendMessage(QueueUrl, 'lost');
  await send(new sqs.DeleteQueueCommand({QueueUrl}));
  await refused(sendMessage(QueueUrl, 'x'), 'QueueDoesNotExist', /^The specified queue does not exist/);
  await refused(send(new sqs.DeleteQueueCommand({QueueUrl})), 'QueueDoesNotExist');
});
