// AppSync, driven by the AWS SDK, by the clients aws-appsync and Amplify, and by sockets that misbehave, on simulated time.
'use strict';

const assert = require('node:assert/strict');
const {before, after, test} = require('node:test');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const appsync = require('@aws-sdk/client-appsync');
const WebSocket = require('ws');
const sockets = require('./appsync_socket');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template] = process.argv.slice(2);

let cloud;
let client;
let api;
let key;
const send = (command) => client.send(command);
const refused = async (promise, name, message) => {
  const error = await promise.then(() => assert.fail('accepted'), (reason) => reason);
  assert.equal(error.name, name, error.message);
  if (message) assert.match(error.message, message);
  return error;
};

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`]);
  client = cloud.client(appsync.AppSyncClient);
  [api] = (await send(new appsync.ListGraphqlApisCommand({}))).graphqlApis;
  [key] = (await send(new appsync.ListApiKeysCommand({apiId: api.apiId}))).apiKeys;
});
after(() => cloud.stop());

const post = async (body, headers = {'x-api-key': key.id}) => {
  const response = await fetch(api.uris.GRAPHQL, {method: 'POST', headers, body});
  return {status: response.status, headers: response.headers, body: await response.json()};
};
const query = async (text, variables) => (await post(JSON.stringify({query: text, variables}))).body;
const echo = (group, text) => query('mutation($g: String!, $t: String) { echo(group: $g, text: $t) { id group text } }', {g: group, t: text});

const credentials = () => ({host: 'x', 'x-api-key': key.id});
const openSocket = (options) => sockets.openSocket(api.uris.REALTIME, {credentials: credentials(), ...options});
const connect = (options) => sockets.connect(api.uris.REALTIME, {credentials: credentials(), ...options});
const ON_NOTE = 'subscription($g: String!) { onNote(group: $g) { id text } }';

test('a template makes an API', async () => {
  assert.match(api.apiId, /^[a-z0-9]{26}$/);
  assert.equal(api.name, 'notes');
  assert.equal(api.xrayEnabled, true);
  assert.deepEqual(api.tags, {a: 'b'});
  assert.match(key.id, /^da2-[a-z0-9]{26}$/);
  assert.equal(key.expires % 3600, 0);
  const {resolvers} = await send(new appsync.ListResolversCommand({apiId: api.apiId, typeName: 'Mutation'}));
  assert.deepEqual(resolvers.map(({fieldName, kind}) => [fieldName, kind]), [['echo', 'UNIT'], ['putNote', 'PIPELINE']]);
  const {environmentVariables} = await send(new appsync.GetGraphqlApiEnvironmentVariablesCommand({apiId: api.apiId}));
  assert.deepEqual(environmentVariables, {STAGE: 'test'});
});

test('the SDK makes an API from nothing and deletes it', async () => {
  const {graphqlApi} = await send(new appsync.CreateGraphqlApiCommand({name: 'made', authenticationType: 'API_KEY'}));
  const {apiId, arn} = graphqlApi;
  const definition = Buffer.from('type Query { hello: String }');
  assert.equal((await send(new appsync.StartSchemaCreationCommand({apiId, definition}))).status, 'PROCESSING');
  assert.equal((await send(new appsync.GetSchemaCreationStatusCommand({apiId}))).status, 'SUCCESS');
  const {schema} = await send(new appsync.GetIntrospectionSchemaCommand({apiId, format: 'SDL'}));
  assert.match(Buffer.from(schema).toString(), /hello: String/);
  await send(new appsync.StartSchemaCreationCommand({apiId, definition: Buffer.from('type Query { hello: Nope }')}));
  const failed = await send(new appsync.GetSchemaCreationStatusCommand({apiId}));
  assert.equal(failed.status, 'FAILED');
  assert.match(failed.details, /Nope/);
  await send(new appsync.CreateDataSourceCommand({apiId, name: 'none', type: 'NONE'}));
  const runtime = {name: 'APPSYNC_JS', runtimeVersion: '1.0.0'};
  const code = 'export function request() { return {payload: "hi"}; } export function response(ctx) { return ctx.result; }';
  const hello = {apiId, typeName: 'Query', fieldName: 'hello', dataSourceName: 'none', runtime, code};
  await send(new appsync.CreateResolverCommand(hello));
  await refused(send(new appsync.CreateResolverCommand({...hello, fieldName: 'nope'})), 'NotFoundException', /No field named nope/);
  const bad = {...hello, code: 'export function request() { while (true) {} }'};
  await refused(send(new appsync.UpdateResolverCommand(bad)), 'BadRequestException', /The code contains one or more errors/);
  await refused(
    send(new appsync.UpdateResolverCommand({...hello, code: undefined, runtime: undefined, requestMappingTemplate: '{}'})),
    'BadRequestException', /VTL/);
  const {functionConfiguration} = await send(
    new appsync.CreateFunctionCommand({apiId, name: 'f', dataSourceName: 'none', runtime, code}));
  const {functionId} = functionConfiguration;
  await send(new appsync.UpdateResolverCommand(
    {...hello, dataSourceName: undefined, kind: 'PIPELINE', pipelineConfig: {functions: [functionId]}}));
  const used = await send(new appsync.ListResolversByFunctionCommand({apiId, functionId}));
  assert.deepEqual(used.resolvers.map(({fieldName}) => fieldName), ['hello']);
  await refused(send(new appsync.DeleteFunctionCommand({apiId, functionId})), 'BadRequestException', /used by/);
  await send(new appsync.TagResourceCommand({resourceArn: arn, tags: {x: 'y'}}));
  assert.deepEqual((await send(new appsync.ListTagsForResourceCommand({resourceArn: arn}))).tags, {x: 'y'});
  await send(new appsync.UntagResourceCommand({resourceArn: arn, tagKeys: ['x']}));
  assert.deepEqual((await send(new appsync.ListTagsForResourceCommand({resourceArn: arn}))).tags, {});
  await refused(send(new appsync.CreateApiKeyCommand({apiId, expires: 1})), 'ApiKeyValidityOutOfBoundsException');
  await send(new appsync.DeleteGraphqlApiCommand({apiId}));
  await refused(send(new appsync.GetGraphqlApiCommand({apiId})), 'NotFoundException');
});

test('every operation that the SDK knows is there, or the error says what there is instead', async () => {
  const labels = [
    'apiId', 'associationId', 'domainName', 'fieldName', 'functionId', 'id', 'introspectionId', 'mergedApiIdentifier', 'name',
    'resourceArn', 'sourceApiIdentifier', 'typeName'];
  const input = {...Object.fromEntries(labels.map((label) => [label, 'x'])), format: 'SDL', tagKeys: ['x']};
  const missing = [];
  for (const [name, Command] of Object.entries(appsync)) {
    if (!/^[A-Z]\w*Command$/.test(name)) continue;
    const error = await send(new Command(input)).then(() => undefined, (reason) => reason);
    assert.notEqual(error?.name, 'UnknownOperationException', name);
    const told = error?.message.match(/^The operation (\w+) is not supported by the local cloud\. \w/);
    if (!told) continue;
    assert.equal(`${told[1]}Command`, name);
    assert.equal(error.name, 'BadRequestException');
    missing.push(told[1]);
  }
  assert.equal(missing.length, 40);
  assert.ok(missing.includes('CreateType'));
});

test('an authentication type that is not there is refused', async () => {
  const openIDConnectConfig = {issuer: 'https://example.com'};
  const message = /OPENID_CONNECT is not supported .*API_KEY, AWS_IAM, AMAZON_COGNITO_USER_POOLS, AWS_LAMBDA/;
  await refused(send(new appsync.CreateGraphqlApiCommand(
    {name: 'oidc', authenticationType: 'OPENID_CONNECT', openIDConnectConfig})), 'BadRequestException', message);
  await refused(send(new appsync.CreateGraphqlApiCommand({
    name: 'oidc', authenticationType: 'API_KEY',
    additionalAuthenticationProviders: [{authenticationType: 'OPENID_CONNECT', openIDConnectConfig}]})), 'BadRequestException', message);
  await refused(send(new appsync.CreateGraphqlApiCommand(
    {name: 'oidc', authenticationType: 'API_KEY', openIDConnectConfig})), 'BadRequestException', message);
  const OpenIDConnectConfig = {Issuer: 'https://example.com', ClientId: 'client', AuthTTL: 0};
  const oidc = {AuthenticationType: 'OPENID_CONNECT', OpenIDConnectConfig};
  for (const properties of [
    {AuthenticationType: 'OPENID_CONNECT'}, oidc,
    {AuthenticationType: 'API_KEY', AdditionalAuthenticationProviders: [oidc]}]) {
    const file = path.join(process.env.TEST_TMPDIR, 'oidc.template.json');
    fs.writeFileSync(file, JSON.stringify({Resources: {Api: {
      Type: 'AWS::AppSync::GraphQLApi', Properties: {Name: 'oidc', ...properties}}}}));
    const {status, stderr} = spawnSync(program, [`--template=${file}`], {encoding: 'utf8'});
    assert.notEqual(status, 0);
    assert.match(stderr, message);
  }
});

test('EvaluateCode runs a handler', async () => {
  const answer = await send(new appsync.EvaluateCodeCommand({
    runtime: {name: 'APPSYNC_JS', runtimeVersion: '1.0.0'},
    code: 'export function request(ctx) { return {id: ctx.args.id}; } export function response(ctx) { return ctx.result; }',
    context: JSON.stringify({arguments: {id: '7'}}),
    function: 'request',
  }));
  assert.deepEqual(JSON.parse(answer.evaluationResult), {id: '7'});
});

test('a pipeline writes to a table with its role, and a condition that is false is an error with the item', async () => {
  const put = (text) => query('mutation($t: String) { putNote(id: "p", group: "g", text: $t) { id text stage } }', {t: text});
  assert.deepEqual(await put('one'), {data: {putNote: {id: 'p', text: 'one', stage: 'test'}}});
  // The same again is as wanted.
  assert.deepEqual(await put('one'), {data: {putNote: {id: 'p', text: 'one', stage: 'test'}}});
  const {data, errors} = await put('two');
  assert.deepEqual(data, {putNote: null});
  assert.equal(errors[0].errorType, 'DynamoDB:ConditionalCheckFailedException');
  assert.match(errors[0].message, /^The conditional request failed/);
  assert.equal(errors[0].data.text, 'one');
  assert.deepEqual(await query('{ note(id: "p") { text } }'), {data: {note: {text: 'one'}}});
  const denied = await query('{ denied { id } }');
  assert.equal(denied.errors[0].errorType, 'DynamoDB:DynamoDbException');
});

test('errors have the forms of AppSync', async () => {
  const {data, errors} = await query('{ failing secret }');
  assert.deepEqual(data, {failing: null, secret: null});
  const failing = errors.find(({path}) => path[0] === 'failing');
  assert.deepEqual(failing, {
    path: ['failing'], data: {a: 1}, errorType: 'GroupNotFound', errorInfo: {b: 2},
    locations: [{line: 1, column: 3, sourceName: null}], message: 'no such group'});
  assert.equal(errors.find(({path}) => path[0] === 'secret').message, 'Not Authorized to access secret on type Query');
  for (const [body, status, message] of [
    ['', 400, 'Request body is empty.'],
    ['{', 400, 'Unable to parse GraphQL query.'],
    ['{"query":"{"}', 400, 'Unable to parse GraphQL query.'],
    ['{"query":"query a { failing } query b { failing }"}', 400, 'Missing operation name.'],
  ]) {
    const answer = await post(body);
    assert.equal(answer.status, status);
    assert.equal(answer.body.errors[0].message, message);
  }
  const wrong = await post('{}', {'x-api-key': 'da2-wrong'});
  assert.equal(wrong.status, 401);
  assert.deepEqual(wrong.body, {errors: [
    {errorType: 'UnauthorizedException', message: 'You are not authorized to make this call.'}]});
});

test('pages of any origin may call', async () => {
  const preflight = await fetch(api.uris.GRAPHQL, {method: 'OPTIONS', headers: {
    origin: 'https://app.example.com', 'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-api-key'}});
  assert.equal(preflight.status, 200);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.match(preflight.headers.get('access-control-allow-headers'), /x-api-key/);
  const answer = await post('{"query":"{ failing }"}', {'x-api-key': key.id, origin: 'https://app.example.com'});
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  // The account's keys are known to every page.
  const signed = await fetch(api.uris.GRAPHQL, {method: 'POST', body: '{}', headers: {
    origin: 'https://app.example.com', authorization: 'AWS4-HMAC-SHA256 Credential=test/x'}});
  assert.equal(signed.status, 403);
});

test('subscribers get what their arguments match, in order', async () => {
  const socket = await connect();
  socket.start('a', ON_NOTE, {g: 'one'});
  assert.deepEqual(await socket.next(), {id: 'a', type: 'start_ack'});
  socket.start('b', 'subscription { onNote(group: "two") { text group stage } }');
  assert.deepEqual(await socket.next(), {id: 'b', type: 'start_ack'});
  await echo('one', '1');
  await echo('other', 'not for us');
  await echo('two', '2');
  await echo('one', '3');
  const texts = [];
  for (let i = 0; i < 3; ++i) texts.push(await socket.next());
  assert.deepEqual(texts, [
    {id: 'a', type: 'data', payload: {data: {onNote: {id: '1', text: '1'}}}},
    {id: 'b', type: 'data', payload: {data: {onNote: {text: '2', group: 'two', stage: null}}}},
    {id: 'a', type: 'data', payload: {data: {onNote: {id: '1', text: '3'}}}}]);
  socket.send({id: 'a', type: 'stop'});
  assert.deepEqual(await socket.next(), {id: 'a', type: 'complete'});
  await echo('one', '4');
  await echo('two', '5');
  assert.equal((await socket.next()).payload.data.onNote.text, '5');
  socket.socket.close();
});

test('a subscription has its own resolver and filter', async () => {
  const socket = await connect();
  socket.start('r', 'subscription { onRefused(group: "g") { id } }');
  const error = await socket.next();
  assert.deepEqual([error.type, error.id, error.payload.errors[0].errorType], ['error', 'r', 'Unauthorized']);
  socket.start('f', 'subscription { onFiltered(text: "ab") { text } }');
  assert.deepEqual(await socket.next(), {id: 'f', type: 'start_ack'});
  await echo('g', 'xab');
  await echo('g', 'abc');
  assert.equal((await socket.next()).payload.data.onFiltered.text, 'abc');
  socket.socket.close();
});

test('credentials come by query, subprotocol or header, or are refused', async () => {
  const encoded = Buffer.from(JSON.stringify({host: 'x', 'x-api-key': key.id})).toString('base64url');
  (await connect({search: '', protocols: ['graphql-ws', `header-${encoded}`]})).socket.close();
  const socket = await openSocket({credentials: {host: 'x', 'x-api-key': 'wrong'}});
  socket.send({type: 'connection_init'});
  const error = await socket.next();
  assert.deepEqual([error.type, error.payload.errors[0].errorType], ['connection_error', 'UnauthorizedException']);
  assert.equal((await socket.next()).type, 'closed');
  const good = await connect();
  good.start('a', ON_NOTE, {g: 'one'}, {host: 'x', 'x-api-key': 'wrong'});
  assert.equal((await good.next()).payload.errors[0].errorType, 'UnauthorizedException');
  good.socket.close();
});

test('a connection is kept alive, for a day', async () => {
  const socket = await connect();
  await cloud.run(60);
  assert.deepEqual(await socket.next(), {type: 'ka'});
  await cloud.run(86400);
  let frame;
  do frame = await socket.next(); while (frame.type === 'ka');
  assert.equal(frame.type, 'closed');
});

test('a hostile client gets errors and costs little', async () => {
  const socket = await connect();
  const error = async (frame) => {
    socket.send(frame);
    const answer = await socket.next();
    assert.equal(answer.type, 'error', JSON.stringify(answer));
    return answer.payload.errors[0];
  };
  assert.equal((await error('not JSON')).errorType, 'UnsupportedOperation');
  assert.equal((await error('[]')).errorType, 'UnsupportedOperation');
  await error({type: 'nope', id: 'n'});
  await error({type: 'start', id: 'n'});
  await error({type: 'stop', id: 'n'});
  await error({type: 'start', id: 'q'.repeat(1000), payload: {data: '{}'}});
  await error({type: 'start', id: 'n', payload: {data: '{"query":"{ failing }"}'}});
  await error({type: 'start', id: 'n', payload: {data: '{"query":"subscription { nope }"}'}});
  for (let i = 0; i < 100; ++i) {
    socket.start(`s${i}`, ON_NOTE, {g: 'many'});
    assert.equal((await socket.next()).type, 'start_ack');
  }
  socket.start('s100', ON_NOTE, {g: 'many'});
  assert.equal((await socket.next()).payload.errors[0].errorType, 'MaxSubscriptionsReachedError');
  socket.start('s0', ON_NOTE, {g: 'many'});
  assert.equal((await socket.next()).payload.errors[0].errorType, 'DuplicatedOperationError');
  socket.socket.close();
  // Frames cut anywhere, and text that is not UTF-8.
  const url = new URL(api.uris.REALTIME);
  for (const bytes of [[0x81], [0x81, 0xfe], [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff], [0xff, 0xff, 0xff]]) {
    const raw = net.connect(Number(url.port), url.hostname);
    const ended = new Promise((resolve) => raw.once('close', resolve).on('error', () => {}).resume());
    raw.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-ws\r\n\r\n');
    raw.write(Buffer.from(bytes));
    raw.end();
    await ended;
  }
  assert.deepEqual(await echo('g', 'still here'), {data: {echo: {id: '1', group: 'g', text: 'still here'}}});
});

test('a client that does not read is cut off', async () => {
  const socket = await connect();
  socket.start('s', ON_NOTE, {g: 'slow'});
  assert.equal((await socket.next()).type, 'start_ack');
  socket.socket.pause();
  const closed = new Promise((resolve) => socket.socket.once('close', resolve));
  const text = 'x'.repeat(200_000);
  for (let i = 0; i < 100; ++i) await echo('slow', text);
  socket.socket.resume();
  await closed;
});

test('aws-appsync queries, mutates and subscribes', async () => {
  global.WebSocket = WebSocket;
  const {AWSAppSyncClient} = require('aws-appsync');
  const gql = require('graphql-tag');
  const old = new AWSAppSyncClient({
    url: api.uris.GRAPHQL, region: 'us-east-1', auth: {type: 'API_KEY', apiKey: key.id}, disableOffline: true});
  const noted = new Promise((resolve, reject) => {
    old.subscribe({query: gql(ON_NOTE), variables: {g: 'old'}}).subscribe({next: resolve, error: reject});
  });
  const mutation = gql('mutation($g: String!) { echo(group: $g, text: "hi") { id group text } }');
  let done = false;
  noted.finally(() => { done = true; });
  // A subscription says nothing when it has started.
  while (!done) await old.mutate({mutation, variables: {g: 'old'}, fetchPolicy: 'no-cache'});
  assert.equal((await noted).data.onNote.text, 'hi');
  const {data} = await old.query({query: gql('{ note(id: "none") { id } }'), fetchPolicy: 'network-only'});
  assert.equal(data.note, null);
});

test('Amplify queries, mutates and subscribes', async () => {
  // Amplify knows only TLS for sockets.
  global.WebSocket = class extends WebSocket {
    constructor(url, protocols) { super(url.replace(/^wss:/, 'ws:'), protocols); }
  };
  const {Amplify} = require('aws-amplify');
  const {generateClient} = require('aws-amplify/api');
  Amplify.configure({API: {GraphQL: {
    endpoint: api.uris.GRAPHQL, region: 'us-east-1', defaultAuthMode: 'apiKey', apiKey: key.id}}});
  const amplify = generateClient();
  let subscription;
  const noted = new Promise((resolve, reject) => {
    subscription = amplify.graphql({query: ON_NOTE, variables: {g: 'new'}}).subscribe({next: resolve, error: reject});
  });
  let done = false;
  noted.finally(() => { done = true; });
  const mutation = 'mutation($g: String!) { echo(group: $g, text: "hi") { id group text } }';
  while (!done) await amplify.graphql({query: mutation, variables: {g: 'new'}});
  assert.equal((await noted).data.onNote.text, 'hi');
  subscription.unsubscribe();
  const {data} = await amplify.graphql({query: '{ note(id: "none") { id } }'});
  assert.equal(data.note, null);
});
