// Policies of resources that clients set with the AWS SDK bind all callers of a cloud that `byoshin up` runs: rules,
// roles and the account. Arguments: byoshin and the template.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const {after, before, test} = require('node:test');
const {startServe, CREDENTIALS, REGION} = require('./serve');

const events = require('@aws-sdk/client-eventbridge');
const secrets = require('@aws-sdk/client-secrets-manager');
const {SFNClient, StartSyncExecutionCommand} = require('@aws-sdk/client-sfn');
const sqs = require('@aws-sdk/client-sqs');

const [program, template] = process.argv.slice(2);
const GUARD_MS = 120_000;
const ROLE = 'arn:aws:iam::000000000000:role/sender';
const MACHINE = `arn:aws:states:${REGION}:000000000000:stateMachine:sender`;
const FLAGS = ['--api-port=0', `--data=${path.join(process.env.TEST_TMPDIR, 'data')}`, `--template=${template}`];
let serve;
let clients;

async function start() {
  serve = await startServe(program, FLAGS, {command: ['up'], guardMs: GUARD_MS});
  const options = {
    endpoint: serve.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1, disableHostPrefix: true,
  };
  clients = {
    events: new events.EventBridgeClient(options),
    secrets: new secrets.SecretsManagerClient(options),
    sfn: new SFNClient(options),
    sqs: new sqs.SQSClient(options),
  };
}

async function stop() {
  for (const client of Object.values(clients)) client.destroy();
  const {code, signal} = await serve.stop();
  assert.deepEqual({code, signal}, {code: 0, signal: null}, serve.output.join('\n'));
}

before(start);
after(stop);

const arnOf = (name) => `arn:aws:sqs:${REGION}:000000000000:${name}`;
const urlOf = (name) => `${serve.url}/000000000000/${name}`;
const statement = (Effect, Principal, Action) => ({Effect, Principal, Action, Resource: '*'});
const policyOf = (...Statement) => JSON.stringify({Version: '2012-10-17', Statement});
const ALLOW_EVENTS = policyOf(statement('Allow', {Service: 'events.amazonaws.com'}, 'sqs:SendMessage'));
const DENY_EVERYBODY = policyOf(statement('Deny', '*', 'sqs:*'));

const create = (QueueName, Policy) =>
  clients.sqs.send(new sqs.CreateQueueCommand({QueueName, Attributes: Policy && {Policy}}));
const setPolicy = (name, Policy) =>
  clients.sqs.send(new sqs.SetQueueAttributesCommand({QueueUrl: urlOf(name), Attributes: {Policy}}));
const policyAttribute = async (name) => (await clients.sqs.send(
  new sqs.GetQueueAttributesCommand({QueueUrl: urlOf(name), AttributeNames: ['Policy']}))).Attributes?.Policy;

/** The body of the next message, and the error of a dead letter. */
async function receive(name) {
  for (;;) {
    const {Messages} = await clients.sqs.send(new sqs.ReceiveMessageCommand(
      {QueueUrl: urlOf(name), WaitTimeSeconds: 20, MessageAttributeNames: ['ERROR_CODE']}));
    if (!Messages) continue;
    const [{Body, MessageAttributes, ReceiptHandle}] = Messages;
    await clients.sqs.send(new sqs.DeleteMessageCommand({QueueUrl: urlOf(name), ReceiptHandle}));
    return {body: JSON.parse(Body), error: MessageAttributes?.ERROR_CODE.StringValue};
  }
}

/** The status of an execution whose role sends a message, and its error. */
async function send(name) {
  const {status, cause} = await clients.sfn.send(
    new StartSyncExecutionCommand({stateMachineArn: MACHINE, input: JSON.stringify(urlOf(name))}));
  return status === 'SUCCEEDED' ? status : cause;
}

/** A rule whose events go to the queue, and those that it does not take to the queue "lost". */
async function addRule(name) {
  const EventPattern = JSON.stringify({source: [name]});
  await clients.events.send(new events.PutRuleCommand({Name: name, EventPattern}));
  const target = {
    Id: 'q',
    Arn: arnOf(name),
    InputPath: '$.detail',
    RetryPolicy: {MaximumRetryAttempts: 0},
    DeadLetterConfig: {Arn: arnOf('lost')},
  };
  const {FailedEntryCount} = await clients.events.send(new events.PutTargetsCommand({Rule: name, Targets: [target]}));
  assert.equal(FailedEntryCount, 0);
}

async function putEvent(name, detail) {
  const entry = {Source: name, DetailType: 'T', Detail: JSON.stringify(detail)};
  await clients.events.send(new events.PutEventsCommand({Entries: [entry]}));
}

/** Puts an event; it must come to the queue. */
async function isDelivered(name, detail) {
  await putEvent(name, detail);
  assert.deepEqual(await receive(name), {body: detail, error: undefined});
}

/** Puts an event; it must become a dead letter, because the queue does not permit it. */
async function isLost(name, detail) {
  await putEvent(name, detail);
  assert.deepEqual(await receive('lost'), {body: detail, error: 'NO_PERMISSIONS'});
}

test('the target of a rule gets events once the API permits it', async () => {
  await create('lost', ALLOW_EVENTS);
  await create('wanted');
  await addRule('wanted');
  await isLost('wanted', {n: 1});
  await setPolicy('wanted', ALLOW_EVENTS);
  await isDelivered('wanted', {n: 2});
  // AddPermission and RemovePermission leave the other statements in force.
  const QueueUrl = urlOf('wanted');
  await clients.sqs.send(new sqs.AddPermissionCommand(
    {QueueUrl, Label: 'other', AWSAccountIds: ['111111111111'], Actions: ['SendMessage']}));
  await isDelivered('wanted', {n: 3});
  await clients.sqs.send(new sqs.RemovePermissionCommand({QueueUrl, Label: 'other'}));
  await isDelivered('wanted', {n: 4});
  await setPolicy('wanted', '');
  await isLost('wanted', {n: 5});
});

test('a policy that denies everybody binds roles and the account, which can take it back, and outlives a restart',
  async () => {
    await create('locked');
    assert.equal(await send('locked'), 'SUCCEEDED');
    await setPolicy('locked', DENY_EVERYBODY);
    const isLocked = async () => {
      assert.match(await send('locked'), /explicit deny in a resource-based policy/);
      await assert.rejects(
        clients.sqs.send(new sqs.SendMessageCommand({QueueUrl: urlOf('locked'), MessageBody: 'x'})),
        {name: 'AccessDenied', message: /:root is not authorized to perform: sqs:SendMessage/});
    };
    await isLocked();
    await stop();
    await start();
    await isLocked();
    assert.equal(await policyAttribute('locked'), DENY_EVERYBODY);
    await setPolicy('locked', '');
    assert.equal(await send('locked'), 'SUCCEEDED');
  });

test('a policy ends with its queue', async () => {
  await create('short', policyOf(statement('Deny', {AWS: ROLE}, 'sqs:SendMessage')));
  assert.match(await send('short'), /explicit deny/);
  await clients.sqs.send(new sqs.DeleteQueueCommand({QueueUrl: urlOf('short')}));
  await create('short');
  assert.equal(await send('short'), 'SUCCEEDED');
});

test("a template's policy and that of the API are the same attribute", async () => {
  await addRule('declared');
  const declared = await policyAttribute('declared');
  assert.equal(JSON.parse(declared).Statement[0].Principal.Service, 'events.amazonaws.com');
  await isDelivered('declared', {n: 1});
  await setPolicy('declared', '');
  await isLost('declared', {n: 2});
  // A deployment without changes leaves the queue as it is, as on AWS.
  await stop();
  await start();
  assert.equal(await policyAttribute('declared'), undefined);
  await isLost('declared', {n: 3});
  await setPolicy('declared', declared);
  await isDelivered('declared', {n: 4});
});

test('the policy of a secret binds the account', async () => {
  const {ARN: SecretId} = await clients.secrets.send(
    new secrets.CreateSecretCommand({Name: 'db', SecretString: 'hunter2'}));
  const read = async () => (await clients.secrets.send(new secrets.GetSecretValueCommand({SecretId}))).SecretString;
  const ResourcePolicy = policyOf(statement('Deny', '*', 'secretsmanager:GetSecretValue'));
  await clients.secrets.send(new secrets.PutResourcePolicyCommand({SecretId, ResourcePolicy}));
  await assert.rejects(read(), {name: 'AccessDeniedException'});
  await stop();
  await start();
  await assert.rejects(read(), {name: 'AccessDeniedException'});
  await clients.secrets.send(new secrets.DeleteResourcePolicyCommand({SecretId}));
  assert.equal(await read(), 'hunter2');
});
