// Kills the cloud with SIGKILL while executions run: every execution that was acknowledged comes to its end, each of its
// tasks is in its history once, and a rule of EventBridge hears of its start and its end.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const test = require('node:test');
const {spawn} = require('node:child_process');
const sfn = require('@aws-sdk/client-sfn');
const {DynamoDBClient, ScanCommand} = require('@aws-sdk/client-dynamodb');
const {EventBridgeClient, PutRuleCommand, PutTargetsCommand} = require('@aws-sdk/client-eventbridge');
const {GetQueueUrlCommand, ReceiveMessageCommand, SQSClient} = require('@aws-sdk/client-sqs');

const [program, template, zip] = process.argv.slice(2);
const data = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? '/tmp', 'kill-'));
const options = (endpoint) => ({
  endpoint, region: 'us-east-1', credentials: {accessKeyId: 'test', secretAccessKey: 'test'}, maxAttempts: 1});
const WAIT_SECONDS = 3600;
// So many executions are acknowledged before each kill.
const ROUNDS = [1, 7, 20, 33, 12];
const STEPS = ['A', 'B', 'C'];

async function startCloud() {
  const child = spawn(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`, `--data=${data}`], {
    stdio: ['pipe', 'pipe', 'inherit'], env: {}});
  process.on('exit', () => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({code, signal})));
  const lines = readline.createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const {value: endpoint} = await lines.next();
  assert.ok(endpoint, 'the cloud has ended before it listened');
  return {
    ended,
    states: new sfn.SFNClient(options(endpoint)),
    dynamodb: new DynamoDBClient(options(endpoint)),
    events: new EventBridgeClient(options(endpoint)),
    sqs: new SQSClient(options(endpoint)),
    kill: () => child.kill('SIGKILL'),
    stop: () => child.stdin.end(),
    async run(seconds) {
      child.stdin.write(`run ${seconds}\n`);
      assert.equal((await lines.next()).value, 'ran');
    },
  };
}

/** Three tasks with a wait before the last. Each counts itself in the table, under the execution's name and its own. */
function definition() {
  const count = (name, next) => ({
    Type: 'Task',
    Resource: 'arn:aws:states:::dynamodb:updateItem',
    Parameters: {
      TableName: 'things',
      Key: {id: {'S.$': `States.Format('{}-${name}', $$.Execution.Name)`}},
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: {':one': {N: '1'}},
    },
    ResultPath: null,
    ...(next ? {Next: next} : {End: true}),
  });
  return JSON.stringify({StartAt: 'A', States: {
    A: count('A', 'B'), B: count('B', 'W'), W: {Type: 'Wait', Seconds: WAIT_SECONDS, Next: 'C'}, C: count('C')}});
}

/** Sends the status changes of the state machine to the queue, as "NAME STATUS". */
async function watch(cloud, stateMachineArn) {
  await cloud.events.send(new PutRuleCommand({Name: 'changes', EventPattern: JSON.stringify({
    source: ['aws.states'], detail: {stateMachineArn: [stateMachineArn]}})}));
  await cloud.events.send(new PutTargetsCommand({Rule: 'changes', Targets: [{
    Id: 'letters',
    Arn: 'arn:aws:sqs:us-east-1:000000000000:letters',
    InputTransformer: {
      InputPathsMap: {name: '$.detail.name', status: '$.detail.status'}, InputTemplate: '"<name> <status>"'},
  }]}));
}

/** All that is in the queue. */
async function letters(cloud) {
  const {QueueUrl} = await cloud.sqs.send(new GetQueueUrlCommand({QueueName: 'letters'}));
  const bodies = new Set();
  for (;;) {
    const {Messages} = await cloud.sqs.send(new ReceiveMessageCommand({QueueUrl, MaxNumberOfMessages: 10}));
    if (!Messages) return bodies;
    for (const {Body} of Messages) bodies.add(JSON.parse(Body));
  }
}

test('a killed cloud goes on with every execution where it was', async () => {
  let cloud = await startCloud();
  const {stateMachineArn} = await cloud.states.send(new sfn.CreateStateMachineCommand({
    name: 'killed', roleArn: 'arn:aws:iam::000000000000:role/machines', definition: definition()}));
  await watch(cloud, stateMachineArn);
  const acknowledged = [];
  for (const [round, count] of ROUNDS.entries()) {
    let left = count;
    // Some are under way when the cloud is killed: they may have been started or not.
    await Promise.all(Array.from({length: count + 8}, async (_, i) => {
      try {
        const {executionArn} = await cloud.states.send(new sfn.StartExecutionCommand({
          stateMachineArn, name: `r${round}-${i}`, input: JSON.stringify({round, i})}));
        acknowledged.push({executionArn, input: JSON.stringify({round, i})});
      } catch (error) {
        assert.ok(left <= 0, error);
      }
      if (--left === 0) cloud.kill();
    }));
    assert.equal((await cloud.ended).signal, 'SIGKILL');
    cloud = await startCloud();
  }
  await cloud.run(WAIT_SECONDS * 2);
  const heard = await letters(cloud);
  const counts = new Map();
  let ExclusiveStartKey;
  do {
    const page = await cloud.dynamodb.send(new ScanCommand({TableName: 'things', ExclusiveStartKey}));
    for (const {id, n} of page.Items) counts.set(id.S, Number(n.N));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  assert.ok(acknowledged.length >= ROUNDS.reduce((a, b) => a + b));
  for (const {executionArn, input} of acknowledged) {
    const execution = await cloud.states.send(new sfn.DescribeExecutionCommand({executionArn}));
    assert.equal(execution.status, 'SUCCEEDED', execution.cause);
    assert.equal(execution.output, input);
    for (const status of ['RUNNING', 'SUCCEEDED']) {
      assert.ok(heard.has(`${execution.name} ${status}`), `no event says that ${execution.name} is ${status}`);
    }
    const {events} = await cloud.states.send(new sfn.GetExecutionHistoryCommand({executionArn}));
    assert.equal(events.filter(({type}) => type === 'TaskSucceeded').length, STEPS.length);
    for (const step of STEPS) {
      const times = counts.get(`${execution.name}-${step}`);
      // A task whose result was not recorded before a kill runs again. The last one came after all kills.
      const most = step === 'C' ? 1 : 1 + ROUNDS.length;
      assert.ok(times >= 1 && times <= most, `${execution.name}-${step}: ${times} times`);
    }
  }
  for (const client of [cloud.states, cloud.dynamodb, cloud.events, cloud.sqs]) client.destroy();
  cloud.stop();
  assert.deepEqual(await cloud.ended, {code: 0, signal: null});
});
