// Every resolver and pipeline function of Mesh v2, as the deployed stack has them, through AppSync's EvaluateCode with
// the AWS SDK: what each asks its data source for, what it answers, and how it fails.
//   evaluate_test.js CLOUD TEMPLATE ZIP
'use strict';

const assert = require('node:assert/strict');
const {after, before, test} = require('node:test');
const appsync = require('@aws-sdk/client-appsync');
const {buildSchema} = require('graphql');
const {startMesh} = require('./cloud');

let cloud;
let client;
/** Code by the name of the function, or by type and field. */
const codes = {};
const evaluated = new Set();

before(async () => {
  cloud = await startMesh(process.argv.slice(2));
  client = new appsync.AppSyncClient({
    endpoint: cloud.outputs.endpoint, region: 'us-east-1', maxAttempts: 1,
    credentials: {accessKeyId: 'test', secretAccessKey: 'test'},
  });
  const apiId = cloud.outputs.ApiId;
  for (const typeName of ['Query', 'Mutation']) {
    for (const {fieldName, code} of await all(appsync.ListResolversCommand, {apiId, typeName}, 'resolvers')) {
      codes[`${typeName}.${fieldName}`] = code;
    }
  }
  for (const {name, code} of await all(appsync.ListFunctionsCommand, {apiId}, 'functions')) codes[name] = code;
});
after(async () => {
  client.destroy();
  await cloud.stop();
});

async function all(Command, input, member) {
  const found = [];
  let nextToken;
  do {
    const page = await client.send(new Command({...input, nextToken}));
    found.push(...page[member]);
    nextToken = page.nextToken;
  } while (nextToken);
  return found;
}

/** {result, error, stash} of a handler. */
async function evaluate(name, handler, context) {
  evaluated.add(`${name} ${handler}`);
  const answer = await client.send(new appsync.EvaluateCodeCommand({
    runtime: {name: 'APPSYNC_JS', runtimeVersion: '1.0.0'},
    code: codes[name], context: JSON.stringify(context), function: handler,
  }));
  assert.deepEqual(answer.error?.codeErrors ?? [], []);
  return {
    result: answer.evaluationResult === undefined ? undefined : JSON.parse(answer.evaluationResult),
    error: answer.error?.message,
    stash: JSON.parse(answer.stash ?? '{}'),
  };
}

const TABLE = 'MeshV2Table';
const KEY = {groupId: 'g', domain: 'd'};
const NODE = {...KEY, nodeId: 'n'};
const EXPIRES = 1000;
const iso = (seconds) => new Date(seconds * 1000).toISOString();
const groupItem = (more = {}) => ({
  groupId: 'g', domain: 'd', hostId: 'h', name: 'class', createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: cloud.now() + EXPIRES, ttl: cloud.now() + 100, ...more,
});
/** A call in a group that is alive. */
const inGroup = (args, more = {}) => ({arguments: args, stash: {group: groupItem()}, ...more});
const GROUP_KEY = {pk: {S: 'DOMAIN#d'}, sk: {S: 'GROUP#g#METADATA'}};
const NODE_KEY = {pk: {S: 'GROUP#g@d'}, sk: {S: 'NODE#n'}};
const FAILED = {error: {type: 'DynamoDB:X', message: 'it failed'}};
const CONDITION_FAILED = {error: {type: 'DynamoDB:ConditionalCheckFailedException', message: 'it failed'}};
const LONG_ID = 'x'.repeat(129);
const LONG_DOMAIN = 'x'.repeat(257);

async function request(name, context) {
  const {result, error} = await evaluate(name, 'request', context);
  assert.equal(error, undefined);
  return result;
}
async function response(name, context, result) {
  const answer = await evaluate(name, 'response', {...context, result});
  assert.equal(answer.error, undefined);
  return answer.result;
}
async function fails(name, handler, context, message) {
  const {error} = await evaluate(name, handler, context);
  if (message instanceof RegExp) return assert.match(error ?? 'no error', message);
  return assert.equal(error, message);
}
/** A failure of the data source is passed on. */
const passesOn = (name, context) => fails(name, 'response', {...context, ...FAILED}, 'it failed');

test('checkGroupExists', async () => {
  const name = 'checkGroupExists';
  const context = {arguments: KEY};
  assert.deepEqual(await request(name, context), {operation: 'GetItem', key: GROUP_KEY, consistentRead: true});
  await fails(name, 'request', {arguments: {...KEY, groupId: LONG_ID}}, `Group not found: ${LONG_ID}@d`);
  await fails(name, 'request', {arguments: {...KEY, domain: LONG_DOMAIN}}, `Group not found: g@${LONG_DOMAIN}`);
  const now = cloud.now();
  const alive = groupItem({ttl: now, expiresAt: now});
  assert.deepEqual(await response(name, context, alive), alive);
  assert.deepEqual((await evaluate(name, 'response', {...context, result: alive})).stash, {group: alive});
  await fails(name, 'response', {...context, result: null}, 'Group not found: g@d');
  await fails(name, 'response', {...context, result: groupItem({ttl: now - 1, expiresAt: now - 1})},
    `Group expired: g@d (expiresAt: ${iso(now - 1)})`);
  await fails(name, 'response', {...context, result: groupItem({ttl: now - 1})},
    'Group not found: g@d (heartbeat expired)');
  await passesOn(name, context);
});

test('checkMembership', async () => {
  const name = 'checkMembership';
  const context = inGroup(NODE);
  assert.deepEqual(await request(name, context), {operation: 'GetItem', key: NODE_KEY, consistentRead: true});
  // The host has no node, and nothing is read.
  assert.deepEqual(await request(name, inGroup({...KEY, nodeId: 'h'})), {});
  await fails(name, 'request', inGroup({...KEY, nodeId: LONG_ID}), 'Node not found');
  const node = {nodeId: 'n', ttl: cloud.now()};
  assert.deepEqual(await response(name, context, node), node);
  await fails(name, 'response', {...context, result: null}, 'Node not found');
  await fails(name, 'response', {...context, result: {...node, ttl: cloud.now() - 1}}, 'Node not found');
  await passesOn(name, context);
});

test('putNode', async () => {
  const name = 'putNode';
  const context = inGroup(NODE);
  assert.deepEqual(await request(name, context), {
    operation: 'PutItem',
    key: NODE_KEY,
    attributeValues: {
      nodeId: {S: 'n'}, name: {S: 'Node n'}, groupId: {S: 'g'}, domain: {S: 'd'}, heartbeatIntervalSeconds: {N: 120},
      expiresAt: {N: cloud.now() + EXPIRES}, ttl: {N: cloud.now() + 600},
    },
  });
  for (const nodeId of ['', LONG_ID]) {
    await fails(name, 'request', inGroup({...KEY, nodeId}),
      `nodeId must have 1 to 128 characters, not ${nodeId.length}`);
  }
  assert.deepEqual(await response(name, context, {}),
    {id: 'n', name: 'Node n', ...KEY, heartbeatIntervalSeconds: 120});
  await passesOn(name, context);
});

test('updateGroupTTL', async () => {
  const name = 'updateGroupTTL';
  const context = inGroup({...KEY, hostId: 'h'});
  const now = cloud.now();
  const asked = await request(name, context);
  assert.deepEqual(asked, {
    operation: 'UpdateItem',
    key: GROUP_KEY,
    update: {
      expression: 'SET #ttl = :deadline',
      expressionNames: {'#ttl': 'ttl'}, expressionValues: {':deadline': {N: now + 150}},
    },
    condition: {
      expression: 'attribute_exists(pk) AND #ttl >= :now',
      expressionNames: {'#ttl': 'ttl'}, expressionValues: {':now': {N: now}},
    },
  });
  // Not beyond the end.
  const ending = {...context, stash: {group: groupItem({expiresAt: now + 149})}};
  assert.deepEqual((await request(name, ending)).update.expressionValues, {':deadline': {N: now + 149}});
  await fails(name, 'request', inGroup({...KEY, hostId: 'n'}), 'Only the host can renew the heartbeat');
  assert.deepEqual(await response(name, context, {}),
    {...KEY, expiresAt: iso(now + EXPIRES), heartbeatIntervalSeconds: 30});
  await fails(name, 'response', {...context, ...CONDITION_FAILED}, 'Group not found: g@d (heartbeat expired)');
  await passesOn(name, context);
});

test('updateNodeTTL', async () => {
  const name = 'updateNodeTTL';
  const context = inGroup(NODE);
  const now = cloud.now();
  const {result, stash} = await evaluate(name, 'request', context);
  assert.deepEqual([result.operation, result.key], ['UpdateItem', NODE_KEY]);
  assert.deepEqual(result.update.expressionValues, {':deadline': {N: now + 600}});
  assert.equal(result.condition.expression, 'attribute_exists(pk) AND #ttl >= :now');
  assert.equal(stash.deadline, now + 600);
  // The host has no node: its deadline is that of the group.
  const ofHost = await evaluate(name, 'request', inGroup({...KEY, nodeId: 'h'}));
  assert.deepEqual([ofHost.result, ofHost.stash.deadline], [{}, now + 100]);
  await fails(name, 'request', inGroup({...KEY, nodeId: LONG_ID}), 'Node not found');
  assert.deepEqual(await response(name, context, {ttl: 1}), {ttl: 1});
  await fails(name, 'response', {...context, ...CONDITION_FAILED}, 'Node not found');
  await passesOn(name, context);
});

test('putStatus', async () => {
  const name = 'putStatus';
  const data = [{key: 'k', value: 'v'}];
  const context = inGroup({...NODE, data});
  const {result, stash} = await evaluate(name, 'request', context);
  const item = {
    nodeId: {S: 'n'}, groupId: {S: 'g'}, domain: {S: 'd'}, timestamp: {S: iso(cloud.now())},
    data: {L: [{M: {key: {S: 'k'}, value: {S: 'v'}}}]}, ttl: {N: cloud.now() + EXPIRES},
  };
  assert.deepEqual(result, {
    operation: 'BatchPutItem',
    tables: {
      [TABLE]: [
        {pk: {S: 'NODE#n'}, sk: {S: 'STATUS#LATEST'}, ...item},
        {pk: {S: 'GROUP#g@d'}, sk: {S: 'STATUS#n'}, ...item},
      ],
    },
  });
  const status = {...NODE, data, timestamp: iso(cloud.now())};
  assert.deepEqual(stash.status, status);
  const stored = {...context, stash};
  assert.deepEqual(await response(name, stored, {unprocessedItems: {[TABLE]: []}}), status);
  await fails(name, 'response', {...stored, result: {unprocessedItems: {[TABLE]: [{}]}}},
    'The table is overloaded; report again');
  await passesOn(name, stored);
});

test('confirmWrite', async () => {
  const name = 'confirmWrite';
  const joining = inGroup(NODE, {prev: {result: {id: 'n'}}});
  const reporting = {...joining, stash: {...joining.stash, status: NODE}};
  const read = (...keys) => ({operation: 'BatchGetItem', tables: {[TABLE]: {keys, consistentRead: true}}});
  assert.deepEqual(await request(name, joining), read(GROUP_KEY));
  assert.deepEqual(await request(name, reporting), read(GROUP_KEY, NODE_KEY));
  assert.deepEqual(await request(name, {...reporting, arguments: {...KEY, nodeId: 'h'}}), read(GROUP_KEY));
  const rejection = async (...items) => {
    const answer = await evaluate(name, 'response', {...reporting, result: {data: {[TABLE]: items}}});
    assert.deepEqual([answer.error, answer.result], [undefined, {id: 'n'}]);
    return answer.stash.rejection;
  };
  const alive = groupItem({ttl: cloud.now()});
  assert.equal(await rejection(alive, {}), undefined);
  assert.equal(await rejection(alive), undefined);
  assert.deepEqual(await rejection(null, null), {message: 'Group not found: g@d', type: 'GroupNotFound'});
  assert.deepEqual(await rejection(groupItem({ttl: cloud.now() - 1}), null),
    {message: 'Group not found: g@d (heartbeat expired)', type: 'GroupNotFound'});
  assert.deepEqual(await rejection(alive, null), {message: 'Node not found', type: 'NodeNotFound'});
  await fails(name, 'response',
    {...reporting, result: {data: {[TABLE]: [null]}, unprocessedKeys: {[TABLE]: [{pk: 'DOMAIN#d'}]}}},
    'The table is overloaded; try again');
  await passesOn(name, reporting);
});

test('undoNode, undoLatestStatus, undoStatus', async () => {
  const status = {...NODE, data: [], timestamp: 't'};
  const kept = inGroup(NODE, {prev: {result: {id: 'n'}}, stash: {group: groupItem(), status}});
  const late = {...kept, stash: {...kept.stash, rejection: {message: 'too late', type: 'GroupNotFound'}}};
  for (const name of ['undoNode', 'undoLatestStatus', 'undoStatus']) {
    assert.deepEqual(await request(name, kept), {id: 'n'}, name);
    await passesOn(name, late);
  }
  assert.deepEqual(await request('undoNode', late), {operation: 'DeleteItem', key: NODE_KEY});
  await fails('undoNode', 'response', {...late, result: {}}, 'too late');
  const latest = await request('undoLatestStatus', late);
  assert.deepEqual([latest.operation, latest.key], ['DeleteItem', {pk: {S: 'NODE#n'}, sk: {S: 'STATUS#LATEST'}}]);
  assert.deepEqual(latest.condition.expressionValues,
    {':groupId': {S: 'g'}, ':domain': {S: 'd'}, ':timestamp': {S: 't'}});
  assert.deepEqual(await response('undoLatestStatus', late, {}), {});
  assert.deepEqual((await evaluate('undoLatestStatus', 'response', {...late, ...CONDITION_FAILED})).result, {});
  const inPartition = await request('undoStatus', late);
  assert.deepEqual([inPartition.operation, inPartition.key],
    ['DeleteItem', {pk: {S: 'GROUP#g@d'}, sk: {S: 'STATUS#n'}}]);
  assert.deepEqual(inPartition.condition.expressionValues, {':timestamp': {S: 't'}});
  for (const ended of [{result: {}}, CONDITION_FAILED]) {
    await fails('undoStatus', 'response', {...late, ...ended}, 'too late');
  }
});

test('queryGroup', async () => {
  const name = 'queryGroup';
  const context = inGroup(KEY);
  const query = {
    operation: 'Query',
    query: {
      expression: 'pk = :group AND sk >= :nodes',
      expressionValues: {':group': {S: 'GROUP#g@d'}, ':nodes': {S: 'NODE#'}},
    },
    consistentRead: true,
  };
  assert.deepEqual(await request(name, context), {...query, nextToken: null});
  const first = await evaluate(name, 'response', {...context, result: {items: [{sk: 'NODE#n'}], nextToken: 't'}});
  assert.deepEqual(first.stash.items, [{sk: 'NODE#n'}]);
  const second = {...context, stash: first.stash};
  assert.deepEqual(await request(name, second), {...query, nextToken: 't'});
  const last = await evaluate(name, 'response', {...second, result: {items: [{sk: 'STATUS#n'}], nextToken: null}});
  assert.deepEqual(last.stash.items, [{sk: 'NODE#n'}, {sk: 'STATUS#n'}]);
  // No further page.
  assert.deepEqual(await request(name, {...context, stash: last.stash}), {});
  await passesOn(name, context);
});

test('listGroupStatuses', async () => {
  const name = 'Query.listGroupStatuses';
  const now = cloud.now();
  const status = (nodeId) => ({nodeId, ...KEY, data: [], timestamp: 't'});
  const items = [
    {sk: 'NODE#n', nodeId: 'n', ttl: now}, {sk: 'NODE#silent', nodeId: 'silent', ttl: now - 1},
    ...['gone', 'h', 'n', 'silent'].map((id) => ({sk: `STATUS#${id}`, pk: 'p', ttl: 1, ...status(id)})),
  ];
  const context = {arguments: KEY, stash: {group: groupItem(), items}};
  assert.deepEqual(await request(name, context), {});
  assert.deepEqual(await response(name, context, {}), [status('h'), status('n')]);
  await fails(name, 'response', {...context, stash: {...context.stash, nextToken: 't'}},
    'The group has too many statuses for one answer');
});

test('joinGroup, renewHeartbeat and reportDataByNode answer what their last function does', async () => {
  for (const field of ['joinGroup', 'renewHeartbeat', 'reportDataByNode']) {
    assert.deepEqual(await request(`Mutation.${field}`, inGroup(NODE)), {});
    assert.deepEqual(await response(`Mutation.${field}`, inGroup(NODE, {prev: {result: {a: 1}}})), {a: 1});
  }
});

test('sendMemberHeartbeat', async () => {
  const name = 'Mutation.sendMemberHeartbeat';
  const context = {arguments: NODE, stash: {deadline: cloud.now() + 600}};
  assert.deepEqual(await request(name, context), {});
  assert.deepEqual(await response(name, context, {}),
    {...NODE, expiresAt: iso(cloud.now() + 600), heartbeatIntervalSeconds: 120});
});

test('listGroupsByDomain', async () => {
  const name = 'Query.listGroupsByDomain';
  const context = {arguments: {domain: 'd'}};
  assert.deepEqual(await request(name, context), {
    operation: 'Query',
    index: 'GSI1',
    query: {
      expression: '#partition = :domain AND begins_with(#sort, :groups)',
      expressionNames: {'#partition': 'GSI1PK', '#sort': 'GSI1SK'},
      expressionValues: {':domain': {S: 'DOMAIN#d'}, ':groups': {S: 'GROUP#'}},
    },
    filter: {
      expression: '#ttl >= :now', expressionNames: {'#ttl': 'ttl'}, expressionValues: {':now': {N: cloud.now()}},
    },
    scanIndexForward: true,
  });
  assert.deepEqual(await request(name, {arguments: {domain: LONG_DOMAIN}}), []);
  const {groupId, createdAt} = groupItem();
  assert.deepEqual(await response(name, context, {items: [groupItem()]}), [{
    id: groupId, domain: 'd', fullId: 'g@d', name: 'class', hostId: 'h', createdAt,
    expiresAt: iso(cloud.now() + EXPIRES),
  }]);
  await passesOn(name, context);
});

test('getGroup', async () => {
  const name = 'Query.getGroup';
  const context = {arguments: KEY};
  assert.deepEqual(await request(name, context), {operation: 'GetItem', key: GROUP_KEY, consistentRead: true});
  assert.equal(await request(name, {arguments: {...KEY, groupId: LONG_ID}}), null);
  assert.equal(await request(name, {arguments: {...KEY, domain: LONG_DOMAIN}}), null);
  assert.equal((await response(name, context, groupItem({ttl: cloud.now()}))).fullId, 'g@d');
  assert.equal(await response(name, context, groupItem({ttl: cloud.now() - 1})), null);
  assert.equal(await response(name, context, null), null);
  await passesOn(name, context);
});

test('getNodeStatus', async () => {
  const name = 'Query.getNodeStatus';
  const context = {arguments: {nodeId: 'n'}};
  assert.deepEqual(await request(name, context),
    {operation: 'GetItem', key: {pk: {S: 'NODE#n'}, sk: {S: 'STATUS#LATEST'}}, consistentRead: true});
  assert.equal(await request(name, {arguments: {nodeId: LONG_ID}}), null);
  const status = {...NODE, data: [{key: 'k', value: 'v'}], timestamp: 't'};
  assert.deepEqual(await response(name, context, {...status, pk: 'p', sk: 's', ttl: cloud.now()}), status);
  assert.equal(await response(name, context, {...status, ttl: cloud.now() - 1}), null);
  assert.equal(await response(name, context, null), null);
  await passesOn(name, context);
});

test('listNodesInGroup', async () => {
  const name = 'Query.listNodesInGroup';
  const context = {arguments: KEY};
  assert.deepEqual(await request(name, context), {
    operation: 'Query',
    query: {
      expression: 'pk = :group AND begins_with(sk, :nodes)',
      expressionValues: {':group': {S: 'GROUP#g@d'}, ':nodes': {S: 'NODE#'}},
    },
    filter: {
      expression: '#ttl >= :now AND expiresAt >= :now AND #domain = :domain',
      expressionNames: {'#ttl': 'ttl', '#domain': 'domain'},
      expressionValues: {':now': {N: cloud.now()}, ':domain': {S: 'd'}},
    },
    consistentRead: true,
  });
  assert.deepEqual(await request(name, {arguments: {...KEY, groupId: LONG_ID}}), []);
  assert.deepEqual(await request(name, {arguments: {...KEY, domain: LONG_DOMAIN}}), []);
  const node = {name: 'Node n', ...KEY, heartbeatIntervalSeconds: 120};
  assert.deepEqual(await response(name, context, {items: [{...node, nodeId: 'n', ttl: 1}]}), [{id: 'n', ...node}]);
  await passesOn(name, context);
});

test('createDomain', async () => {
  const name = 'Mutation.createDomain';
  const from = (header) => ({arguments: {}, request: {headers: header ? {'x-forwarded-for': header} : {}}});
  assert.deepEqual(await request(name, from(' 203.0.113.7 , 10.0.0.1')), {payload: '203.0.113.7'});
  await fails(name, 'request', from(), 'The request has no header x-forwarded-for');
  assert.equal(await response(name, from('a'), '203.0.113.7'), '203.0.113.7');
});

test('createGroup, leaveGroup, dissolveGroup and fireEventsByNode invoke functions', async () => {
  for (const fieldName of ['createGroup', 'leaveGroup', 'dissolveGroup', 'fireEventsByNode']) {
    const name = `Mutation.${fieldName}`;
    const info = {fieldName, parentTypeName: 'Mutation'};
    const context = {arguments: NODE, info, request: {headers: {'x-api-key': 'da2-secret'}}};
    assert.deepEqual(await request(name, context),
      {operation: 'Invoke', payload: {arguments: NODE, info, now: cloud.now() * 1000}});
    assert.deepEqual(await response(name, context, {data: {a: 1}}), {a: 1});
    await fails(name, 'response', {...context, result: {error: {type: 'GroupNotFound', message: 'none'}}}, 'none');
    await passesOn(name, context);
  }
});

test('the schema has the types that clients expect', async () => {
  const {schema} = await client.send(
    new appsync.GetIntrospectionSchemaCommand({apiId: cloud.outputs.ApiId, format: 'SDL', includeDirectives: true}));
  // AppSync's own scalars are not part of the SDL.
  const sdl = `scalar AWSDateTime\n${Buffer.from(schema).toString()}`;
  const types = buildSchema(sdl, {assumeValidSDL: true}).getTypeMap();
  const fields = (name) => Object.values(types[name].getFields()).map(({name: field, type, args = []}) =>
    [field, ...args.map((argument) => `${argument.name}: ${argument.type}`), `${type}`].join(' '));
  const expected = {
    Group: ['id ID!', 'domain String!', 'fullId String!', 'name String!', 'hostId ID!', 'createdAt AWSDateTime!',
      'expiresAt AWSDateTime!'],
    Node: ['id ID!', 'name String!', 'groupId ID', 'domain String', 'heartbeatIntervalSeconds Int'],
    SensorData: ['key String!', 'value String!'],
    SensorDataInput: ['key String!', 'value String!'],
    NodeStatus: ['nodeId ID!', 'groupId ID!', 'domain String!', 'data [SensorData!]!', 'timestamp AWSDateTime!'],
    Event: ['name String!', 'firedByNodeId ID!', 'groupId ID!', 'domain String!', 'payload String',
      'timestamp AWSDateTime!'],
    EventInput: ['eventName String!', 'payload String', 'firedAt AWSDateTime!'],
    BatchEvent: ['events [Event!]!', 'firedByNodeId ID!', 'groupId ID!', 'domain String!', 'timestamp AWSDateTime!'],
    GroupDissolvePayload: ['groupId ID!', 'domain String!', 'message String!'],
    HeartbeatPayload: ['groupId ID!', 'domain String!', 'expiresAt AWSDateTime!', 'heartbeatIntervalSeconds Int'],
    MemberHeartbeatPayload: ['nodeId ID!', 'groupId ID!', 'domain String!', 'expiresAt AWSDateTime!',
      'heartbeatIntervalSeconds Int'],
    LeaveGroupPayload: ['peerId ID!', 'groupId ID!', 'domain String!', 'message String!'],
    Query: [
      'listGroupsByDomain domain: String! [Group!]!', 'getGroup groupId: ID! domain: String! Group',
      'getNodeStatus nodeId: ID! NodeStatus', 'listGroupStatuses groupId: ID! domain: String! [NodeStatus!]!',
      'listNodesInGroup groupId: ID! domain: String! [Node!]!',
    ],
    Mutation: [
      'createDomain String!',
      'createGroup name: String! hostId: ID! domain: String! maxConnectionTimeSeconds: Int Group!',
      'joinGroup groupId: ID! domain: String! nodeId: ID! Node!',
      'leaveGroup groupId: ID! domain: String! nodeId: ID! LeaveGroupPayload',
      'dissolveGroup groupId: ID! domain: String! hostId: ID! GroupDissolvePayload',
      'renewHeartbeat groupId: ID! domain: String! hostId: ID! HeartbeatPayload!',
      'sendMemberHeartbeat groupId: ID! domain: String! nodeId: ID! MemberHeartbeatPayload!',
      'reportDataByNode groupId: ID! domain: String! nodeId: ID! data: [SensorDataInput!]! NodeStatus',
      'fireEventsByNode groupId: ID! domain: String! nodeId: ID! events: [EventInput!]! BatchEvent',
    ],
    Subscription: [
      'onDataUpdateInGroup groupId: ID! domain: String! NodeStatus',
      'onBatchEventInGroup groupId: ID! domain: String! BatchEvent',
      'onGroupDissolve groupId: ID! domain: String! GroupDissolvePayload',
    ],
  };
  for (const [name, wanted] of Object.entries(expected)) {
    assert.deepEqual(fields(name).sort(), wanted.sort(), name);
  }
});

test('both handlers of all of them were evaluated', () => {
  const expected = Object.keys(codes).flatMap((name) => [`${name} request`, `${name} response`]);
  assert.deepEqual([...evaluated].sort(), expected.sort());
  assert.equal(Object.keys(codes).length, 25);
});
