// AppSync's sockets: every kind of credentials for the connection and for each subscription, directives, filters with every
// operator, limits. On simulated time.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const {before, after, test} = require('node:test');
const idp = require('@aws-sdk/client-cognito-identity-provider');
const {signedHeaders} = require('./appsync_signature');
const sockets = require('./appsync_socket');
const {startSimulatedCloud} = require('./simulated_cloud');

const [program, template, zip, modules] = process.argv.slice(2);
const appsync = require(path.resolve(modules, '@aws-sdk/client-appsync'));

const ALL = '@aws_api_key @aws_iam @aws_cognito_user_pools @aws_lambda';
const SCHEMA = `
  type Note ${ALL} { group: String, text: String, secret: String @aws_iam, part: Part }
  type Part @aws_api_key @aws_cognito_user_pools(cognito_groups: ["editors"]) { name: String }
  input PartInput { name: String }
  type Event @aws_api_key { name: String, n: Float, tags: [String], place: Place }
  type Place @aws_api_key { city: String, point: Point }
  type Point @aws_api_key { x: Int }
  type Query { call(request: AWSJSON!): AWSJSON }
  type Mutation {
    say(group: String, text: String, secret: String, part: PartInput): Note ${ALL}
    publish(event: AWSJSON!): Event
    end(group: String!): String
  }
  type Subscription {
    onSay(group: String): Note @aws_subscribe(mutations: ["say"]) ${ALL}
    onKey(group: String): Note @aws_subscribe(mutations: ["say"])
    onIam(group: String): Note @aws_subscribe(mutations: ["say"]) @aws_iam
    onPool(group: String): Note @aws_subscribe(mutations: ["say"]) @aws_cognito_user_pools
    onAdmin(group: String): Note @aws_subscribe(mutations: ["say"]) @aws_cognito_user_pools(cognito_groups: ["admins"])
    onLambda(group: String): Note @aws_subscribe(mutations: ["say"]) @aws_lambda
    onEvent(filter: AWSJSON!): Event @aws_subscribe(mutations: ["publish"])
    onRaw(groups: AWSJSON!): Event @aws_subscribe(mutations: ["publish"])
    onEnd(group: String!): Note @aws_subscribe(mutations: ["say"])
  }`;
const UTILS = "import { util, extensions } from '@aws-appsync/utils';";
const NOTHING = 'export function request() { return {payload: null}; }';
const pass = (value) => `export function request(ctx) { return {payload: ${value}}; }
  export function response(ctx) { return ctx.result; }`;
const RESOLVERS = [
  ['Mutation.say', 'none', pass('ctx.args')],
  ['Mutation.publish', 'none', pass('ctx.args.event')],
  ['Mutation.end', 'none', `${UTILS} export function request(ctx) { return {payload: ctx.args.group}; }
    export function response(ctx) {
      extensions.invalidateSubscriptions({subscriptionField: 'onEnd', payload: {group: ctx.args.group}});
      return ctx.result;
    }`],
  ['Query.call', 'function', `export function request(ctx) { return ctx.args.request; }
    export function response(ctx) { return ctx.result; }`],
  ['Subscription.onEvent', 'none', `${UTILS} ${NOTHING} export function response(ctx) {
      extensions.setSubscriptionFilter(util.transform.toSubscriptionFilter(ctx.args.filter));
      return null;
    }`],
  ['Subscription.onRaw', 'none', `${UTILS} ${NOTHING} export function response(ctx) {
      extensions.setSubscriptionFilter({filterGroup: ctx.args.groups});
      return null;
    }`],
  ['Subscription.onEnd', 'none', `${UTILS} ${NOTHING} export function response(ctx) {
      extensions.setSubscriptionInvalidationFilter({filterGroup: [
        {filters: [{fieldName: 'group', operator: 'beginsWith', value: ctx.args.group}]}]});
      return null;
    }`],
];

let cloud;
let client;
let api;
let key;
const send = (command) => client.send(command);
const byKey = () => ({host: 'x', 'x-api-key': key});
const ROOT = {accessKeyId: 'test', secretAccessKey: 'test'};

before(async () => {
  cloud = await startSimulatedCloud(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`]);
  client = cloud.client(appsync.AppSyncClient);
  [api] = (await send(new appsync.ListGraphqlApisCommand({}))).graphqlApis;
  const {apiId} = api;
  [{id: key}] = (await send(new appsync.ListApiKeysCommand({apiId}))).apiKeys;
  await send(new appsync.StartSchemaCreationCommand({apiId, definition: Buffer.from(SCHEMA)}));
  const {status, details} = await send(new appsync.GetSchemaCreationStatusCommand({apiId}));
  assert.equal(status, 'SUCCESS', details);
  const runtime = {name: 'APPSYNC_JS', runtimeVersion: '1.0.0'};
  for (const [name, dataSourceName, code] of RESOLVERS) {
    const [typeName, fieldName] = name.split('.');
    await send(new appsync.CreateResolverCommand({apiId, typeName, fieldName, dataSourceName, runtime, code}));
  }
});
after(() => cloud.stop());

async function query(text, variables, headers = {'x-api-key': key}) {
  const body = JSON.stringify({query: text, variables});
  const response = await fetch(api.uris.GRAPHQL, {method: 'POST', headers, body});
  return {status: response.status, ...await response.json()};
}
const say = (note, headers) => query(
  `mutation($g: String, $t: String, $s: String, $p: PartInput) {
    say(group: $g, text: $t, secret: $s, part: $p) { group text secret part { name } } }`,
  {g: note.group, t: note.text, s: note.secret, p: note.part}, headers);
const publish = async (event) => {
  const {errors} = await query(
    'mutation($e: AWSJSON!) { publish(event: $e) { name n tags place { city point { x } } } }', {e: JSON.stringify(event)});
  assert.equal(errors, undefined, JSON.stringify(errors));
};
const connect = (credentials = byKey()) => sockets.connect(api.uris.REALTIME, {credentials});

async function tokenOfJane() {
  const admin = cloud.client(idp.CognitoIdentityProviderClient);
  const {UserPools: [{Id: UserPoolId}]} = await admin.send(new idp.ListUserPoolsCommand({MaxResults: 1}));
  const {UserPoolClients: [{ClientId}]} = await admin.send(new idp.ListUserPoolClientsCommand({UserPoolId}));
  const Password = 'Correct-horse-1';
  await admin.send(new idp.AdminSetUserPasswordCommand({UserPoolId, Username: 'jane', Password, Permanent: true}));
  const {AuthenticationResult} = await admin.send(new idp.InitiateAuthCommand({
    ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: {USERNAME: 'jane', PASSWORD: Password}}));
  return AuthenticationResult.IdToken;
}
async function roleOfFunction() {
  const {data} = await query('query($r: AWSJSON!) { call(request: $r) }', {
    r: JSON.stringify({operation: 'Invoke', payload: {credentials: true}})});
  const environment = JSON.parse(data.call);
  return {
    accessKeyId: environment.AWS_ACCESS_KEY_ID, secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
    sessionToken: environment.AWS_SESSION_TOKEN};
}
const signedConnection = (credentials = ROOT) => signedHeaders({url: `${api.uris.GRAPHQL}/connect`, body: '{}', credentials});
const signedStart = (text, credentials = ROOT) => signedHeaders(
  {url: api.uris.GRAPHQL, body: JSON.stringify({query: text}), credentials});
const on = (field, selection = 'group text') => `subscription { ${field}(group: "g") { ${selection} } }`;

/** What the socket gets for a subscription: 'start_ack', or the type of the error. */
async function outcome(socket, text, authorization) {
  const id = `${Math.random()}`;
  socket.start(id, text, undefined, authorization);
  const frame = await socket.next();
  assert.equal(frame.id, id);
  if (frame.type === 'start_ack') {
    socket.send({id, type: 'stop'});
    assert.deepEqual(await socket.next(), {id, type: 'complete'});
    return 'start_ack';
  }
  assert.equal(frame.type, 'error');
  return frame.payload.errors[0].errorType;
}

test('every kind of credentials opens a connection and starts a subscription', async () => {
  const text = on('onSay');
  const jane = {host: 'x', authorization: await tokenOfJane()};
  for (const [connection, start] of [
    [byKey(), byKey()],
    [await signedConnection(), await signedStart(text)],
    [jane, jane],
    [{host: 'x', authorization: 'allow'}, {host: 'x', authorization: 'allow'}],
    // The two need not be of a kind.
    [byKey(), jane],
  ]) {
    const socket = await connect(connection);
    await socket.subscribe('1', text, undefined, start);
    await say({group: 'g', text: 'hello'});
    assert.deepEqual(await socket.next(), {id: '1', type: 'data', payload: {data: {onSay: {group: 'g', text: 'hello'}}}});
    socket.close();
  }
});

test('wrong credentials of every kind are refused', async () => {
  const text = on('onSay');
  const wrong = [
    [{host: 'x', 'x-api-key': 'da2-wrong'}, 'UnauthorizedException'],
    [{host: 'x'}, 'UnauthorizedException'],
    [{host: 'x', authorization: 'deny'}, 'UnauthorizedException'],
    [{host: 'x', authorization: 'NOT MATCHED'}, 'UnauthorizedException'],
    [await signedStart(text, {...ROOT, secretAccessKey: 'wrong'}), 'InvalidSignatureException'],
    // A signature for something else.
    [await signedStart(on('onIam')), 'InvalidSignatureException'],
  ];
  const good = await connect();
  for (const [credentials, type] of wrong) {
    const socket = await sockets.openSocket(api.uris.REALTIME, {credentials});
    socket.send({type: 'connection_init'});
    const frame = await socket.next();
    assert.equal(frame.type, 'connection_error');
    assert.equal(frame.payload.errors[0].errorType, type, JSON.stringify(frame));
    assert.equal((await socket.next()).type, 'closed');
    assert.equal(await outcome(good, text, credentials), type);
  }
  // The connection is as good as before.
  assert.equal(await outcome(good, text), 'start_ack');
  good.close();
});

test('a key or a token that has expired is refused', async () => {
  const {apiKey} = await send(new appsync.CreateApiKeyCommand({
    apiId: api.apiId, expires: Math.floor(Date.now() / 1000) + 2 * 86400}));
  const short = {host: 'x', 'x-api-key': apiKey.id};
  const jane = {host: 'x', authorization: await tokenOfJane()};
  let socket = await connect(short);
  assert.equal(await outcome(socket, on('onSay')), 'start_ack');
  assert.equal(await outcome(socket, on('onSay'), jane), 'start_ack');
  await cloud.run(3 * 86400);
  do ; while ((await socket.next()).type !== 'closed');
  for (const credentials of [short, jane]) {
    socket = await sockets.openSocket(api.uris.REALTIME, {credentials});
    socket.send({type: 'connection_init'});
    assert.equal((await socket.next()).type, 'connection_error');
    assert.equal((await query('{ __typename }', undefined, credentials)).status, 401);
  }
  socket = await connect();
  for (const credentials of [short, jane]) assert.equal(await outcome(socket, on('onSay'), credentials), 'UnauthorizedException');
  // A key that is deleted is none at once.
  const {apiKey: {id}} = await send(new appsync.CreateApiKeyCommand({apiId: api.apiId}));
  assert.equal(await outcome(socket, on('onSay'), {host: 'x', 'x-api-key': id}), 'start_ack');
  await send(new appsync.DeleteApiKeyCommand({apiId: api.apiId, id}));
  assert.equal(await outcome(socket, on('onSay'), {host: 'x', 'x-api-key': id}), 'UnauthorizedException');
  socket.close();
});

test('directives decide who may subscribe to what', async () => {
  const fields = ['onSay', 'onKey', 'onIam', 'onPool', 'onAdmin', 'onLambda'];
  const jane = {host: 'x', authorization: await tokenOfJane()};
  const role = await roleOfFunction();
  const allowed = async (credentialsFor) => {
    const socket = await connect();
    const started = [];
    for (const field of fields) {
      const text = on(field);
      const type = await outcome(socket, text, await credentialsFor(text));
      if (type === 'start_ack') started.push(field); else assert.equal(type, 'Unauthorized');
    }
    socket.close();
    return started;
  };
  // Without a directive, the API's default counts: a key.
  assert.deepEqual(await allowed(byKey), ['onSay', 'onKey']);
  assert.deepEqual(await allowed((text) => signedStart(text)), ['onSay', 'onIam']);
  // May call Query.whoami alone.
  assert.deepEqual(await allowed((text) => signedStart(text, role)), []);
  assert.deepEqual(await allowed(() => jane), ['onSay', 'onPool']);
  assert.deepEqual(await allowed(() => ({host: 'x', authorization: 'allow'})), ['onSay', 'onLambda']);
});

test('a field that the subscriber may not see can\'t be selected', async () => {
  const jane = {host: 'x', authorization: await tokenOfJane()};
  const socket = await connect();
  for (const [selection, credentials, error] of [
    ['secret', byKey(), 'Not Authorized to access secret on type Note'],
    ['text ... on Note { s: secret }', jane, 'Not Authorized to access secret on type Note'],
    ['part { name }', {host: 'x', authorization: 'allow'}, 'Not Authorized to access name on type Part'],
    ['part { name }', byKey()],
    ['part { name }', jane],
    ['__typename text', byKey()],
  ]) {
    socket.start('s', on('onSay', selection), undefined, credentials);
    const frame = await socket.next();
    if (!error) {
      assert.deepEqual(frame, {id: 's', type: 'start_ack'});
      socket.send({id: 's', type: 'stop'});
      await socket.next();
    } else {
      assert.deepEqual(frame, {
        id: 's', type: 'error', payload: {errors: [{errorType: 'Unauthorized', message: error}]}});
    }
  }
  const text = on('onSay', 'secret');
  await socket.subscribe('iam', text, undefined, await signedStart(text));
  await say({group: 'g', secret: 'known to its own'}, await signedHeaders({
    url: api.uris.GRAPHQL, credentials: ROOT, body: JSON.stringify({
      query: `mutation($g: String, $t: String, $s: String, $p: PartInput) {
    say(group: $g, text: $t, secret: $s, part: $p) { group text secret part { name } } }`,
      variables: {g: 'g', s: 'known to its own'}})}));
  assert.equal((await socket.next()).payload.data.onSay.secret, 'known to its own');
  socket.close();
});

const EVENTS = [
  {name: 'alpha', n: 1, tags: ['red', 'round'], place: {city: 'Berlin', point: {x: 1}}},
  {name: 'beta', n: 2.5, tags: ['blue'], place: {city: 'Bern', point: {x: 2}}},
  {name: 'gamma', n: 10, tags: [], place: null},
  {name: null, n: null, tags: null, place: {city: null, point: null}},
];
/** The indexes of the events that a subscriber gets. */
async function delivered(text, variables) {
  const socket = await connect();
  await socket.subscribe('f', text, variables);
  for (const event of EVENTS) await publish(event);
  // Ends what was published before.
  socket.send({id: 'f', type: 'stop'});
  const names = [];
  for (let frame = await socket.next(); frame.type !== 'complete'; frame = await socket.next()) {
    names.push(EVENTS.findIndex(({name}) => name === Object.values(frame.payload.data)[0].name));
  }
  socket.close();
  return names;
}
for (const [name, filter, expected] of [
  ['eq of a text', {name: {eq: 'beta'}}, [1]],
  ['eq of a number', {n: {eq: 10}}, [2]],
  ['ne', {name: {ne: 'beta'}}, [0, 2, 3]],
  ['le', {n: {le: 2.5}}, [0, 1]],
  ['lt', {n: {lt: 2.5}}, [0]],
  ['ge', {n: {ge: 2.5}}, [1, 2]],
  ['gt', {n: {gt: 2.5}}, [2]],
  ['gt of a text', {name: {gt: 'alpha'}}, [1, 2]],
  ['contains in a text', {name: {contains: 'a'}}, [0, 1, 2]],
  ['contains in a list', {tags: {contains: 'red'}}, [0]],
  ['notContains', {tags: {notContains: 'red'}}, [1, 2, 3]],
  ['beginsWith', {'place.city': {beginsWith: 'Ber'}}, [0, 1]],
  ['in', {name: {in: ['alpha', 'gamma']}}, [0, 2]],
  ['notIn', {name: {notIn: ['alpha', 'gamma']}}, [1, 3]],
  ['between', {n: {between: [1, 5]}}, [0, 1]],
  ['containsAny', {tags: {containsAny: ['blue', 'round']}}, [0, 1]],
  ['a path', {'place.point.x': {ge: 2}}, [1]],
  ['several fields', {n: {ge: 2}, name: {ne: 'gamma'}}, [1]],
  ['and', {and: [{n: {ge: 2}}, {n: {lt: 10}}]}, [1]],
  // As on AWS.
  ['several operators of a field are alternatives', {n: {lt: 2, gt: 5}}, [0, 2]],
  ['or', {or: [{name: {eq: 'alpha'}}, {n: {gt: 5}}]}, [0, 2]],
]) {
  test(`a filter: ${name}`, async () => {
    const text = 'subscription($f: AWSJSON!) { onEvent(filter: $f) { name } }';
    assert.deepEqual(await delivered(text, {f: JSON.stringify(filter)}), expected);
  });
}

test('filters that break a limit keep a subscription from starting', async () => {
  const text = 'subscription($g: AWSJSON!) { onRaw(groups: $g) { name } }';
  const one = {fieldName: 'name', operator: 'eq', value: 'alpha'};
  const two = {fieldName: 'name', operator: 'eq', value: 'beta'};
  assert.deepEqual(await delivered(text, {g: JSON.stringify([{filters: [one]}, {filters: [two]}])}), [0, 1]);
  assert.deepEqual(await delivered(text, {g: JSON.stringify([{filters: [one, two]}])}), []);
  const socket = await connect();
  for (const groups of [
    [{filters: [{...one, operator: 'like'}]}],
    [{filters: [{...one, fieldName: 'a.b.c.d.e.f'}]}],
    [{filters: [{...one, operator: 'in', value: ['1', '2', '3', '4', '5', '6']}]}],
    [{filters: [{...one, operator: 'between', value: [1]}]}],
    [{filters: [{...one, operator: 'containsAny', value: Array(21).fill('x')}]}],
    [{filters: Array(6).fill(one)}],
    Array(11).fill({filters: [one]}),
    [{filters: []}],
  ]) {
    socket.start('l', text, {g: JSON.stringify(groups)});
    const frame = await socket.next();
    assert.equal(frame.type, 'error', JSON.stringify(groups));
    assert.equal(frame.id, 'l');
  }
  socket.close();
});

test('invalidation ends the subscriptions that match, and their connections', async () => {
  const text = 'subscription($g: String!) { onEnd(group: $g) { text } }';
  const [ended, kept] = [await connect(), await connect()];
  await ended.subscribe('a', text, {g: 'a'});
  await ended.subscribe('b', text, {g: 'b'});
  await kept.subscribe('b', text, {g: 'b'});
  assert.deepEqual((await query('mutation { end(group: "ab") }')).data, {end: 'ab'});
  assert.deepEqual(await ended.next(), {id: 'a', type: 'complete'});
  assert.equal((await ended.next()).type, 'closed');
  await say({group: 'b', text: 'hi'});
  assert.deepEqual(await kept.next(), {id: 'b', type: 'data', payload: {data: {onEnd: {text: 'hi'}}}});
  kept.close();
});

test('a message of more than 240 KB is dropped, and those after it are not', async () => {
  const socket = await connect();
  await socket.subscribe('1', on('onSay', 'text'));
  const most = 240 * 1024 - 100;
  for (const text of ['x'.repeat(most), 'y'.repeat(240 * 1024), 'z']) {
    // The mutation itself succeeds.
    assert.equal((await say({group: 'g', text})).data.say.text, text);
  }
  assert.equal((await socket.next()).payload.data.onSay.text.length, most);
  assert.equal((await socket.next()).payload.data.onSay.text, 'z');
  socket.close();
});

test('a client that does not introduce itself is disconnected', async () => {
  const silent = await sockets.openSocket(api.uris.REALTIME, {credentials: byKey()});
  const early = await sockets.openSocket(api.uris.REALTIME, {credentials: byKey()});
  early.start('1', on('onSay'));
  assert.equal((await early.next()).payload.errors[0].errorType, 'UnsupportedOperation');
  const good = await connect();
  await cloud.run(61);
  for (const socket of [silent, early]) assert.equal((await socket.next()).type, 'closed');
  assert.deepEqual(await good.next(), {type: 'ka'});
  good.close();
});

test('the sockets of an API that is deleted are closed', async () => {
  const {graphqlApi} = await send(new appsync.CreateGraphqlApiCommand({name: 'brief', authenticationType: 'API_KEY'}));
  const {apiKey} = await send(new appsync.CreateApiKeyCommand({apiId: graphqlApi.apiId}));
  const socket = await sockets.connect(graphqlApi.uris.REALTIME, {credentials: {host: 'x', 'x-api-key': apiKey.id}});
  await send(new appsync.DeleteGraphqlApiCommand({apiId: graphqlApi.apiId}));
  socket.start('1', 'subscription { any }');
  assert.equal((await socket.next()).payload.errors[0].errorType, 'UnauthorizedException');
  await cloud.run(61);
  assert.equal((await socket.next()).type, 'closed');
});
