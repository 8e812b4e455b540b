// EventBridge's patterns, Step Functions' status changes and custom resources, as `byoshin up` deploys them from a
// template, seen by the AWS SDK. Arguments: byoshin, the template, and the zip of the custom resource's function.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const {after, before, test} = require('node:test');
const {spawnSync} = require('node:child_process');
const {startServe, CREDENTIALS, REGION} = require('./serve');

const {CloudFormationClient, DescribeStacksCommand} = require('@aws-sdk/client-cloudformation');
const {CloudWatchLogsClient, FilterLogEventsCommand} = require('@aws-sdk/client-cloudwatch-logs');
const events = require('@aws-sdk/client-eventbridge');
const {SFNClient, StartExecutionCommand} = require('@aws-sdk/client-sfn');
const {DeleteMessageCommand, GetQueueAttributesCommand, GetQueueUrlCommand, ReceiveMessageCommand, SQSClient} =
  require('@aws-sdk/client-sqs');

const [program, templatePath, zip] = process.argv.slice(2);
const GUARD_MS = 120_000;
const QUEUE_ARN = `arn:aws:sqs:${REGION}:000000000000:changes`;
const template = JSON.parse(fs.readFileSync(templatePath, 'utf8'));
const folder = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? '/tmp', 'events-'));
let serve;
let clients;
let QueueUrl;

/** The flags of `up` for the template as `change` leaves it. */
function flagsFor(change = () => {}) {
  const changed = structuredClone(template);
  change(changed);
  const file = path.join(folder, 'template.json');
  fs.writeFileSync(file, JSON.stringify(changed));
  return ['--api-port=0', `--data=${path.join(folder, 'data')}`, `--template=${file}`, `--zips=${path.dirname(zip)}`];
}

async function start(change) {
  serve = await startServe(program, flagsFor(change), {command: ['up'], guardMs: GUARD_MS});
  const options = {endpoint: serve.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1};
  clients = {
    cloudformation: new CloudFormationClient(options),
    events: new events.EventBridgeClient(options),
    logs: new CloudWatchLogsClient(options),
    sfn: new SFNClient(options),
    sqs: new SQSClient(options),
  };
  ({QueueUrl} = await clients.sqs.send(new GetQueueUrlCommand({QueueName: 'changes'})));
}

async function stop() {
  for (const client of Object.values(clients)) client.destroy();
  const {code, signal} = await serve.stop();
  assert.deepEqual({code, signal}, {code: 0, signal: null}, serve.output.join('\n'));
}

before(() => start());
after(stop);

/** The next message of the queue, as JSON. */
async function receive() {
  for (;;) {
    const {Messages} = await clients.sqs.send(new ReceiveMessageCommand({QueueUrl, WaitTimeSeconds: 20}));
    if (!Messages) continue;
    await clients.sqs.send(new DeleteMessageCommand({QueueUrl, ReceiptHandle: Messages[0].ReceiptHandle}));
    return JSON.parse(Messages[0].Body);
  }
}

async function outputs() {
  const {Stacks} = await clients.cloudformation.send(new DescribeStacksCommand({}));
  return Object.fromEntries(Stacks[0].Outputs.map(({OutputKey, OutputValue}) => [OutputKey, OutputValue]));
}

/** What CloudFormation has asked the custom resource's function for, so far. */
async function requests() {
  const {events: lines} = await clients.logs.send(
    new FilterLogEventsCommand({logGroupName: '/aws/lambda/thing', filterPattern: 'requestId'}));
  return lines.map(({message}) => JSON.parse(message).message);
}

const refused = (promise, name) => assert.rejects(promise, {name});

test('a rule sees that an execution has failed', async () => {
  const stateMachineArn = `arn:aws:states:${REGION}:000000000000:stateMachine:failing`;
  await clients.sfn.send(new StartExecutionCommand({stateMachineArn, name: 'first', input: '{"a":1}'}));
  assert.deepEqual(await receive(), {text: 'first is FAILED', error: 'Trouble'});
});

test('a rule of the API gets the events that match', async () => {
  const EventPattern = JSON.stringify({source: [{prefix: 'shop'}], detail: {total: [{numeric: ['>', 100]}]}});
  const {RuleArn} = await clients.events.send(new events.PutRuleCommand({Name: 'orders', EventPattern}));
  assert.equal(RuleArn, `arn:aws:events:${REGION}:000000000000:rule/orders`);
  const put = await clients.events.send(
    new events.PutTargetsCommand({Rule: 'orders', Targets: [{Id: 'q', Arn: QUEUE_ARN, InputPath: '$.detail'}]}));
  assert.equal(put.FailedEntryCount, 0);
  const entry = (total) => ({Source: 'shop.orders', DetailType: 'Order', Detail: JSON.stringify({total})});
  const sent = await clients.events.send(
    new events.PutEventsCommand({Entries: [entry(5), entry(101), {...entry(200), Source: 'bank'}]}));
  assert.equal(sent.FailedEntryCount, 0);
  assert.equal(sent.Entries.length, 3);
  assert.deepEqual(await receive(), {total: 101});

  const rule = await clients.events.send(new events.DescribeRuleCommand({Name: 'orders'}));
  assert.equal(rule.EventPattern, EventPattern);
  const {Targets} = await clients.events.send(new events.ListTargetsByRuleCommand({Rule: 'orders'}));
  assert.deepEqual(Targets.map(({Id, Arn, InputPath}) => ({Id, Arn, InputPath})),
    [{Id: 'q', Arn: QUEUE_ARN, InputPath: '$.detail'}]);
  await refused(clients.events.send(new events.DeleteRuleCommand({Name: 'orders'})), 'ValidationException');
  await clients.events.send(new events.RemoveTargetsCommand({Rule: 'orders', Ids: ['q']}));
  await clients.events.send(new events.DeleteRuleCommand({Name: 'orders'}));
  await refused(clients.events.send(new events.DescribeRuleCommand({Name: 'orders'})), 'ResourceNotFoundException');
});

test('a rule sends to a FIFO queue, in the group of its target', async () => {
  const {QueueUrl: url} = await clients.sqs.send(new GetQueueUrlCommand({QueueName: 'ordered.fifo'}));
  const put = (step) => clients.events.send(
    new events.PutEventsCommand({Entries: [{Source: 'steps', DetailType: 'Step', Detail: JSON.stringify({step})}]}));
  for (const step of [1, 1]) await put(step);
  const next = async () => (await clients.sqs.send(new ReceiveMessageCommand(
    {QueueUrl: url, WaitTimeSeconds: 20, MessageSystemAttributeNames: ['All']}))).Messages?.[0] ?? next();
  const message = await next();
  assert.deepEqual(JSON.parse(message.Body), {step: 1});
  assert.equal(message.Attributes.MessageGroupId, 'all');
  await clients.sqs.send(new DeleteMessageCommand({QueueUrl: url, ReceiptHandle: message.ReceiptHandle}));
  await put(2); // the second of the equal events is a duplicate
  assert.deepEqual(JSON.parse((await next()).Body), {step: 2});

  await clients.events.send(new events.PutRuleCommand({Name: 'fifo', EventPattern: '{"source":["steps"]}'}));
  const Arn = `arn:aws:sqs:${REGION}:000000000000:ordered.fifo`;
  await assert.rejects(
    clients.events.send(new events.PutTargetsCommand({Rule: 'fifo', Targets: [{Id: 'q', Arn}]})),
    {name: 'ValidationException', message: 'Parameter(s) SqsParameters must be specified for target: q.'});
  await clients.events.send(new events.DeleteRuleCommand({Name: 'fifo'}));
});

test('patterns are tested, and bad ones refused', async () => {
  const Event = JSON.stringify({id: '1', account: '1', source: 'shop', time: '2026-01-01T00:00:00Z', region: REGION,
    resources: [], 'detail-type': 'T', detail: {name: 'a.png', ip: '10.0.0.7'}});
  const matches = async (pattern) => (await clients.events.send(
    new events.TestEventPatternCommand({EventPattern: JSON.stringify(pattern), Event}))).Result;
  assert.equal(await matches({detail: {name: [{suffix: '.png'}]}}), true);
  assert.equal(await matches({detail: {name: [{'anything-but': {wildcard: '*.png'}}]}}), false);
  assert.equal(await matches({detail: {$or: [{ip: [{cidr: '10.0.0.0/24'}]}, {name: ['b']}]}}), true);
  assert.equal(await matches({detail: {other: [{exists: false}]}}), true);
  await refused(matches({detail: {name: [{unheard: 1}]}}), 'InvalidEventPatternException');
  await refused(clients.events.send(new events.PutRuleCommand({Name: 'r', EventPattern: '{}'})),
    'InvalidEventPatternException');
  await refused(clients.events.send(
    new events.PutRuleCommand({Name: 'r', ScheduleExpression: 'rate(1 day)', EventBusName: 'mine'})),
  'ResourceNotFoundException');
});

test('rules of a stack are left to its template', async () => {
  const {Rules} = await clients.events.send(new events.ListRulesCommand({}));
  const rule = Rules.find(({Name}) => Name.includes('FailureRule'));
  assert.deepEqual(JSON.parse(rule.EventPattern).source, ['aws.states']);
  await refused(clients.events.send(new events.DeleteRuleCommand({Name: rule.Name})), 'ManagedRuleException');
});

test('a custom resource is created, replaced, and left as it was by a failed update', async () => {
  assert.deepEqual(await outputs(), {Thing: 'thing-1', Version: '1'});
  assert.deepEqual(await requests(), ['Create ']);

  await stop();
  await start(({Resources}) => (Resources.Thing.Properties.Version = 2));
  assert.deepEqual(await outputs(), {Thing: 'thing-2', Version: '2'});
  assert.deepEqual((await requests()).slice(-2), ['Update thing-1', 'Delete thing-1']);

  await stop();
  const broken = spawnSync(program, ['up', '--port=0', ...flagsFor(({Resources}) => {
    Object.assign(Resources.Thing.Properties, {Version: 3, Broken: true});
  })], {encoding: 'utf8', env: {}});
  assert.notEqual(broken.status, 0);
  assert.match(broken.stderr + broken.stdout,
    /Received response status \[FAILED\] from custom resource\. Message returned: it is broken/);

  await start(({Resources}) => (Resources.Thing.Properties.Version = 2));
  assert.deepEqual(await outputs(), {Thing: 'thing-2', Version: '2'});
  const {Attributes} = await clients.sqs.send(
    new GetQueueAttributesCommand({QueueUrl, AttributeNames: ['ApproximateNumberOfMessages']}));
  assert.equal(Attributes.ApproximateNumberOfMessages, '0');
});
