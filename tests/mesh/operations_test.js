// Every operation of Mesh v2 with the npm package aws-appsync, on the stack as it is deployed, on simulated time.
//   operations_test.js CLOUD TEMPLATE ZIP
'use strict';

const assert = require('node:assert/strict');
const {after, before, test} = require('node:test');
const gql = require('graphql-tag').default ?? require('graphql-tag');
const {startMesh, MeshNode} = require('./cloud');

let cloud;
let node;

before(async () => {
  cloud = await startMesh(process.argv.slice(2));
  node = new MeshNode(cloud);
});
after(async () => {
  node.close();
  await cloud.stop();
});

let names = 0;
const fresh = (prefix) => `${prefix}${++names}`;
const isoOf = (seconds) => new Date(seconds * 1000).toISOString();

/** A group, with its key as arguments. */
async function newGroup(options = {}) {
  const hostId = fresh('host');
  const domain = options.domain ?? fresh('domain');
  const {data: group} = await node.mutate('createGroup', {name: 'class', hostId, domain, ...options});
  assert.ok(group);
  return {hostId, group, key: {groupId: group.id, domain}};
}
async function join(key) {
  const nodeId = fresh('node');
  assert.ok((await node.mutate('joinGroup', {...key, nodeId})).data);
  return nodeId;
}
const notFound = ({groupId, domain}) =>
  ({errorType: 'GroupNotFound', message: `Group not found: ${groupId}@${domain}`});

test('createDomain answers the caller\'s address', async () => {
  assert.match((await node.mutate('createDomain')).data, /^127\.0\.0\.1$|^::1$/);
});

test('createGroup creates a group, and returns it as long as it is alive', async () => {
  const {hostId, group, key} = await newGroup();
  assert.equal(group.fullId, `${group.id}@${key.domain}`);
  assert.equal(group.hostId, hostId);
  assert.equal(Date.parse(group.expiresAt) / 1000, Math.floor(Date.parse(group.createdAt) / 1000) + 3000);
  const again = await node.mutate('createGroup', {name: 'other', hostId, domain: key.domain});
  assert.deepEqual(again.data, group);
  await cloud.run(151);
  const next = await node.mutate('createGroup', {name: 'class', hostId, domain: key.domain});
  assert.notEqual(next.data.id, group.id);
});

test('createGroup at once by one host makes one group', async () => {
  const variables = {name: 'n', hostId: fresh('host'), domain: fresh('domain')};
  const answers = await Promise.all(Array.from({length: 8}, () => node.mutate('createGroup', variables)));
  const ids = new Set(answers.map(({data}) => data.id));
  assert.equal(ids.size, 1);
  const {data: groups} = await node.query('listGroupsByDomain', {domain: variables.domain});
  assert.equal(groups.length, 1);
});

/** Clients would leave the group if a message had one of these words. */
function isInvalid({errorType, message}) {
  assert.equal(errorType, 'ValidationError');
  assert.doesNotMatch(message, /not found|expired|unauthorized/i);
}

test('createGroup rejects invalid arguments, and takes what is within the limits', async () => {
  for (const bad of [
    {domain: 'x'.repeat(257)}, {domain: ''}, {hostId: 'x'.repeat(129)}, {hostId: ''}, {name: 'x'.repeat(257)},
    {maxConnectionTimeSeconds: 0}, {maxConnectionTimeSeconds: -1}, {maxConnectionTimeSeconds: 3001},
  ]) {
    isInvalid(await node.mutate('createGroup', {name: 'n', hostId: 'h', domain: 'd', ...bad}));
  }
  for (const good of [
    {domain: 'x'.repeat(256)}, {hostId: 'x'.repeat(128)}, {name: 'x'.repeat(256)}, {name: ''},
    {maxConnectionTimeSeconds: 1}, {maxConnectionTimeSeconds: 3000},
  ]) {
    const variables = {name: 'n', hostId: fresh('host'), domain: fresh('domain'), ...good};
    const {data: group} = await node.mutate('createGroup', variables);
    const {groupId, domain} = {groupId: group.id, domain: variables.domain};
    assert.equal(group.expiresAt, isoOf(cloud.now() + (good.maxConnectionTimeSeconds ?? 3000)));
    assert.deepEqual((await node.query('getGroup', {groupId, domain})).data, group);
  }
});

test('a variable that is declared but not given is not null', async () => {
  const {data, errors} = await node.client.mutate({
    mutation: gql`mutation Create($name: String!, $hostId: ID!, $domain: String!, $most: Int) {
      createGroup(name: $name, hostId: $hostId, domain: $domain, maxConnectionTimeSeconds: $most) { id expiresAt }
    }`,
    variables: {name: 'n', hostId: fresh('host'), domain: fresh('domain')}, fetchPolicy: 'no-cache', errorPolicy: 'all',
  });
  assert.equal(errors, undefined);
  assert.equal(data.createGroup.expiresAt, isoOf(cloud.now() + 3000));
});

test('listGroupsByDomain lists groups that are alive, oldest first', async () => {
  const domain = fresh('domain');
  const first = await newGroup({domain});
  await cloud.run(60);
  const second = await newGroup({domain});
  const ids = async () => (await node.query('listGroupsByDomain', {domain})).data.map(({id}) => id);
  assert.deepEqual(await ids(), [first.group.id, second.group.id]);
  await cloud.run(91);
  assert.deepEqual(await ids(), [second.group.id]);
});

test('getGroup answers a group until it is over', async () => {
  const {group, key} = await newGroup();
  assert.deepEqual((await node.query('getGroup', key)).data, group);
  assert.equal((await node.query('getGroup', {...key, domain: 'other'})).data, null);
  await cloud.run(149);
  assert.deepEqual((await node.query('getGroup', key)).data, group);
  await cloud.run(2);
  assert.equal((await node.query('getGroup', key)).data, null);
});

test('joinGroup makes a node a member, and joining again is harmless', async () => {
  const {key} = await newGroup();
  const nodeId = fresh('node');
  const expected = {id: nodeId, name: `Node ${nodeId}`, ...key, heartbeatIntervalSeconds: 120};
  assert.deepEqual((await node.mutate('joinGroup', {...key, nodeId})).data, expected);
  assert.deepEqual((await node.mutate('joinGroup', {...key, nodeId})).data, expected);
  // The host has no node.
  assert.deepEqual((await node.query('listNodesInGroup', key)).data, [expected]);
  for (const bad of ['', 'x'.repeat(129)]) isInvalid(await node.mutate('joinGroup', {...key, nodeId: bad}));
});

test('leaveGroup removes the node and its status, and succeeds without one', async () => {
  const {key} = await newGroup();
  const nodeId = await join(key);
  await node.mutate('reportDataByNode', {...key, nodeId, data: []});
  const expected = {peerId: nodeId, ...key, message: `Peer ${nodeId} successfully left group ${key.groupId}`};
  for (let i = 0; i < 2; ++i) assert.deepEqual((await node.mutate('leaveGroup', {...key, nodeId})).data, expected);
  assert.deepEqual((await node.query('listNodesInGroup', key)).data, []);
  assert.deepEqual((await node.query('listGroupStatuses', key)).data, []);
  assert.equal((await node.query('getNodeStatus', {nodeId})).data, null);
});

test('renewHeartbeat is for the host, and keeps the group alive until its end', async () => {
  const {hostId, group, key} = await newGroup({maxConnectionTimeSeconds: 320});
  assert.deepEqual(await node.mutate('renewHeartbeat', {...key, hostId: 'other'}),
    {errorType: 'Unauthorized', message: 'Only the host can renew the heartbeat'});
  for (let i = 0; i < 2; ++i) {
    await cloud.run(149);
    assert.deepEqual((await node.mutate('renewHeartbeat', {...key, hostId})).data,
      {...key, expiresAt: group.expiresAt, heartbeatIntervalSeconds: 30});
  }
  await cloud.run(21);
  assert.ok((await node.query('getGroup', key)).data);
  await cloud.run(2);
  assert.deepEqual(await node.mutate('renewHeartbeat', {...key, hostId}), notFound(key));
});

test('sendMemberHeartbeat keeps a node a member', async () => {
  const {hostId, key} = await newGroup();
  const nodeId = await join(key);
  const beat = () => node.mutate('sendMemberHeartbeat', {...key, nodeId});
  for (let i = 0; i < 4; ++i) {
    await cloud.run(149);
    await node.mutate('renewHeartbeat', {...key, hostId});
  }
  assert.deepEqual((await beat()).data,
    {nodeId, ...key, expiresAt: isoOf(cloud.now() + 600), heartbeatIntervalSeconds: 120});
  for (let i = 0; i < 5; ++i) {
    await cloud.run(121);
    await node.mutate('renewHeartbeat', {...key, hostId});
  }
  assert.deepEqual(await beat(), {errorType: 'NodeNotFound', message: 'Node not found'});
  assert.deepEqual((await node.query('listNodesInGroup', key)).data, []);
  // The host counts as a member.
  assert.ok((await node.mutate('sendMemberHeartbeat', {...key, nodeId: hostId})).data);
});

test('reportDataByNode replaces the status of members and the host', async () => {
  const {hostId, key} = await newGroup();
  const nodeId = await join(key);
  const data = [{key: 'temperature', value: '25.5'}];
  for (const id of [hostId, nodeId]) {
    await node.mutate('reportDataByNode', {...key, nodeId: id, data: [{key: 'old', value: ''}]});
    const {data: status} = await node.mutate('reportDataByNode', {...key, nodeId: id, data});
    assert.deepEqual({...status, timestamp: ''}, {nodeId: id, ...key, data, timestamp: ''});
    assert.match(status.timestamp, /\.\d{3}Z$/);
    assert.deepEqual((await node.query('getNodeStatus', {nodeId: id})).data, status);
  }
  const {data: statuses} = await node.query('listGroupStatuses', key);
  assert.deepEqual(statuses.map((status) => status.nodeId).sort(), [hostId, nodeId].sort());
  assert.deepEqual(await node.mutate('reportDataByNode', {...key, nodeId: 'stranger', data}),
    {errorType: 'NodeNotFound', message: 'Node not found'});
  isInvalid(await node.mutate('reportDataByNode', {...key, nodeId, data: [{key: 'k', value: 'x'.repeat(250_000)}]}));
  // What was reported before is still there.
  assert.deepEqual((await node.query('getNodeStatus', {nodeId})).data.data, data);
});

test('a node of the same name in another group changes nothing in this one', async () => {
  const one = await newGroup();
  const other = await newGroup();
  const nodeId = await join(one.key);
  await node.mutate('joinGroup', {...other.key, nodeId});
  await node.mutate('reportDataByNode', {...one.key, nodeId, data: [{key: 'a', value: '1'}]});
  await node.mutate('reportDataByNode', {...other.key, nodeId, data: [{key: 'a', value: '2'}]});
  await node.mutate('leaveGroup', {...other.key, nodeId});
  const {data: [status]} = await node.query('listGroupStatuses', one.key);
  assert.deepEqual(status.data, [{key: 'a', value: '1'}]);
});

test('fireEventsByNode keeps the order of any number of events', async () => {
  const {hostId, key} = await newGroup();
  const events = Array.from({length: 60}, (_, i) => (
    {eventName: `e${i}`, payload: i % 2 ? `p${i}` : '', firedAt: isoOf(cloud.now() - i)}));
  const {data: batch} = await node.mutate('fireEventsByNode', {...key, nodeId: hostId, events});
  assert.deepEqual(batch.events, events.map(({eventName, payload, firedAt}) => ({
    name: eventName, firedByNodeId: hostId, ...key, payload: payload || null, timestamp: firedAt})));
  assert.deepEqual(await node.mutate('fireEventsByNode', {...key, nodeId: 'stranger', events: []}),
    {errorType: 'NodeNotFound', message: 'Node not found'});
  const large = [{eventName: 'x'.repeat(250_000), firedAt: isoOf(cloud.now())}];
  isInvalid(await node.mutate('fireEventsByNode', {...key, nodeId: hostId, events: large}));
});

test('dissolveGroup is for the host, and removes everything', async () => {
  const {hostId, group, key} = await newGroup();
  const nodeId = await join(key);
  await node.mutate('reportDataByNode', {...key, nodeId, data: []});
  assert.deepEqual(await node.mutate('dissolveGroup', {...key, hostId: nodeId}),
    {errorType: 'Unauthorized', message: 'Only the host can dissolve the group'});
  assert.deepEqual((await node.mutate('dissolveGroup', {...key, hostId})).data,
    {...key, message: `Group ${group.fullId} has been dissolved successfully.`});
  assert.equal((await node.query('getGroup', key)).data, null);
  assert.equal((await node.query('getNodeStatus', {nodeId})).data, null);
  assert.deepEqual((await node.query('listNodesInGroup', key)).data, []);
  assert.deepEqual(await node.mutate('dissolveGroup', {...key, hostId}), notFound(key));
});

test('every operation on a group checks the group before anything else', async () => {
  const operations = (key) => [
    ['mutate', 'joinGroup', {...key, nodeId: ''}],
    ['mutate', 'leaveGroup', {...key, nodeId: 'n'}],
    ['mutate', 'renewHeartbeat', {...key, hostId: 'nobody'}],
    ['mutate', 'sendMemberHeartbeat', {...key, nodeId: 'nobody'}],
    ['mutate', 'reportDataByNode', {...key, nodeId: 'nobody', data: []}],
    ['mutate', 'fireEventsByNode', {...key, nodeId: 'nobody', events: []}],
    ['query', 'listGroupStatuses', key],
  ];
  const none = {groupId: 'none', domain: fresh('domain')};
  for (const [kind, field, variables] of operations(none)) {
    assert.deepEqual(await node[kind](field, variables), notFound(none), field);
  }
  const {key} = await newGroup();
  await cloud.run(151);
  for (const [kind, field, variables] of operations(key)) {
    assert.deepEqual(await node[kind](field, variables), notFound(key), field);
  }
});

test('subscribers get what happens in their group, in order, and nothing else', async (t) => {
  const {hostId, key} = await newGroup();
  const other = await newGroup();
  const listener = new MeshNode(cloud);
  t.after(() => listener.close());
  const updates = await listener.subscribe('onDataUpdateInGroup', key);
  const batches = await listener.subscribe('onBatchEventInGroup', key);
  const dissolved = await listener.subscribe('onGroupDissolve', key);
  const count = 20;
  const sent = [];
  for (let i = 0; i < count; ++i) {
    const data = [{key: 'i', value: `${i}`}];
    await node.mutate('reportDataByNode', {...other.key, nodeId: other.hostId, data});
    sent.push((await node.mutate('reportDataByNode', {...key, nodeId: hostId, data})).data);
  }
  await updates.until(count);
  assert.deepEqual([...updates], sent);
  const events = [{eventName: 'b', firedAt: isoOf(cloud.now())}, {eventName: 'a', firedAt: isoOf(cloud.now() - 5)}];
  const {data: fired} = await node.mutate('fireEventsByNode', {...key, nodeId: hostId, events});
  await batches.until(1);
  assert.deepEqual([...batches], [fired]);
  const {data: payload} = await node.mutate('dissolveGroup', {...key, hostId});
  await dissolved.until(1);
  assert.deepEqual([...dissolved], [payload]);
});

test('a mutation that does not select the group and the domain reaches nobody', async (t) => {
  const {hostId, key} = await newGroup();
  const listener = new MeshNode(cloud);
  t.after(() => listener.close());
  const updates = await listener.subscribe('onDataUpdateInGroup', key);
  const data = [{key: 'k', value: 'v'}];
  for (const selection of ['nodeId', 'groupId nodeId', 'domain nodeId data { key value } timestamp']) {
    const {errors} = await node.client.mutate({
      mutation: gql(`mutation Call($groupId: ID!, $domain: String!, $nodeId: ID!, $data: [SensorDataInput!]!) {
        reportDataByNode(groupId: $groupId, domain: $domain, nodeId: $nodeId, data: $data) { ${selection} }
      }`),
      variables: {...key, nodeId: hostId, data}, fetchPolicy: 'no-cache', errorPolicy: 'all',
    });
    assert.equal(errors, undefined);
  }
  const {data: status} = await node.mutate('reportDataByNode', {...key, nodeId: hostId, data});
  await updates.until(1);
  assert.deepEqual([...updates], [status]);
});

test('a subscriber gets its own messages', async (t) => {
  const {hostId, key} = await newGroup();
  const program = new MeshNode(cloud);
  t.after(() => program.close());
  const updates = await program.subscribe('onDataUpdateInGroup', key);
  const data = [{key: 'k', value: 'v'}];
  const {data: status} = await program.mutate('reportDataByNode', {...key, nodeId: hostId, data});
  await updates.until(1);
  assert.deepEqual([...updates], [status]);
});

test('errors and refusals have the forms that clients read', async () => {
  const url = cloud.outputs.GraphQLUrl;
  const call = (query, key = cloud.outputs.ApiKey) => fetch(url, {
    method: 'POST', headers: {'content-type': 'application/json', 'x-api-key': key}, body: JSON.stringify({query})});
  const failed = await call('mutation { leaveGroup(groupId: "g", domain: "d", nodeId: "n") { peerId } }');
  assert.equal(failed.status, 200);
  assert.deepEqual(await failed.json(), {
    data: {leaveGroup: null},
    errors: [{
      path: ['leaveGroup'], data: null, errorType: 'GroupNotFound', errorInfo: null,
      locations: [{line: 1, column: 12, sourceName: null}], message: 'Group not found: g@d',
    }],
  });
  const refused = await call('mutation { createDomain }', 'da2-wrong');
  assert.equal(refused.status, 401);
  assert.deepEqual(await refused.json(),
    {errors: [{errorType: 'UnauthorizedException', message: 'You are not authorized to make this call.'}]});
  const wanted = ['content-type', 'x-api-key', 'x-amz-user-agent'];
  const preflight = await fetch(url, {method: 'OPTIONS', headers: {
    origin: 'https://classroom.example', 'access-control-request-method': 'POST',
    'access-control-request-headers': wanted.join(',')}});
  assert.equal(preflight.status, 200);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  const allowed = preflight.headers.get('access-control-allow-headers').toLowerCase();
  for (const header of wanted) assert.ok(allowed.includes(header), `${header}: ${allowed}`);
});
