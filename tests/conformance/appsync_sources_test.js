// What AppSync's resolvers read from and who may call them: DynamoDB's operations, functions, servers, signatures, user
// pools, authorizers; and what is left of it all after a restart. On simulated time.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const {before, after, test} = require('node:test');
const {CloudWatchLogsClient, FilterLogEventsCommand} = require('@aws-sdk/client-cloudwatch-logs');
const idp = require('@aws-sdk/client-cognito-identity-provider');
const WebSocket = require('ws');
const {signedHeaders} = require('./appsync_signature');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template, zip, modules] = process.argv.slice(2);
const appsync = require(path.resolve(modules, '@aws-sdk/client-appsync'));

const SCHEMA = `
  type Person { id: ID!, friend: String, cousin: String, told: String }
  type Note @aws_api_key @aws_lambda { group: String!, text: String }
  type Query {
    table(request: AWSJSON!): AWSJSON
    server(request: AWSJSON!): AWSJSON
    signed(request: AWSJSON!): AWSJSON
    call(request: AWSJSON!): AWSJSON
    headers(headers: AWSJSON!): String
    direct(text: String, fail: String): AWSJSON
    people(ids: [ID!]!): [Person]
    whoami: AWSJSON @aws_api_key @aws_iam @aws_cognito_user_pools @aws_lambda
    editors: String @aws_cognito_user_pools(cognito_groups: ["editors"])
    admins: String @aws_cognito_user_pools(cognito_groups: ["admins"])
    iam: String @aws_iam
    denied: String @aws_lambda
  }
  type Mutation { say(group: String!, text: String): Note, end(group: String!): String }
  type Subscription { onSay(group: String!): Note @aws_subscribe(mutations: ["say"]) }`;

const RESPONSE = 'export function response(ctx) { return ctx.result; }';
const ASK = `export function request(ctx) { return ctx.args.request; }
  export function response(ctx) { return {result: ctx.result, error: ctx.error ?? null}; }`;
const OK = `export function request() { return {payload: 'ok'}; } ${RESPONSE}`;
const EXTENSIONS = "import { util, extensions } from '@aws-appsync/utils';";
const RESOLVERS = [
  ['Query.table', 'table', ASK],
  ['Query.server', 'server', ASK],
  ['Query.signed', 'signed', ASK],
  ['Query.call', 'function', ASK],
  ['Query.headers', 'none', `import { util } from '@aws-appsync/utils';
    export function request(ctx) { util.http.addResponseHeaders(ctx.args.headers); return {payload: 'ok'}; } ${RESPONSE}`],
  ['Query.direct', 'function'],
  ['Query.people', 'none', `export function request(ctx) { return {payload: ctx.args.ids.map((id) => ({id}))}; } ${RESPONSE}`],
  ['Person.friend', 'function', `import { util } from '@aws-appsync/utils';
    export function request(ctx) { return {operation: 'BatchInvoke', payload: {id: ctx.source.id}}; }
    export function response(ctx) { if (ctx.error) util.error(ctx.error.message, ctx.error.type); return ctx.result; }`],
  ['Person.cousin', 'function', undefined, 2],
  ['Person.told', 'function', `export function request(ctx) {
      return {operation: 'BatchInvoke', invocationType: 'Event', payload: {id: ctx.source.id, told: true}};
    } ${RESPONSE}`],
  ['Query.whoami', 'none', `export function request(ctx) { return {payload: ctx.identity}; } ${RESPONSE}`],
  ['Query.editors', 'none', OK],
  ['Query.admins', 'none', OK],
  ['Query.iam', 'none', OK],
  ['Query.denied', 'none', OK],
  ['Mutation.say', 'none', `export function request(ctx) { return {payload: ctx.args}; } ${RESPONSE}`],
  ['Mutation.end', 'none', `${EXTENSIONS} export function request(ctx) { return {payload: ctx.args.group}; }
    export function response(ctx) {
      extensions.invalidateSubscriptions({subscriptionField: 'onSay', payload: {group: ctx.args.group}});
      return ctx.result;
    }`],
  ['Subscription.onSay', 'none', `${EXTENSIONS} export function request() { return {payload: null}; }
    export function response(ctx) {
      extensions.setSubscriptionInvalidationFilter({filterGroup: [
        {filters: [{fieldName: 'group', operator: 'eq', value: ctx.args.group}]}]});
      return null;
    }`],
];

const data = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR, 'data-'));
let cloud;
let client;
let server;
let api;
let key;
const send = (command) => client.send(command);

async function start() {
  cloud = await startSimulatedCloud(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`, `--data=${data}`]);
  client = cloud.client(appsync.AppSyncClient);
  [api] = (await send(new appsync.ListGraphqlApisCommand({}))).graphqlApis;
  [key] = (await send(new appsync.ListApiKeysCommand({apiId: api.apiId}))).apiKeys;
}

/** A server that tells what it was sent; but answers /meeting/N only when N requests wait for it. */
async function startServer() {
  const meeting = [];
  server = http.createServer((request, response) => {
    const wanted = /^\/meeting\/(\d+)/.exec(request.url)?.[1];
    if (wanted !== undefined) {
      meeting.push(response);
      if (meeting.length === Number(wanted)) meeting.splice(0).forEach((one) => one.end('met'));
      return;
    }
    const parts = [];
    request.on('data', (part) => parts.push(part)).on('end', () => {
      const {method, url, headers} = request;
      response.writeHead(url.startsWith('/teapot') ? 418 : 200, {'x-stand-in': 'yes'});
      response.end(JSON.stringify({method, url, token: headers['x-token'], body: `${Buffer.concat(parts)}`}));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

before(async () => {
  await startServer();
  await start();
  const {apiId} = api;
  await send(new appsync.StartSchemaCreationCommand({apiId, definition: Buffer.from(SCHEMA)}));
  const {status, details} = await send(new appsync.GetSchemaCreationStatusCommand({apiId}));
  assert.equal(status, 'SUCCESS', details);
  await send(new appsync.CreateDataSourceCommand({
    apiId, name: 'server', type: 'HTTP', httpConfig: {endpoint: `http://127.0.0.1:${server.address().port}`}}));
  for (const [name, dataSourceName, code, maxBatchSize] of RESOLVERS) {
    const [typeName, fieldName] = name.split('.');
    const runtime = code && {name: 'APPSYNC_JS', runtimeVersion: '1.0.0'};
    await send(new appsync.CreateResolverCommand({apiId, typeName, fieldName, dataSourceName, runtime, code, maxBatchSize}));
  }
});
after(async () => {
  await cloud.stop();
  server.close();
});

async function post(body, headers = {'x-api-key': key.id}) {
  const response = await fetch(api.uris.GRAPHQL, {method: 'POST', headers, body: JSON.stringify(body)});
  return {status: response.status, ...await response.json()};
}
const query = (text, headers) => post({query: text}, headers);
/** The data source's answer to a request as code would make it. */
async function ask(field, request) {
  const answer = await post({query: `query($r: AWSJSON!) { ${field}(request: $r) }`, variables: {r: JSON.stringify(request)}});
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors));
  return JSON.parse(answer.data[field]);
}
const table = (request) => ask('table', request);
const keyOf = (id, n) => ({id: {S: id}, n: {N: n}});
const put = (id, n, text) => table({operation: 'PutItem', key: keyOf(id, n), attributeValues: {text: {S: text}}});

test('items are put, updated and deleted', async () => {
  assert.deepEqual(await put('u', 1, 'one'), {result: {id: 'u', n: 1, text: 'one'}, error: null});
  const update = {
    operation: 'UpdateItem', key: keyOf('u', 1),
    update: {
      expression: 'SET #t = :t, tags = :l, stats = :m REMOVE gone', expressionNames: {'#t': 'text'},
      expressionValues: {':t': {S: 'two'}, ':l': {L: [{S: 'a'}, {N: 1.5}, {NULL: null}]}, ':m': {M: {ok: {BOOL: true}}}}},
  };
  const updated = {id: 'u', n: 1, text: 'two', tags: ['a', 1.5, null], stats: {ok: true}};
  assert.deepEqual(await table(update), {result: updated, error: null});
  const unless = await table({
    ...update, condition: {expression: '#t = :old', expressionValues: {':old': {S: 'one'}}}});
  assert.equal(unless.error.type, 'DynamoDB:ConditionalCheckFailedException');
  assert.deepEqual(unless.result, updated);
  assert.deepEqual(await table({operation: 'DeleteItem', key: keyOf('u', 1)}), {result: updated, error: null});
  assert.deepEqual(await table({operation: 'GetItem', key: keyOf('u', 1), consistentRead: true}), {result: null, error: null});
  // What is to be deleted is gone already: as wanted.
  const again = {operation: 'DeleteItem', key: keyOf('u', 1), condition: {expression: 'attribute_exists(id)'}};
  assert.deepEqual(await table(again), {result: null, error: null});
});

test('Query and Scan go from page to page', async () => {
  for (let n = 0; n < 5; ++n) await put('page', n, `${n}`);
  const read = async (request) => {
    const pages = [];
    let nextToken = null;
    do {
      const {result, error} = await table({...request, nextToken});
      assert.equal(error, null);
      pages.push(result.items.map((item) => item.n));
      ({nextToken} = result);
    } while (nextToken);
    return pages;
  };
  const byId = {
    operation: 'Query', limit: 2, scanIndexForward: false,
    query: {expression: 'id = :id', expressionValues: {':id': {S: 'page'}}}};
  assert.deepEqual(await read(byId), [[4, 3], [2, 1], [0]]);
  const filter = {expression: '#n > :n', expressionNames: {'#n': 'n'}, expressionValues: {':n': {N: 2}}};
  const found = await table({operation: 'Scan', filter, projection: {expression: '#t', expressionNames: {'#t': 'text'}}});
  assert.deepEqual(found.result.items.map(({text}) => text).sort(), ['3', '4']);
  assert.equal(found.result.nextToken, null);
  const scanned = await read({operation: 'Scan', limit: 3});
  assert.deepEqual(scanned.flat().sort(), [0, 1, 2, 3, 4]);
  assert.ok(scanned.length >= 2);
  for (const nextToken of ['nonsense', '!', 7]) {
    const wrong = await post({
      query: 'query($r: AWSJSON!) { table(request: $r) }', variables: {r: JSON.stringify({...byId, nextToken})}});
    assert.match(wrong.errors[0].message, /Invalid pagination token given/);
  }
});

test('batches are written, read and deleted', async () => {
  const items = [1, 2].map((n) => ({...keyOf('batch', n), text: {S: `${n}`}}));
  const plain = [1, 2].map((n) => ({id: 'batch', n, text: `${n}`}));
  assert.deepEqual(await table({operation: 'BatchPutItem', tables: {Notes: items}}), {
    result: {data: {Notes: plain}, unprocessedItems: {Notes: []}}, error: null});
  // In the order of the keys, with null for what is missing.
  const keys = [keyOf('batch', 2), keyOf('batch', 3), keyOf('batch', 1)];
  const read = {operation: 'BatchGetItem', tables: {Notes: {keys, consistentRead: true}}};
  assert.deepEqual(await table(read), {
    result: {data: {Notes: [plain[1], null, plain[0]]}, unprocessedKeys: {Notes: []}}, error: null});
  assert.deepEqual(await table({operation: 'BatchDeleteItem', tables: {Notes: [keyOf('batch', 1), keyOf('batch', 2)]}}), {
    result: {data: {Notes: [{id: 'batch', n: 1}, {id: 'batch', n: 2}]}, unprocessedKeys: {Notes: []}}, error: null});
  assert.deepEqual((await table(read)).result.data.Notes, [null, null, null]);
  const other = await table({operation: 'BatchGetItem', tables: {Others: [keyOf('x', 1)]}});
  assert.equal(other.error.type, 'DynamoDB:DynamoDbException');
});

test('transactions are whole or not at all', async () => {
  const write = (...transactItems) => table({
    operation: 'TransactWriteItems', transactItems: transactItems.map((item) => ({table: 'Notes', ...item}))});
  const one = {operation: 'PutItem', key: keyOf('t', 1), attributeValues: {text: {S: 'one'}}};
  assert.deepEqual(await write(one, {...one, key: keyOf('t', 2)}), {
    result: {keys: [{id: 't', n: 1}, {id: 't', n: 2}], cancellationReasons: null}, error: null});
  const update = {operation: 'UpdateItem', key: keyOf('t', 1), update: {
    expression: 'SET #t = :t', expressionNames: {'#t': 'text'}, expressionValues: {':t': {S: 'new'}}}};
  const missing = {operation: 'ConditionCheck', key: keyOf('t', 3), condition: {expression: 'attribute_exists(id)'}};
  const unlike = {operation: 'DeleteItem', key: keyOf('t', 2), condition: {
    expression: '#t = :t', expressionNames: {'#t': 'text'}, expressionValues: {':t': {S: 'two'}}}};
  const cancelled = await write(update, missing, unlike);
  assert.equal(cancelled.error.type, 'DynamoDB:TransactionCanceledException');
  assert.equal(cancelled.result.keys, null);
  assert.deepEqual(cancelled.result.cancellationReasons.map(({type, item}) => [type, item]), [
    ['None', null], ['ConditionalCheckFailed', null], ['ConditionalCheckFailed', {id: 't', n: 2, text: 'one'}]]);
  await write(update, {operation: 'DeleteItem', key: keyOf('t', 2)});
  const read = await table({operation: 'TransactGetItems', transactItems: [
    {table: 'Notes', key: keyOf('t', 2)},
    {table: 'Notes', key: keyOf('t', 1), projection: {expression: '#t', expressionNames: {'#t': 'text'}}}]});
  assert.deepEqual(read, {result: {items: [null, {text: 'new'}]}, error: null});
});

test('functions are called with a request, directly and in batches', async () => {
  assert.deepEqual(await ask('call', {operation: 'Invoke', payload: {a: [1, 'ä']}}), {result: {a: [1, 'ä']}, error: null});
  const failed = await ask('call', {operation: 'Invoke', payload: {fail: 'not today'}});
  assert.deepEqual(failed.error, {message: 'not today', type: 'Lambda:Unhandled'});
  const direct = await query('{ direct(text: "hi") }');
  const event = JSON.parse(direct.data.direct);
  assert.deepEqual(event.arguments, {text: 'hi'});
  assert.equal(event.info.fieldName, 'direct');
  assert.equal(event.info.parentTypeName, 'Query');
  const {data: none, errors} = await query('{ direct(fail: "no") }');
  assert.deepEqual(none, {direct: null});
  assert.deepEqual([errors[0].errorType, errors[0].message], ['Lambda:Unhandled', 'no']);
  const people = await query('{ people(ids: ["a", "bad", "c"]) { friend cousin } }');
  assert.deepEqual(people.data.people, [
    {friend: 'a of 3', cousin: 'a of 2'}, {friend: 'bad of 3', cousin: null}, {friend: 'c of 3', cousin: 'c of 1'}]);
  assert.deepEqual(people.errors.map(({path: where, errorType, message}) => [where, errorType, message]), [
    [['people', 1, 'cousin'], 'PersonNotFound', 'no such person']]);
  const lost = await query('{ people(ids: ["a", "lost"]) { friend } }');
  assert.deepEqual(lost.data.people, [{friend: null}, {friend: null}]);
  assert.match(lost.errors[0].message, /must return a list of 2 results/);
});

test('functions are called without a wait for their results', async () => {
  const told = await ask('call', {operation: 'Invoke', invocationType: 'Event', payload: {fail: 'nobody waits for this'}});
  assert.deepEqual(told, {result: null, error: null});
  const {error} = await ask('call', {operation: 'Invoke', invocationType: 'Event', payload: 'x'.repeat(1 << 20)});
  assert.equal(error.type, 'Lambda:RequestTooLargeException');
  const people = await query('{ people(ids: ["a", "b"]) { told } }');
  assert.equal(people.errors, undefined);
  assert.deepEqual(people.data.people, [{told: null}, {told: null}]);
  await cloud.run(1);
  const logs = cloud.client(CloudWatchLogsClient);
  const logged = async (filterPattern) => (await logs.send(new FilterLogEventsCommand({
    logGroupName: '/aws/lambda/function', filterPattern}))).events.length;
  assert.ok(await logged('"nobody waits for this"') > 0);
  assert.equal(await logged('"told of 2"'), 1);
  for (const operation of ['Invoke', 'BatchInvoke']) {
    const unknown = await post({
      query: 'query($r: AWSJSON!) { call(request: $r) }',
      variables: {r: JSON.stringify({operation, invocationType: 'DryRun', payload: {}})}});
    assert.match(unknown.errors[0].message, /invocationType DryRun is not one of RequestResponse, Event/);
  }
});

test('servers are asked at the same time', async () => {
  const request = JSON.stringify(JSON.stringify({method: 'GET', resourcePath: '/meeting/20'}));
  const fields = Array.from({length: 10}, (_, i) => `f${i}: server(request: ${request})`).join(' ');
  const answers = await Promise.all([query(`{ ${fields} }`), query(`{ ${fields} }`)]);
  for (const {data: met} of answers) {
    for (const text of Object.values(met)) assert.equal(JSON.parse(text).result.body, 'met');
  }
});

test('requests to servers are signed if the data source says so', async () => {
  const {apiId} = api;
  const {dataSource} = await send(new appsync.GetDataSourceCommand({apiId, name: 'signed'}));
  const {authorizationConfig} = dataSource.httpConfig;
  assert.deepEqual(authorizationConfig, {
    authorizationType: 'AWS_IAM', awsIamConfig: {signingRegion: 'us-east-1', signingServiceName: 'dynamodb'}});
  const configure = (httpConfig, serviceRoleArn) => send(new appsync.UpdateDataSourceCommand({
    apiId, name: 'signed', type: 'HTTP', httpConfig: {endpoint: cloud.endpoint, ...httpConfig}, serviceRoleArn}));
  await put('signed', 1, 'seen');
  const get = {
    method: 'POST', resourcePath: '/',
    params: {
      headers: {'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.GetItem'},
      body: JSON.stringify({TableName: 'Notes', Key: {id: {S: 'signed'}, n: {N: '1'}}}),
    },
  };
  await configure({authorizationConfig}, dataSource.serviceRoleArn);
  const {result} = await ask('signed', get);
  assert.equal(result.statusCode, 200, result.body);
  assert.deepEqual(JSON.parse(result.body).Item.text, {S: 'seen'});
  // It is the role that has signed.
  const other = {...get, params: {...get.params, body: JSON.stringify({TableName: 'Others', Key: {id: {S: 'x'}}})}};
  assert.match((await ask('signed', other)).result.body, /not authorized to perform: dynamodb:GetItem/);
  await configure({authorizationConfig}, 'arn:aws:iam::000000000000:role/nobody');
  assert.equal((await ask('signed', get)).error.type, 'UnauthorizedException');
  await configure({}, dataSource.serviceRoleArn);
  assert.equal((await ask('signed', get)).result.statusCode, 400);
  const refused = [
    [{authorizationType: 'API_KEY'}, /must be AWS_IAM/],
    [{authorizationType: 'AWS_IAM', awsIamConfig: {signingRegion: 'us-east-1'}}, /needs signingServiceName/]];
  for (const [wrong, message] of refused) {
    await assert.rejects(configure({authorizationConfig: wrong}, dataSource.serviceRoleArn), message);
  }
  await assert.rejects(configure({authorizationConfig}), /needs serviceRoleArn/);
});

test('code adds headers to the response', async () => {
  const add = async (headers) => {
    const response = await fetch(api.uris.GRAPHQL, {
      method: 'POST', headers: {'x-api-key': key.id},
      body: JSON.stringify({
        query: 'query($h: AWSJSON!) { headers(headers: $h) }', variables: {h: JSON.stringify(headers)}})});
    return {response, ...await response.json()};
  };
  const {response, data: done, errors} = await add({
    'x-count': 7, 'X-COUNT': {n: 8}, 'content-type': 'text/html', vary: '*', 'x-amzn-requestid': 'mine',
    'x-content-type-options': 'sniff'});
  assert.deepEqual(done, {headers: 'ok'});
  assert.equal(response.headers.get('x-count'), '{"n":8}');
  assert.match(response.headers.get('content-type'), /^application\/json/);
  assert.equal(response.headers.get('vary'), null);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.deepEqual(errors.map(({path: where, errorType}) => [where, errorType]),
    Array(4).fill([['headers'], 'ResponseHeaderError']));
});

test('servers are asked over HTTP', async () => {
  const {result} = await ask('server', {
    method: 'POST', resourcePath: '/things',
    params: {query: {a: 'b c', d: ['1', '2']}, headers: {'x-token': 't', 'content-type': 'text/plain'}, body: 'hello'}});
  assert.equal(result.statusCode, 200);
  assert.equal(result.headers['x-stand-in'], 'yes');
  const {url, ...rest} = JSON.parse(result.body);
  assert.deepEqual(rest, {method: 'POST', token: 't', body: 'hello'});
  assert.deepEqual([...new URL(url, 'http://x').searchParams], [['a', 'b c'], ['d', '1'], ['d', '2']]);
  const teapot = await ask('server', {method: 'GET', resourcePath: '/teapot'});
  assert.deepEqual([teapot.result.statusCode, teapot.error], [418, null]);
  await send(new appsync.UpdateDataSourceCommand({
    apiId: api.apiId, name: 'server', type: 'HTTP', httpConfig: {endpoint: 'http://127.0.0.1:1'}}));
  const gone = await ask('server', {method: 'GET', resourcePath: '/'});
  assert.deepEqual([gone.result, gone.error.type], [null, 'Http:RequestFailed']);
});

test('GET carries a query, an operation name and variables', async () => {
  const url = new URL(api.uris.GRAPHQL);
  url.search = new URLSearchParams({
    query: 'query a { whoami } query b($f: String) { direct(text: $f) }', operationName: 'b', variables: '{"f":"ü"}'});
  const response = await fetch(url, {headers: {'x-api-key': key.id}});
  assert.equal(response.status, 200);
  assert.equal(JSON.parse((await response.json()).data.direct).arguments.text, 'ü');
  url.search = '?query=%7Bwhoami%7D&variables=%7B';
  assert.equal((await fetch(url, {headers: {'x-api-key': key.id}})).status, 400);
  assert.equal((await fetch(url, {method: 'PUT', headers: {'x-api-key': key.id}})).status, 405);
});

async function signedQuery(text, credentials) {
  const body = JSON.stringify({query: text});
  return post({query: text}, await signedHeaders({url: api.uris.GRAPHQL, body, credentials}));
}

test('signed requests are those of their role', async () => {
  const account = await signedQuery('{ whoami iam }', {accessKeyId: 'test', secretAccessKey: 'test'});
  const identity = JSON.parse(account.data.whoami);
  assert.match(identity.accountId, /^\d{12}$/);
  assert.ok(identity.userArn.startsWith('arn:aws:'), identity.userArn);
  assert.equal(identity.username, identity.accountId);
  assert.deepEqual(identity.sourceIp, ['127.0.0.1']);
  assert.equal(account.data.iam, 'ok');
  const wrong = await signedQuery('{ whoami }', {accessKeyId: 'test', secretAccessKey: 'wrong'});
  assert.equal(wrong.status, 403);
  const {result} = await ask('call', {operation: 'Invoke', payload: {credentials: true}});
  const role = {
    accessKeyId: result.AWS_ACCESS_KEY_ID, secretAccessKey: result.AWS_SECRET_ACCESS_KEY, sessionToken: result.AWS_SESSION_TOKEN};
  const limited = await signedQuery('{ whoami iam }', role);
  const {userArn, username} = JSON.parse(limited.data.whoami);
  assert.match(userArn, /assumed-role/);
  assert.match(username, /^AROA[A-Z0-9]{17}:/);
  assert.equal(username.split(':')[1], userArn.split('/').at(-1));
  assert.equal(limited.data.iam, null);
  assert.equal(limited.errors[0].message, 'Not Authorized to access iam on type Query');
});

test('users of the pool see what their groups may', async () => {
  const admin = cloud.client(idp.CognitoIdentityProviderClient);
  const {UserPools: [{Id: UserPoolId}]} = await admin.send(new idp.ListUserPoolsCommand({MaxResults: 1}));
  const {UserPoolClients: [{ClientId}]} = await admin.send(new idp.ListUserPoolClientsCommand({UserPoolId}));
  const Password = 'Correct-horse-1';
  await admin.send(new idp.AdminSetUserPasswordCommand({UserPoolId, Username: 'jane', Password, Permanent: true}));
  const {AuthenticationResult: tokens} = await admin.send(new idp.InitiateAuthCommand({
    ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: {USERNAME: 'jane', PASSWORD: Password}}));
  for (const token of [tokens.IdToken, tokens.AccessToken, `Bearer ${tokens.AccessToken}`]) {
    const {data: seen, errors} = await query('{ whoami editors admins }', {
      authorization: token, 'x-forwarded-for': '192.0.2.1, 2001:db8::1'});
    const identity = JSON.parse(seen.whoami);
    assert.equal(identity.username, 'jane');
    assert.deepEqual(identity.groups, ['editors']);
    assert.equal(identity.claims.sub, identity.sub);
    assert.deepEqual(identity.sourceIp, ['192.0.2.1', '2001:db8::1', '127.0.0.1']);
    assert.deepEqual([seen.editors, seen.admins], ['ok', null]);
    assert.deepEqual(errors.map(({path: where, errorType}) => [where, errorType]), [[['admins'], 'Unauthorized']]);
  }
  await cloud.run(86400);
  const expired = await query('{ whoami }', {authorization: tokens.IdToken});
  assert.deepEqual([expired.status, expired.errors[0].message], [401, 'Token has expired.']);
});

test('an authorizer decides, and its answer is kept', async () => {
  const whoami = async (token) => {
    const {status, data: seen, errors} = await query('{ whoami }', {authorization: token});
    return seen ? JSON.parse(seen.whoami).resolverContext : [status, errors[0].errorType];
  };
  const first = await whoami('allow');
  assert.equal(first.query, '{ whoami }');
  assert.deepEqual(await whoami('allow'), first);
  await cloud.run(61);
  assert.equal((await whoami('allow')).calls, first.calls + 1);
  const once = await whoami('once');
  assert.equal((await whoami('once')).calls, once.calls + 1);
  for (let i = 0; i < 2; ++i) assert.deepEqual(await whoami('deny'), [401, 'UnauthorizedException']);
  assert.deepEqual(await whoami('NOT MATCHED'), [401, 'UnauthorizedException']);
  for (const token of ['fail', 'nonsense']) assert.equal((await whoami(token))[0], 401);
  assert.deepEqual((await query('{ denied }', {authorization: 'allow'})).data, {denied: 'ok'});
  const {data: seen, errors} = await query('{ denied }', {authorization: 'fields'});
  assert.deepEqual(seen, {denied: null});
  assert.equal(errors[0].errorType, 'Unauthorized');
});

test('a mutation ends subscriptions', async () => {
  const header = Buffer.from(JSON.stringify({host: 'x', authorization: 'allow'})).toString('base64');
  const subscribe = async (group) => {
    const socket = new WebSocket(`${api.uris.REALTIME}?header=${header}&payload=e30=`, ['graphql-ws']);
    const frames = [];
    const closed = new Promise((resolve) => socket.on('close', () => resolve(frames)));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const start = JSON.stringify({id: group, type: 'start', payload: {
      data: JSON.stringify({query: `subscription { onSay(group: "${group}") { text } }`}),
      extensions: {authorization: {host: 'x', 'x-api-key': key.id}}}});
    const started = new Promise((resolve) => socket.on('message', (text) => {
      const {type} = JSON.parse(text);
      frames.push(type);
      if (type === 'connection_ack') socket.send(start);
      if (type === 'start_ack' || type === 'error' || type === 'connection_error') resolve(type);
    }));
    socket.send('{"type":"connection_init"}');
    assert.equal(await started, 'start_ack');
    return {socket, frames, closed};
  };
  const ended = await subscribe('a');
  const kept = await subscribe('b');
  assert.deepEqual((await query('mutation { end(group: "a") }')).data, {end: 'a'});
  assert.deepEqual(await ended.closed, ['connection_ack', 'ka', 'start_ack', 'complete']);
  await query('mutation { say(group: "b", text: "hi") { group text } }');
  const heard = new Promise((resolve) => (kept.frames.includes('data') ? resolve() : kept.socket.once('message', resolve)));
  await heard;
  kept.socket.close();
  assert.equal((await kept.closed).at(-1), 'data');
});

test('requests and fields are logged', async () => {
  await query('query logged { people(ids: ["x"]) { id } }');
  const logs = cloud.client(CloudWatchLogsClient);
  await cloud.run(10);
  const {events} = await logs.send(new FilterLogEventsCommand({
    logGroupName: `/aws/appsync/apis/${api.apiId}`, filterPattern: '"people"'}));
  const lines = events.map(({message}) => message);
  assert.ok(lines.some((line) => line.includes('GraphQL Query: query logged')), lines.join('\n'));
  for (const type of ['RequestFunctionEvaluation', 'ResponseFunctionEvaluation', 'Tracing']) {
    const line = lines.findLast((text) => text.includes(`"logType":"${type}"`));
    const entry = JSON.parse(line.slice(line.indexOf('{')));
    assert.equal(entry.graphQLAPIId, api.apiId);
    assert.deepEqual([entry.path, entry.parentType], [['people'], 'Query']);
  }
});

test('all is there after a restart', async () => {
  const [apiBefore, keyBefore] = [api, key];
  await put('kept', 1, 'still here');
  await cloud.stop();
  await start();
  assert.equal(api.apiId, apiBefore.apiId);
  assert.deepEqual(key, keyBefore);
  const {resolvers} = await send(new appsync.ListResolversCommand({apiId: api.apiId, typeName: 'Person'}));
  assert.deepEqual(resolvers.map(({fieldName, maxBatchSize}) => [fieldName, maxBatchSize]), [
    ['cousin', 2], ['friend', 0], ['told', 0]]);
  const {result} = await table({operation: 'GetItem', key: keyOf('kept', 1)});
  assert.deepEqual(result, {id: 'kept', n: 1, text: 'still here'});
  assert.equal((await query('{ people(ids: ["a"]) { cousin } }')).data.people[0].cousin, 'a of 1');
  assert.equal((await query('{ denied }', {authorization: 'allow'})).data.denied, 'ok');
});
