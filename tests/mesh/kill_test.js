// The cloud is killed with SIGKILL while nodes report: the clients of the npm package aws-appsync find it again when it
// is back, and everything goes on.
//   kill_test.js CLOUD TEMPLATE ZIP
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {test} = require('node:test');
const {startMesh, MeshNode} = require('./cloud');

const KILLS = 3;
// Deliveries to each listener before a kill, and after.
const DELIVERIES = 10;

/** Reports 0, 1, 2 … without a pause. */
class Reporter {
  #stopped = false;

  constructor(node, key, nodeId) {
    this.reported = 0;
    this.done = this.#run(node, key, nodeId);
  }

  async #run(node, key, nodeId) {
    while (!this.#stopped) {
      const data = [{key: 'i', value: `${this.reported}`}];
      const {data: status, ...error} = await node.mutate('reportDataByNode', {...key, nodeId, data});
      assert.ok(status, JSON.stringify(error));
      ++this.reported;
    }
  }

  async stop() {
    this.#stopped = true;
    await this.done;
  }
}

/** What queries say of a group, but for the status that changes all the time. */
async function look(node, key, reporterId) {
  const [group, nodes, statuses] = await Promise.all(
    ['getGroup', 'listNodesInGroup', 'listGroupStatuses'].map((field) => node.query(field, key)));
  return {group, nodes, statuses: {...statuses, data: statuses.data?.filter(({nodeId}) => nodeId !== reporterId)}};
}

const numbersOf = (statuses) => statuses.map(({data: [{value}]}) => Number(value));

/**
 * Reports are in order. One whose answer was lost is reported again by the client, so it may come twice in a row; those
 * between a kill and the next subscription are missing.
 */
function assertInOrder(numbers) {
  for (let i = 1; i < numbers.length; ++i) {
    assert.ok(numbers[i] >= numbers[i - 1], `${numbers[i]} after ${numbers[i - 1]}`);
  }
}

test('clients reconnect after SIGKILL, groups are as they were, and reports go on', async (t) => {
  const folder = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), 'kill-'));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  const args = process.argv.slice(2);
  let cloud = await startMesh(args, [`--data=${folder}`]);
  const {GraphQLUrl: url} = cloud.outputs;
  const node = new MeshNode(cloud);
  const newGroup = async (hostId) => {
    const {data} = await node.mutate('createGroup', {name: 'class', hostId, domain: 'd'});
    return {groupId: data.id, domain: 'd'};
  };
  const key = await newGroup('host');
  const other = await newGroup('other host');
  const dissolved = await newGroup('third host');
  await node.mutate('dissolveGroup', {...dissolved, hostId: 'third host'});
  for (const nodeId of ['a', 'b']) {
    await node.mutate('joinGroup', {...key, nodeId});
    await node.mutate('reportDataByNode', {...key, nodeId, data: [{key: 'of', value: nodeId}]});
  }
  const before = await look(node, key, 'host');
  const otherBefore = await look(node, other, 'nobody');

  const listeners = await Promise.all(Array.from({length: 3}, async () => {
    const listener = new MeshNode(cloud);
    return {
      listener,
      updates: await listener.subscribe('onDataUpdateInGroup', key),
      batches: await listener.subscribe('onBatchEventInGroup', key),
      ends: await listener.subscribe('onGroupDissolve', key),
      elsewhere: await listener.subscribe('onDataUpdateInGroup', other),
    };
  }));
  const reporter = new Reporter(new MeshNode(cloud), key, 'host');
  const deliverMore = () => Promise.all(
    listeners.map(({updates}) => updates.until(updates.length + DELIVERIES)));

  for (let kill = 1; kill <= KILLS; ++kill) {
    await deliverMore();
    await cloud.kill();
    cloud = await startMesh(args,
      [`--data=${folder}`, `--port=${new URL(url).port}`, `--now=${cloud.now()}`]);
    assert.equal(cloud.outputs.GraphQLUrl, url);
    await Promise.all(listeners
      .flatMap(({updates, batches, ends, elsewhere}) => [updates, batches, ends, elsewhere])
      .map(({confirmations}) => confirmations.until(kill + 1)));
    assert.deepEqual(await look(node, key, 'host'), before);
    assert.deepEqual(await look(node, other, 'nobody'), otherBefore);
    assert.equal((await node.query('getGroup', dissolved)).data, null);
    // Whatever is reported from now on arrives.
    const from = reporter.reported + 1;
    await deliverMore();
    for (const {updates} of listeners) {
      const numbers = numbersOf(updates);
      assertInOrder(numbers);
      const since = numbers.filter((number) => number >= from);
      assert.deepEqual(since, Array.from(since, (_, i) => from + i));
    }
  }

  await reporter.stop();
  const {data: fired} = await node.mutate('fireEventsByNode', {
    ...key, nodeId: 'a', events: [{eventName: 'e', firedAt: new Date(cloud.now() * 1000).toISOString()}]});
  const {data: end} = await node.mutate('dissolveGroup', {...key, hostId: 'host'});
  for (const {updates, batches, ends, elsewhere} of listeners) {
    await ends.until(1);
    assert.deepEqual([...ends], [end]);
    assert.deepEqual([...batches], [fired]);
    assert.equal(numbersOf(updates).at(-1), reporter.reported - 1);
    assert.deepEqual([...elsewhere], []);
  }
  assert.equal((await node.query('getGroup', key)).data, null);
  // Before the cloud ends, or they would try to find it again.
  for (const {listener} of listeners) listener.close();
  await cloud.stop();
});
