// Tables behind AppSync: every operation with the permissions that it needs and without one of them, every kind of error,
// and functions that decide about failed conditions.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const {before, after, test} = require('node:test');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, zip, modules] = process.argv.slice(2);
const appsync = require(path.resolve(modules, '@aws-sdk/client-appsync'));

const key = (n) => ({id: {S: 'k'}, n: {N: n}});
const put = (n, text = 'old') => ({operation: 'PutItem', key: key(n), attributeValues: {text: {S: text}}});
const UPDATE = {expression: 'SET #t = :t', expressionNames: {'#t': 'text'}, expressionValues: {':t': {S: 'new'}}};
const inTransaction = (item) => ({operation: 'TransactWriteItems', transactItems: [{table: 'Notes', ...item}]});

/** Name of a case: the actions that it needs, a request, and what a role with these actions gets; item 1 is there. */
const OPERATIONS = {
  GetItem: [['GetItem'], {operation: 'GetItem', key: key(1)}, {id: 'k', n: 1, text: 'old'}],
  PutItem: [['PutItem'], put(2), {id: 'k', n: 2, text: 'old'}],
  UpdateItem: [['UpdateItem'], {operation: 'UpdateItem', key: key(3), update: UPDATE}, {id: 'k', n: 3, text: 'new'}],
  DeleteItem: [['DeleteItem'], {operation: 'DeleteItem', key: key(4)}, null],
  Query: [
    ['Query'],
    {operation: 'Query', query: {expression: 'id = :i AND n = :n', expressionValues: {':i': {S: 'k'}, ':n': {N: 1}}}},
    {items: [{id: 'k', n: 1, text: 'old'}], nextToken: null, scannedCount: 1}],
  Scan: [
    ['Scan'],
    {operation: 'Scan', limit: 100, filter: {expression: 'n = :n', expressionValues: {':n': {N: 1}}}},
    ({items}) => assert.deepEqual(items, [{id: 'k', n: 1, text: 'old'}])],
  BatchGetItem: [
    ['BatchGetItem'], {operation: 'BatchGetItem', tables: {Notes: {keys: [key(1)]}}},
    {data: {Notes: [{id: 'k', n: 1, text: 'old'}]}, unprocessedKeys: {Notes: []}}],
  BatchPutItem: [
    ['BatchWriteItem'], {operation: 'BatchPutItem', tables: {Notes: [key(5)]}},
    {data: {Notes: [{id: 'k', n: 5}]}, unprocessedItems: {Notes: []}}],
  BatchDeleteItem: [
    ['BatchWriteItem'], {operation: 'BatchDeleteItem', tables: {Notes: [key(6)]}},
    {data: {Notes: [{id: 'k', n: 6}]}, unprocessedKeys: {Notes: []}}],
  TransactGetItems: [
    ['GetItem'], {operation: 'TransactGetItems', transactItems: [{table: 'Notes', key: key(1)}]},
    {items: [{id: 'k', n: 1, text: 'old'}]}],
  TransactPut: [['PutItem'], inTransaction(put(7)), {keys: [{id: 'k', n: 7}], cancellationReasons: null}],
  TransactUpdate: [
    ['UpdateItem'], inTransaction({operation: 'UpdateItem', key: key(8), update: UPDATE}),
    {keys: [{id: 'k', n: 8}], cancellationReasons: null}],
  TransactDelete: [
    ['DeleteItem'], inTransaction({operation: 'DeleteItem', key: key(9)}),
    {keys: [{id: 'k', n: 9}], cancellationReasons: null}],
  TransactCheck: [
    ['ConditionCheckItem'],
    inTransaction({operation: 'ConditionCheck', key: key(1), condition: {expression: 'attribute_exists(id)'}}),
    {keys: [{id: 'k', n: 1}], cancellationReasons: null}],
};
const ACTIONS = [...new Set(Object.values(OPERATIONS).flatMap(([actions]) => actions))];

const attribute = (resource, name) => ({'Fn::GetAtt': [resource, name]});
const role = (statements, principal = 'appsync.amazonaws.com') => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17', Statement: [{Effect: 'Allow', Principal: {Service: principal}, Action: 'sts:AssumeRole'}]},
    Policies: statements && [{PolicyName: 'p', PolicyDocument: {Version: '2012-10-17', Statement: statements}}],
  },
});
const onTable = (actions) => ({
  Effect: 'Allow', Action: actions.map((action) => `dynamodb:${action}`),
  Resource: [attribute('Table', 'Arn'), {'Fn::Sub': '${Table.Arn}/*'}, {'Fn::Sub': '${Table.Arn}x'}]});
const ofApi = (type, properties) => ({Type: `AWS::AppSync::${type}`, Properties: {ApiId: attribute('Api', 'ApiId'), ...properties}});

const SCHEMA = `type Query { note: String } type Mutation { ${
  [...Object.keys(OPERATIONS).flatMap((name) => [`only${name}`, `but${name}`]), 'all', 'handled', 'mute', 'nowhere', 'mistrusted', 'absent']
    .map((field) => `${field}(request: AWSJSON!, decision: AWSJSON): AWSJSON`).join('\n')} }`;
const CODE = `export function request(ctx) { return ctx.args.request; }
  export function response(ctx) { return {result: ctx.result, error: ctx.error ?? null}; }`;

function makeTemplate() {
  const resources = {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: 'Notes', BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{AttributeName: 'id', AttributeType: 'S'}, {AttributeName: 'n', AttributeType: 'N'}],
        KeySchema: [{AttributeName: 'id', KeyType: 'HASH'}, {AttributeName: 'n', KeyType: 'RANGE'}],
      },
    },
    FunctionRole: role(undefined, 'lambda.amazonaws.com'),
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'function', Runtime: 'provided.al2023', Handler: 'bootstrap',
        Code: {S3Bucket: 'code', S3Key: path.basename(zip)}, Role: attribute('FunctionRole', 'Arn'),
      },
    },
    Api: {Type: 'AWS::AppSync::GraphQLApi', Properties: {Name: 'tables', AuthenticationType: 'API_KEY'}},
    Schema: ofApi('GraphQLSchema', {Definition: SCHEMA}),
    Key: ofApi('ApiKey', {}),
  };
  const addField = (field, roleArn, tableName = {Ref: 'Table'}) => {
    resources[`${field}Source`] = ofApi('DataSource', {
      Name: field, Type: 'AMAZON_DYNAMODB', ServiceRoleArn: roleArn,
      DynamoDBConfig: {TableName: tableName, AwsRegion: {Ref: 'AWS::Region'}}});
    resources[`${field}Resolver`] = {
      ...ofApi('Resolver', {
        TypeName: 'Mutation', FieldName: field, DataSourceName: attribute(`${field}Source`, 'Name'),
        Runtime: {Name: 'APPSYNC_JS', RuntimeVersion: '1.0.0'}, Code: CODE}),
      DependsOn: 'Schema'};
  };
  const addRole = (field, statements, principal) => {
    resources[`${field}Role`] = role(statements, principal);
    return attribute(`${field}Role`, 'Arn');
  };
  for (const [name, [actions]] of Object.entries(OPERATIONS)) {
    addField(`only${name}`, addRole(`only${name}`, [onTable(actions)]));
    addField(`but${name}`, addRole(`but${name}`, [onTable(ACTIONS.filter((action) => !actions.includes(action)))]));
  }
  const all = addRole('all', [onTable(ACTIONS)]);
  addField('all', all);
  addField('handled', addRole('handled', [
    onTable(ACTIONS), {Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: attribute('Function', 'Arn')}]));
  addField('mute', addRole('mute', [onTable(['PutItem'])]));
  addField('nowhere', all, 'Notesx');
  addField('mistrusted', addRole('mistrusted', [onTable(ACTIONS)], 'lambda.amazonaws.com'));
  addField('absent', 'arn:aws:iam::123456789012:role/absent');
  return {Resources: resources};
}

let cloud;
let api;
let apiKey;
let functionArn;

before(async () => {
  const template = path.join(process.env.TEST_TMPDIR, 'tables.template.json');
  fs.writeFileSync(template, JSON.stringify(makeTemplate()));
  cloud = await startSimulatedCloud(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`]);
  const client = cloud.client(appsync.AppSyncClient);
  [api] = (await client.send(new appsync.ListGraphqlApisCommand({}))).graphqlApis;
  [{id: apiKey}] = (await client.send(new appsync.ListApiKeysCommand({apiId: api.apiId}))).apiKeys;
  functionArn = api.arn.replace(/:appsync:([^:]*):(\d+):.*/, ':lambda:$1:$2:function:function');
  assert.equal((await ask('all', put(1))).error, null);
});
after(() => cloud.stop());

/** The whole answer of a field to a request that its code passes on. */
async function answerOf(field, request, decision) {
  const response = await fetch(api.uris.GRAPHQL, {
    method: 'POST', headers: {'x-api-key': apiKey},
    body: JSON.stringify({
      query: `mutation($r: AWSJSON!, $d: AWSJSON) { ${field}(request: $r, decision: $d) }`,
      variables: {r: JSON.stringify(request), d: decision && JSON.stringify(decision)}})});
  assert.equal(response.status, 200);
  return response.json();
}
/** What the response handler gets: {result, error}. */
async function ask(field, request, decision) {
  const {data, errors} = await answerOf(field, request, decision);
  assert.equal(errors, undefined, JSON.stringify(errors));
  return JSON.parse(data[field]);
}

for (const [name, [[action], request, expected]] of Object.entries(OPERATIONS)) {
  test(`${name} needs dynamodb:${action} and nothing else`, async () => {
    const {result, error} = await ask(`only${name}`, request);
    assert.equal(error, null);
    if (typeof expected === 'function') expected(result); else assert.deepEqual(result, expected);
    const denied = await ask(`but${name}`, request);
    assert.equal(denied.error.type, 'DynamoDB:DynamoDbException');
    assert.match(denied.error.message, new RegExp(
      `assumed-role/.* is not authorized to perform: dynamodb:${action} on resource: .*` +
      '\\(Service: DynamoDb, Status Code: 400, Request ID: '));
    assert.equal(denied.result, null);
  });
}

test('errors of DynamoDB have AppSync\'s types', async () => {
  const wrongKey = await ask('all', {operation: 'GetItem', key: {id: {S: 'k'}}});
  assert.equal(wrongKey.error.type, 'DynamoDB:DynamoDbException');
  assert.match(wrongKey.error.message, /^The .*key .*\(Service: DynamoDb, Status Code: 400, Request ID: /);
  const tooMany = await ask('all', {operation: 'BatchPutItem', tables: {Notes: Array.from({length: 26}, (_, n) => key(100 + n))}});
  assert.equal(tooMany.error.type, 'DynamoDB:DynamoDbException');
  const nowhere = await ask('nowhere', {operation: 'GetItem', key: key(1)});
  assert.equal(nowhere.error.type, 'DynamoDB:ResourceNotFoundException');
  const exists = await ask('all', {...put(1, 'other'), condition: {expression: 'attribute_not_exists(id)'}});
  assert.equal(exists.error.type, 'DynamoDB:ConditionalCheckFailedException');
  assert.match(exists.error.message, /^The conditional request failed \(Service: DynamoDb, Status Code: 400, Request ID: /);
  assert.deepEqual(exists.result, {id: 'k', n: 1, text: 'old'});
  const cancelled = await ask('all', inTransaction({...put(1, 'other'), condition: {expression: 'attribute_not_exists(id)'}}));
  assert.equal(cancelled.error.type, 'DynamoDB:TransactionCanceledException');
  assert.deepEqual(cancelled.result.cancellationReasons.map(({type, item}) => [type, item]), [
    ['ConditionalCheckFailed', {id: 'k', n: 1, text: 'old'}]]);
});

test('without the permission to read, a failed condition has no item', async () => {
  const {result, error} = await ask('mute', {...put(1, 'other'), condition: {expression: 'attribute_not_exists(id)'}});
  assert.deepEqual([result, error.type], [null, 'DynamoDB:ConditionalCheckFailedException']);
});

test('a role that AppSync can\'t assume is an error', async () => {
  for (const field of ['mistrusted', 'absent']) {
    const {error} = await ask(field, {operation: 'GetItem', key: key(1)});
    assert.equal(error.type, 'UnauthorizedException');
    assert.match(error.message, /role/);
  }
});

test('a request that is not one of a table ends the resolver', async () => {
  const handler = (conditionalCheckFailedHandler) => ({...put(1), condition: {expression: 'n = n', conditionalCheckFailedHandler}});
  for (const [request, message] of [
    [{}, /Value for field '\$\[operation\]' not found/],
    [{operation: 'GetItem'}, /Value for field '\$\[key\]' not found/],
    [{operation: 'BatchGetItem'}, /Value for field '\$\[tables\]' not found/],
    [{operation: 'Sync'}, /Unsupported operation 'Sync'/],
    [inTransaction({operation: 'Nope', key: key(1)}), /Unsupported operation 'Nope' in transactItems/],
    [handler({strategy: 'Custom'}), /lambdaArn.*not found/],
    [handler({strategy: 'Guess'}), /Unsupported strategy 'Guess'/],
  ]) {
    const {data, errors} = await answerOf('all', request);
    assert.deepEqual(data, {all: null});
    assert.equal(errors[0].errorType, 'MappingTemplate');
    assert.match(errors[0].message, message);
  }
});

const handled = (request, decision, field = 'handled') => ask(field, {
  ...request,
  condition: {
    expression: '#t = :no', expressionNames: {'#t': 'text'}, expressionValues: {':no': {S: 'never'}},
    conditionalCheckFailedHandler: {strategy: 'Custom', lambdaArn: functionArn}, ...request.condition},
}, decision);

test('a function that handles a failed condition is told of it', async () => {
  await ask('all', put(20));
  // Writes what it is told.
  const {result} = await handled(put(20, 'new'), {tell: true});
  const {arguments: {decision}, requestMapping, currentValue, resolver, ...rest} = JSON.parse(result.told);
  assert.deepEqual(decision, {tell: true});
  assert.equal(requestMapping.operation, 'PutItem');
  assert.deepEqual(requestMapping.attributeValues, {text: {S: 'new'}});
  assert.deepEqual(currentValue, {id: {S: 'k'}, n: {N: 20}, text: {S: 'old'}});
  assert.deepEqual(resolver, {
    tableName: 'Notes', awsRegion: 'us-east-1', parentType: 'Mutation', field: 'handled', outputType: 'AWSJSON'});
  assert.deepEqual(rest, {identity: null});
});

test('the function rejects, discards or retries', async () => {
  await ask('all', put(21));
  const old = {id: 'k', n: 21, text: 'old'};
  const rejected = await handled(put(21, 'new'), {action: 'reject'});
  assert.deepEqual([rejected.result, rejected.error.type], [old, 'DynamoDB:ConditionalCheckFailedException']);
  assert.deepEqual(await handled(put(21, 'new'), {action: 'discard'}), {result: old, error: null});
  const read = async () => (await ask('all', {operation: 'GetItem', key: key(21)})).result;
  assert.deepEqual(await read(), old);
  // The operation and the key can't be changed.
  const again = await handled(put(21, 'new'), {action: 'retry', retryMapping: {
    operation: 'DeleteItem', key: key(1), attributeValues: {text: {S: 'again'}}}});
  assert.deepEqual(again, {result: {id: 'k', n: 21, text: 'again'}, error: null});
  assert.deepEqual(await read(), again.result);
  const update = {operation: 'UpdateItem', key: key(21), update: UPDATE};
  assert.equal((await handled(update, {action: 'retry', retryMapping: {update: UPDATE}})).result.text, 'new');
  const condition = {expression: 'attribute_not_exists(id)'};
  const failedAgain = await handled(update, {action: 'retry', retryMapping: {update: UPDATE, condition}});
  assert.deepEqual(
    [failedAgain.result.text, failedAgain.error.type], ['new', 'DynamoDB:ConditionalCheckFailedException']);
  const gone = await handled({operation: 'DeleteItem', key: key(21)}, {action: 'retry', retryMapping: {}});
  assert.deepEqual([gone.result.text, gone.error], ['new', null]);
  assert.equal(await read(), null);
});

test('the function is not asked if the item is as wanted', async () => {
  await ask('all', put(22));
  const same = await handled(put(22), {fail: 'asked'});
  assert.deepEqual(same, {result: {id: 'k', n: 22, text: 'old'}, error: null});
  const ignored = await handled({...put(22, 'new'), condition: {equalsIgnore: ['text']}}, {fail: 'asked'});
  assert.deepEqual(ignored, {result: {id: 'k', n: 22, text: 'old'}, error: null});
  assert.deepEqual(await handled({operation: 'DeleteItem', key: key(23)}, {fail: 'asked'}), {result: null, error: null});
});

test('a function that does not decide is an error', async () => {
  await ask('all', put(24));
  const failed = await handled(put(24, 'new'), {fail: 'no idea'});
  assert.deepEqual(failed, {
    result: {id: 'k', n: 24, text: 'old'}, error: {message: 'no idea', type: 'Lambda:Unhandled'}});
  for (const decision of [{action: 'rerun'}, {action: 'retry'}, {}]) {
    const {error} = await handled(put(24, 'new'), decision);
    assert.equal(error.type, 'Lambda:Unhandled');
    assert.match(error.message, /must return the action reject, discard, or retry with a retryMapping/);
  }
  const denied = await handled(put(24, 'new'), {action: 'discard'}, 'all');
  assert.equal(denied.error.type, 'Lambda:AccessDeniedException');
  assert.match(denied.error.message, /lambda:InvokeFunction/);
});
