// The AWS SDK for JavaScript drives Step Functions, on simulated time.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const path = require('node:path');
const {before, after} = require('node:test');
const sfn = require('@aws-sdk/client-sfn');
const {APIGatewayClient, GetRestApisCommand} = require('@aws-sdk/client-api-gateway');
const {CloudWatchLogsClient, FilterLogEventsCommand} = require('@aws-sdk/client-cloudwatch-logs');
const {DynamoDBClient, GetItemCommand} = require('@aws-sdk/client-dynamodb');
const {SQSClient, GetQueueUrlCommand, ReceiveMessageCommand} = require('@aws-sdk/client-sqs');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template, zip] = process.argv.slice(2);
const ROLE = 'arn:aws:iam::000000000000:role/machines';
const ARN = 'arn:aws:states:us-east-1:000000000000:';
const YEAR_SECONDS = 31_536_000;

let cloud;
let states;
let clients;

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`]);
  states = cloud.client(sfn.SFNClient, {disableHostPrefix: true});
  clients = {
    apigateway: cloud.client(APIGatewayClient),
    dynamodb: cloud.client(DynamoDBClient),
    logs: cloud.client(CloudWatchLogsClient),
    sqs: cloud.client(SQSClient),
  };
});

after(() => cloud.stop());

let machines = 0;
/** The ARN of a new state machine. */
async function create(definition, options = {}) {
  const {stateMachineArn} = await states.send(new sfn.CreateStateMachineCommand({
    name: `m${++machines}`, roleArn: ROLE, definition: JSON.stringify(definition), ...options}));
  return stateMachineArn;
}
const oneState = (state, rest = {}) => ({StartAt: 'S', States: {S: {End: true, ...state}}, ...rest});

const start = (stateMachineArn, input = {}) =>
  states.send(new sfn.StartExecutionCommand({stateMachineArn, input: JSON.stringify(input)}));
const describe = (executionArn) => states.send(new sfn.DescribeExecutionCommand({executionArn}));

/** Runs a machine of one state to its end. */
async function outcome(state, input) {
  const {executionArn} = await start(await create(oneState(state)), input);
  // Tasks don't take simulated time.
  await cloud.run(0);
  const execution = await describe(executionArn);
  assert.notEqual(execution.status, 'RUNNING');
  return {...execution, output: execution.output && JSON.parse(execution.output)};
}

test('a template makes a state machine that waits for a year, its version and its alias', async () => {
  const stateMachineArn = `${ARN}stateMachine:deployed`;
  const described = await states.send(new sfn.DescribeStateMachineCommand({stateMachineArn}));
  assert.equal(JSON.parse(described.definition).States.Greet.Result.text, 'good morning');
  assert.equal(described.loggingConfiguration.level, 'ALL');
  assert.equal(described.tracingConfiguration.enabled, true);
  const {tags} = await states.send(new sfn.ListTagsForResourceCommand({resourceArn: stateMachineArn}));
  assert.deepEqual(tags, [{key: 'made', value: 'here'}]);
  const {executionArn} = await start(`${stateMachineArn}:live`);
  assert.equal((await describe(executionArn)).status, 'RUNNING');
  await cloud.run(YEAR_SECONDS);
  const ended = await describe(executionArn);
  assert.equal(ended.status, 'SUCCEEDED');
  assert.equal(ended.output, '{"text":"good morning"}');
  assert.equal(ended.stateMachineVersionArn, `${stateMachineArn}:1`);
  assert.equal(ended.stateMachineAliasArn, `${stateMachineArn}:live`);
  assert.equal((ended.stopDate - ended.startDate) / 1000, YEAR_SECONDS);
  const {events} = await states.send(new sfn.GetExecutionHistoryCommand({executionArn, reverseOrder: true}));
  assert.equal(events[0].type, 'ExecutionSucceeded');
  assert.equal(events[0].timestamp.getTime(), ended.stopDate.getTime());
  const {events: logged} = await clients.logs.send(new FilterLogEventsCommand({
    logGroupName: '/machines', logStreamNamePrefix: 'states/deployed/'}));
  assert.deepEqual(logged.map(({message}) => JSON.parse(message).type), events.map(({type}) => type).reverse());
});

test('a rule has started a state machine every day of that year', async () => {
  const {executions} = await states.send(new sfn.ListExecutionsCommand({
    stateMachineArn: `${ARN}stateMachine:daily`, maxResults: 1000}));
  assert.equal(executions.length, 90, 'those of the last 90 days are kept');
  assert.equal((await describe(executions[0].executionArn)).input, '{"by":"rule"}');
});

test('a function is invoked by its ARN and by the integration', async () => {
  const Resource = 'arn:aws:lambda:us-east-1:000000000000:function:echo';
  assert.deepEqual((await outcome({Type: 'Task', Resource, OutputPath: '$.body'}, {x: 1})).output, '{"x":1}');
  const {output} = await outcome({
    Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Parameters: {FunctionName: 'echo', 'Payload.$': '$'}}, {y: 2});
  assert.equal(output.Payload.body, '{"y":2}');
  assert.equal(output.StatusCode, 200);
  assert.equal(output.SdkHttpMetadata.HttpStatusCode, 200);
  const missing = await outcome({
    Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Parameters: {FunctionName: 'none'}});
  assert.equal(missing.error, 'Lambda.ResourceNotFoundException');
  assert.match(missing.cause, /^Function not found: .*:function:none:\$LATEST \(Service: AWSLambda; Status Code: 404; /);
});

test('tasks send messages, put items and put events', async () => {
  const {QueueUrl} = await clients.sqs.send(new GetQueueUrlCommand({QueueName: 'letters'}));
  const sent = await outcome({
    Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Parameters: {QueueUrl, 'MessageBody.$': '$'}}, {hello: 1});
  const {Messages: [message]} = await clients.sqs.send(new ReceiveMessageCommand({QueueUrl}));
  assert.equal(message.Body, '{"hello":1}');
  assert.equal(message.MessageId, sent.output.MessageId);

  const put = (Resource) => outcome({
    Type: 'Task', Resource,
    Parameters: {TableName: 'things', Item: {id: {S: 'a'}}, ConditionExpression: 'attribute_not_exists(id)'}});
  assert.equal((await put('arn:aws:states:::dynamodb:putItem')).status, 'SUCCEEDED');
  assert.ok((await clients.dynamodb.send(new GetItemCommand({TableName: 'things', Key: {id: {S: 'a'}}}))).Item);
  const optimized = await put('arn:aws:states:::dynamodb:putItem');
  assert.equal(optimized.error, 'DynamoDB.ConditionalCheckFailedException');
  assert.match(optimized.cause,
    /^The conditional request failed \(Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ConditionalCheckFailedException; Request ID: .*; Proxy: null\)$/);
  const sdk = await put('arn:aws:states:::aws-sdk:dynamodb:putItem');
  assert.equal(sdk.error, 'DynamoDb.ConditionalCheckFailedException');
  assert.match(sdk.cause, /^The conditional request failed \(Service: DynamoDb, Status Code: 400, Request ID: .*\)$/);

  const {output: events} = await outcome({
    Type: 'Task', Resource: 'arn:aws:states:::events:putEvents',
    Parameters: {Entries: [{Source: 'test', DetailType: 'T', Detail: {a: 1}}]}});
  assert.equal(events.FailedEntryCount, 0);
  const topic = await outcome({Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Parameters: {TopicArn: 't', Message: 'm'}});
  assert.equal(topic.error, 'SNS.SdkClientException');
});

test('a task can do what its role may, and no more', async () => {
  const denied = await outcome({
    Type: 'Task', Resource: 'arn:aws:states:::dynamodb:deleteItem', Parameters: {TableName: 'things', Key: {id: {S: 'a'}}}});
  assert.equal(denied.error, 'DynamoDB.AmazonDynamoDBException');
  assert.match(denied.cause, /is not authorized to perform: dynamodb:DeleteItem on resource: /);
  const {output} = await outcome({Type: 'Task', Resource: 'arn:aws:states:::aws-sdk:sfn:listStateMachines', Parameters: {MaxResults: 1}});
  assert.equal(output.StateMachines.length, 1);
  assert.match(output.StateMachines[0].StateMachineArn, /stateMachine/);
});

test('a task starts an execution and waits for it', async () => {
  const child = await create({StartAt: 'W', States: {
    W: {Type: 'Wait', Seconds: 60, Next: 'P'}, P: {Type: 'Pass', Result: {r: 1}, End: true}}});
  const sync = (pattern) => create(oneState({
    Type: 'Task', Resource: `arn:aws:states:::states:startExecution.${pattern}`,
    Parameters: {StateMachineArn: child, Input: {'in.$': '$.x'}}}));
  const [first, second] = await Promise.all([sync('sync'), sync('sync:2')]);
  const executions = [await start(first, {x: 5}), await start(second, {x: 5})];
  await cloud.run(59);
  assert.equal((await describe(executions[0].executionArn)).status, 'RUNNING');
  await cloud.run(1);
  const [text, parsed] = await Promise.all(
    executions.map(async ({executionArn}) => JSON.parse((await describe(executionArn)).output)));
  assert.equal(text.Output, '{"r":1}');
  assert.equal(text.Input, '{"in":5}');
  assert.deepEqual(parsed.Output, {r: 1});
  assert.equal(parsed.Status, 'SUCCEEDED');
});

test('a worker does the tasks of an activity', async () => {
  const activityArn = `${ARN}activity:work`;
  const {executionArn} = await start(await create(oneState({Type: 'Task', Resource: activityArn})), {job: 1});
  const task = await states.send(new sfn.GetActivityTaskCommand({activityArn, workerName: 'w'}));
  assert.equal(task.input, '{"job":1}');
  await states.send(new sfn.SendTaskHeartbeatCommand({taskToken: task.taskToken}));
  await states.send(new sfn.SendTaskSuccessCommand({taskToken: task.taskToken, output: '{"done":true}'}));
  assert.equal((await describe(executionArn)).output, '{"done":true}');
});

test('JSONata computes, in a synchronous EXPRESS execution', async () => {
  const stateMachineArn = await create(
    oneState({Type: 'Pass', Output: {sum: '{% $sum($states.input.xs) %}'}}, {QueryLanguage: 'JSONata'}),
    {type: 'EXPRESS'});
  const {status, output} = await states.send(new sfn.StartSyncExecutionCommand({stateMachineArn, input: '{"xs":[1,2,3]}'}));
  assert.equal(status, 'SUCCEEDED');
  assert.deepEqual(JSON.parse(output), {sum: 6});
});

test('a REST API starts executions as its role may', async () => {
  const {items: [{id}]} = await clients.apigateway.send(new GetRestApisCommand({}));
  const send = async (path, body, options = {}) => {
    const response = await fetch(`${cloud.endpoint}/restapis/${id}/prod/_user_request_/${path}`, {
      method: 'POST', headers: {'Content-Type': 'application/json'}, body, ...options});
    return {status: response.status, headers: response.headers, body: await response.json()};
  };
  const started = await send('daily', '{"text": "a \\"word\\" /\\n é"}');
  assert.equal(started.status, 202);
  assert.equal(started.headers.get('access-control-allow-origin'), '*');
  const {executionArn} = started.body;
  await cloud.run(0);
  const ended = await describe(executionArn);
  assert.equal(ended.status, 'SUCCEEDED');
  assert.equal(ended.input, '{"text":"a \\"word\\" /\\n é"}');
  const described = await send('daily', JSON.stringify({executionArn}), {method: 'PUT'});
  assert.equal(described.body.output, ended.output);

  const invalid = await send('daily', '{"text": "it\'s"}');
  assert.equal(invalid.status, 400, 'escapeJavaScript() escapes apostrophes, which is not JSON');
  assert.match(invalid.body.__type, /SerializationException$/);
  assert.equal((await send('daily', '{', {})).status, 400);
  assert.equal((await send('daily', '{}', {headers: {'Content-Type': 'text/plain'}})).status, 415);

  const {body: sum} = await send('sum', '{"xs": [1, 2, 3], "text": "it\'s"}');
  assert.equal(sum.status, 'SUCCEEDED');
  assert.equal(sum.output, '6');

  const denied = await send('stop', JSON.stringify({executionArn}));
  assert.equal(denied.status, 403);
  assert.match(JSON.stringify(denied.body), /is not authorized to perform: states:StopExecution on resource: /);
});

test('errors are those that the SDK knows', async () => {
  await assert.rejects(create({StartAt: 'S'}), sfn.InvalidDefinition);
  await assert.rejects(describe(`${ARN}execution:none:none`), sfn.ExecutionDoesNotExist);
  await assert.rejects(start(`${ARN}stateMachine:none`), sfn.StateMachineDoesNotExist);
  await assert.rejects(states.send(new sfn.SendTaskSuccessCommand({taskToken: '?', output: '{}'})), sfn.InvalidToken);
  const {result, diagnostics} = await states.send(new sfn.ValidateStateMachineDefinitionCommand({
    definition: JSON.stringify({StartAt: 'S', States: {S: {Type: 'Pass', Next: 'T'}}})}));
  assert.equal(result, 'FAIL');
  assert.equal(diagnostics[0].severity, 'ERROR');
});
