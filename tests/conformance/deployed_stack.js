// The scheduler's whole stack, as `byoshin up` deploys it from its own template and zips, and clients of the AWS SDK
// that look at it.
//
//   const {stack, physicalId} = require('./deployed_stack');
//   test('...', async () => {
//     await stack.sqs.send(new GetQueueAttributesCommand({QueueUrl: physicalId('SchedulingQueue'), ...}));
//   });
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const {before, after} = require('node:test');
const {startServe, CREDENTIALS, REGION} = require('./serve');

const {APIGatewayClient} = require('@aws-sdk/client-api-gateway');
const {CloudFormationClient, ListStackResourcesCommand} = require('@aws-sdk/client-cloudformation');
const {CloudWatchLogsClient} = require('@aws-sdk/client-cloudwatch-logs');
const {DynamoDBClient} = require('@aws-sdk/client-dynamodb');
const {DisableRuleCommand, EventBridgeClient} = require('@aws-sdk/client-eventbridge');
const {IAMClient} = require('@aws-sdk/client-iam');
const {LambdaClient} = require('@aws-sdk/client-lambda');
const {SQSClient} = require('@aws-sdk/client-sqs');
const {STSClient} = require('@aws-sdk/client-sts');

// Of a stack on a busy machine, under a sanitizer too.
const GUARD_MS = 240_000;
const STACK_NAME = 'byoshin';
const ACCOUNT = '000000000000';
const CLIENTS = {
  apigateway: APIGatewayClient,
  cloudformation: CloudFormationClient,
  dynamodb: DynamoDBClient,
  events: EventBridgeClient,
  iam: IAMClient,
  lambda: LambdaClient,
  logs: CloudWatchLogsClient,
  sqs: SQSClient,
  sts: STSClient,
};

const [program, templatePath] = process.argv.slice(2);
const template = JSON.parse(fs.readFileSync(templatePath, 'utf8'));
// An API behind a key has nothing that only an open one has.
const resources = Object.fromEntries(
  Object.entries(template.Resources).filter(([, {Condition}]) => Condition !== 'HasOpenMockApi'));
const stack = {template, resources};
const physicalIds = {};
let serve;

/** What CloudFormation calls the resource that the template calls `logicalId`. */
function physicalId(logicalId) {
  assert.ok(physicalIds[logicalId], `the stack has no resource ${logicalId}`);
  return physicalIds[logicalId];
}

/** The properties of a resource as the template has them, functions and all. */
const declared = (logicalId) => template.Resources[logicalId].Properties;

const arnOf = (service, resource) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

before(async () => {
  // All that the template can have is deployed: the API behind a key, and alarms that are sent to somebody.
  serve = await startServe(program, [
    '--api-port=0',
    `--data=${path.join(process.env.TEST_TMPDIR, 'data')}`,
    '--parameter=MockApiAccess=key',
    '--parameter=AlarmEmail=nobody@example.com',
    '--parameter=LogRetentionDays=14',
  ], {command: ['up'], guardMs: GUARD_MS});
  stack.url = serve.url;
  for (const [name, Client] of Object.entries(CLIENTS)) {
    stack[name] = new Client({endpoint: serve.url, region: REGION, credentials: CREDENTIALS, maxAttempts: 1});
  }
  const listed = await stack.cloudformation.send(new ListStackResourcesCommand({StackName: STACK_NAME}));
  for (const resource of listed.StackResourceSummaries) {
    physicalIds[resource.LogicalResourceId] = resource.PhysicalResourceId;
  }
  // So that no more messages come than the tests send.
  await stack.events.send(new DisableRuleCommand({Name: physicalId('ScheduleRule')}));
});

after(async () => {
  for (const name of Object.keys(CLIENTS)) stack[name].destroy();
  const {code, signal} = await serve.stop();
  assert.deepEqual({code, signal}, {code: 0, signal: null}, serve.output.join('\n'));
});

/** Asks until the answer is one that `wanted` likes; Bazel's time limit ends it if none is. */
async function eventually(ask, wanted) {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The promise must be rejected with an error of this name and message. */
async function refused(promise, name, message) {
  const error = await promise.then(() => assert.fail(`accepted; expected ${name}`), (reason) => reason);
  assert.equal(error.name, name, `${error.name}: ${error.message}`);
  assert.match(error.message, message);
}

module.exports = {stack, physicalId, declared, arnOf, eventually, refused, STACK_NAME, ACCOUNT, REGION};
