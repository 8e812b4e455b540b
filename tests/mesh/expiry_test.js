// When groups and nodes of Mesh v2 end, to the second, with the npm package aws-appsync: both if DynamoDB removes at
// once what is over, and while it is still there.
//   expiry_test.js CLOUD TEMPLATE ZIP
'use strict';

const assert = require('node:assert/strict');
const {after, before, test} = require('node:test');
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

// In production.
const HOST_DEADLINE = 5 * 30;
const MEMBER_DEADLINE = 5 * 120;

let names = 0;
const fresh = (prefix) => `${prefix}${++names}`;
const isoOf = (seconds) => new Date(seconds * 1000).toISOString();

async function newGroup(options = {}) {
  const variables = {name: 'class', hostId: fresh('host'), domain: fresh('domain'), ...options};
  const {data: group} = await node.mutate('createGroup', variables);
  const key = {groupId: group.id, domain: variables.domain};
  return {...variables, group, key, begun: cloud.now()};
}
/** To so many seconds after the group was created. */
const runTo = ({begun}, seconds) => cloud.run(begun + seconds - cloud.now());

const LARGE_EVENT = {eventName: 'x'.repeat(250_000), firedAt: isoOf(0)};
/** Every operation on a group, with arguments that would fail a later check, too. */
const operations = (key) => [
  ['mutate', 'joinGroup', {...key, nodeId: ''}],
  ['mutate', 'leaveGroup', {...key, nodeId: 'nobody'}],
  ['mutate', 'renewHeartbeat', {...key, hostId: 'nobody'}],
  ['mutate', 'sendMemberHeartbeat', {...key, nodeId: 'nobody'}],
  ['mutate', 'reportDataByNode', {...key, nodeId: 'nobody', data: []}],
  ['mutate', 'fireEventsByNode', {...key, nodeId: 'nobody', events: [LARGE_EVENT]}],
  ['query', 'listGroupStatuses', key],
];
async function allFail(key, message) {
  for (const [kind, field, variables] of operations(key)) {
    assert.deepEqual(await node[kind](field, variables), {errorType: 'GroupNotFound', message}, field);
  }
}
async function isNotShown({key, domain}) {
  assert.equal((await node.query('getGroup', key)).data, null);
  assert.deepEqual((await node.query('listGroupsByDomain', {domain})).data, []);
}
async function isShown({group, key, domain}) {
  assert.deepEqual((await node.query('getGroup', key)).data, group);
  assert.deepEqual((await node.query('listGroupsByDomain', {domain})).data, [group]);
}

/** With the arguments that each operation should have, all of them succeed. */
async function allSucceed({key, hostId}, nodeId) {
  for (const [kind, field, variables] of [
    ['mutate', 'joinGroup', {...key, nodeId}],
    ['mutate', 'sendMemberHeartbeat', {...key, nodeId}],
    ['mutate', 'reportDataByNode', {...key, nodeId, data: []}],
    ['mutate', 'fireEventsByNode', {...key, nodeId, events: []}],
    ['query', 'listGroupStatuses', key],
    ['mutate', 'leaveGroup', {...key, nodeId}],
    ['mutate', 'renewHeartbeat', {...key, hostId}],
  ]) {
    const answer = await node[kind](field, variables);
    assert.ok(answer.data, `${field}: ${answer.message}`);
  }
}

for (const removal of ['at once', 'late']) {
  const isKept = removal === 'late';
  const expect = ({key, group}, whileThere) => allFail(key, isKept ? whileThere : `Group not found: ${group.fullId}`);

  test(`without a heartbeat, a group ends after five intervals (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup();
    await runTo(group, HOST_DEADLINE);
    await isShown(group);
    await runTo(group, HOST_DEADLINE + 1);
    await isNotShown(group);
    await expect(group, `Group not found: ${group.group.fullId} (heartbeat expired)`);
  });

  test(`a heartbeat in the last second counts (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup();
    await runTo(group, HOST_DEADLINE);
    await allSucceed(group, fresh('node'));
    await runTo(group, 2 * HOST_DEADLINE);
    await isShown(group);
    await runTo(group, 2 * HOST_DEADLINE + 1);
    await isNotShown(group);
  });

  test(`whatever the heartbeats, a group ends at expiresAt (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup({maxConnectionTimeSeconds: 200});
    assert.equal(group.group.expiresAt, isoOf(group.begun + 200));
    await runTo(group, 100);
    await allSucceed(group, fresh('node'));
    await runTo(group, 200);
    await isShown(group);
    await allSucceed(group, fresh('node'));
    await runTo(group, 201);
    await isNotShown(group);
    await expect(group, `Group expired: ${group.group.fullId} (expiresAt: ${group.group.expiresAt})`);
  });

  test(`the end comes before the heartbeat in the order of checks (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup({maxConnectionTimeSeconds: 200});
    await runTo(group, 151);
    await expect(group, `Group not found: ${group.group.fullId} (heartbeat expired)`);
    await runTo(group, 200);
    await expect(group, `Group not found: ${group.group.fullId} (heartbeat expired)`);
    await runTo(group, 201);
    await expect(group, `Group expired: ${group.group.fullId} (expiresAt: ${group.group.expiresAt})`);
  });

  test(`a node ends after five intervals (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup();
    const nodeId = fresh('node');
    await node.mutate('joinGroup', {...group.key, nodeId});
    await node.mutate('reportDataByNode', {...group.key, nodeId, data: []});
    for (let seconds = 100; seconds < MEMBER_DEADLINE; seconds += 100) {
      await runTo(group, seconds);
      await node.mutate('renewHeartbeat', {...group.key, hostId: group.hostId});
    }
    const calls = [
      ['reportDataByNode', {...group.key, nodeId, data: []}], ['fireEventsByNode', {...group.key, nodeId, events: []}],
    ];
    await runTo(group, MEMBER_DEADLINE);
    for (const [field, variables] of calls) assert.ok((await node.mutate(field, variables)).data, field);
    assert.equal((await node.query('listNodesInGroup', group.key)).data.length, 1);
    assert.equal((await node.query('listGroupStatuses', group.key)).data.length, 1);
    await runTo(group, MEMBER_DEADLINE + 1);
    const notFound = {errorType: 'NodeNotFound', message: 'Node not found'};
    for (const [field, variables] of [...calls, ['sendMemberHeartbeat', {...group.key, nodeId}]]) {
      assert.deepEqual(await node.mutate(field, variables), notFound, field);
    }
    assert.deepEqual((await node.query('listNodesInGroup', group.key)).data, []);
    assert.deepEqual((await node.query('listGroupStatuses', group.key)).data, []);
    // It may join again.
    assert.ok((await node.mutate('joinGroup', {...group.key, nodeId})).data);
    assert.equal((await node.query('listNodesInGroup', group.key)).data.length, 1);
  });

  test(`a status is shown until the end of its group (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup({maxConnectionTimeSeconds: 200});
    await node.mutate('reportDataByNode', {...group.key, nodeId: group.hostId, data: []});
    await runTo(group, 200);
    assert.ok((await node.query('getNodeStatus', {nodeId: group.hostId})).data);
    await runTo(group, 201);
    assert.equal((await node.query('getNodeStatus', {nodeId: group.hostId})).data, null);
  });

  test(`a host whose group is over gets a new one (removed ${removal})`, async () => {
    await cloud.removeExpired(!isKept);
    const group = await newGroup();
    const {hostId, domain} = group;
    await runTo(group, HOST_DEADLINE);
    assert.deepEqual((await node.mutate('createGroup', {name: 'other', hostId, domain})).data, group.group);
    await runTo(group, HOST_DEADLINE + 1);
    const {data: next} = await node.mutate('createGroup', {name: 'other', hostId, domain});
    assert.notEqual(next.id, group.group.id);
    assert.deepEqual((await node.query('listGroupsByDomain', {domain})).data, [next]);
  });
}

test('a group that is over but still there is dissolved by its host alone', async () => {
  await cloud.removeExpired(false);
  for (const seconds of [HOST_DEADLINE + 1, 3001]) {
    const group = await newGroup();
    await node.mutate('reportDataByNode', {...group.key, nodeId: group.hostId, data: []});
    await runTo(group, seconds);
    assert.deepEqual(await node.mutate('dissolveGroup', {...group.key, hostId: 'nobody'}),
      {errorType: 'Unauthorized', message: 'Only the host can dissolve the group'});
    assert.deepEqual((await node.mutate('dissolveGroup', {...group.key, hostId: group.hostId})).data,
      {...group.key, message: `Group ${group.group.fullId} has been dissolved successfully.`});
    await allFail(group.key, `Group not found: ${group.group.fullId}`);
    assert.deepEqual(await node.mutate('dissolveGroup', {...group.key, hostId: group.hostId}),
      {errorType: 'GroupNotFound', message: `Group not found: ${group.group.fullId}`});
  }
});

test('without a maximum of its own, a group ends after that of the deployment', async () => {
  await cloud.removeExpired(true);
  const group = await newGroup();
  for (let seconds = 140; seconds < 3000; seconds += 140) {
    await runTo(group, seconds);
    assert.ok((await node.mutate('renewHeartbeat', {...group.key, hostId: group.hostId})).data);
  }
  await runTo(group, 3000);
  await isShown(group);
  await runTo(group, 3001);
  await isNotShown(group);
});

test('in development, intervals are shorter', async () => {
  const development = await startMesh(process.argv.slice(2), ['--stage=development']);
  const client = new MeshNode(development);
  const key = {hostId: 'h', domain: 'd'};
  const {data: group} = await client.mutate('createGroup', {name: 'n', ...key});
  assert.equal(group.expiresAt, isoOf(development.now() + 600));
  const tooLong = {name: 'n', hostId: 'i', domain: 'd', maxConnectionTimeSeconds: 601};
  assert.equal((await client.mutate('createGroup', tooLong)).errorType, 'ValidationError');
  const on = {groupId: group.id, domain: 'd'};
  assert.equal((await client.mutate('joinGroup', {...on, nodeId: 'n'})).data.heartbeatIntervalSeconds, 15);
  assert.equal((await client.mutate('renewHeartbeat', {...on, hostId: 'h'})).data.heartbeatIntervalSeconds, 15);
  assert.deepEqual((await client.mutate('sendMemberHeartbeat', {...on, nodeId: 'n'})).data,
    {nodeId: 'n', ...on, expiresAt: isoOf(development.now() + 75), heartbeatIntervalSeconds: 15});
  await development.run(75);
  assert.ok((await client.query('getGroup', on)).data);
  await development.run(1);
  assert.equal((await client.query('getGroup', on)).data, null);
  client.close();
  await development.stop();
});
