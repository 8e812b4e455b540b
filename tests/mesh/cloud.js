// The stack of Mesh v2 on the local cloud, on simulated time (mesh_cloud.cc), and clients of the npm package aws-appsync
// that talk to it.
//
//   const cloud = await startMesh(process.argv.slice(2));
//   const node = new MeshNode(cloud);
//   const {data, errors} = await node.mutate('joinGroup', {groupId, domain, nodeId});
//   await cloud.run(75);
//   await cloud.stop();
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const readline = require('node:readline');
const {spawn} = require('node:child_process');
const {confirmingSocket} = require('./confirming_socket');

/** What to do at a subscription's start_ack, by the name of its operation. */
const onConfirmed = new Map();
global.WebSocket = confirmingSocket((operation) => onConfirmed.get(operation)?.());
// The client has timers of 15 seconds and more, which would keep a test running that is over. While there is something
// to wait for, the cloud keeps it running.
const ordinaryTimeout = global.setTimeout;
global.setTimeout = (...parameters) => ordinaryTimeout(...parameters).unref();
const {AWSAppSyncClient} = require('aws-appsync');
const gql = require('graphql-tag').default ?? require('graphql-tag');

async function startMesh([program, template, zip], flags = []) {
  const child = spawn(program, [`--template=${template}`, `--zips=${path.dirname(zip)}`, ...flags],
    {stdio: ['pipe', 'pipe', 'inherit'], env: {}});
  process.on('exit', () => child.kill('SIGKILL'));
  const lines = readline.createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const {value: first} = await lines.next();
  assert.ok(first, 'the cloud did not start');
  const outputs = JSON.parse(first);
  let now = outputs.now;
  return {
    outputs,
    child,
    /** Seconds since 1970, by the cloud's clock. */
    now: () => now,
    /** Lets simulated time pass. */
    async run(seconds) {
      child.stdin.write(`run ${seconds}\n`);
      assert.equal((await lines.next()).value, 'ran');
      now += seconds;
    },
    /** Whether DynamoDB removes at once what has expired, as the local one does, or later than anybody looks. */
    async removeExpired(enabled) {
      child.stdin.write(`remove-expired ${enabled ? 1 : 0}\n`);
      assert.equal((await lines.next()).value, 'set');
    },
    /** In the middle of whatever it is doing. */
    async kill() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      assert.equal(await ended, 0);
    },
  };
}

// The type of each argument, and what clients select.
const TYPES = {
  name: 'String!', hostId: 'ID!', domain: 'String!', maxConnectionTimeSeconds: 'Int', groupId: 'ID!', nodeId: 'ID!',
  data: '[SensorDataInput!]!', events: '[EventInput!]!',
};
const GROUP = '{ id domain fullId name hostId createdAt expiresAt }';
const NODE = '{ id name groupId domain heartbeatIntervalSeconds }';
const STATUS = '{ nodeId groupId domain data { key value } timestamp }';
const BATCH = `{ events { name firedByNodeId groupId domain payload timestamp }
  firedByNodeId groupId domain timestamp }`;
const DISSOLVED = '{ groupId domain message }';
const SELECTIONS = {
  listGroupsByDomain: GROUP, getGroup: GROUP, getNodeStatus: STATUS, listGroupStatuses: STATUS, listNodesInGroup: NODE,
  createDomain: '', createGroup: GROUP, joinGroup: NODE, leaveGroup: '{ peerId groupId domain message }',
  dissolveGroup: DISSOLVED, renewHeartbeat: '{ groupId domain expiresAt heartbeatIntervalSeconds }',
  sendMemberHeartbeat: '{ nodeId groupId domain expiresAt heartbeatIntervalSeconds }',
  reportDataByNode: STATUS, fireEventsByNode: BATCH,
  onDataUpdateInGroup: STATUS, onBatchEventInGroup: BATCH, onGroupDissolve: DISSOLVED,
};

function documentOf(kind, field, variables, operation = 'Call') {
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: ${TYPES[name]}`).join(', ');
  const given = names.map((name) => `${name}: $${name}`).join(', ');
  const withParentheses = (text) => (text ? `(${text})` : '');
  return gql(`${kind} ${operation}${withParentheses(declared)} {
    ${field}${withParentheses(given)} ${SELECTIONS[field]}
  }`);
}

/** Without what the client adds to every object. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== '__typename').map(([key, member]) => [key, plain(member)]));
}

/** A list that can be waited for. */
class CountedList extends Array {
  #waiting = [];

  /** What map() and the like return. */
  static get [Symbol.species]() { return Array; }

  add(element) {
    this.push(element);
    for (const check of this.#waiting.splice(0)) check();
  }

  /** Waits until there are so many. */
  async until(count) {
    while (this.length < count) await new Promise((resolve) => { this.#waiting.push(resolve); });
    return this;
  }
}

let subscribed = 0;

class MeshNode {
  constructor({outputs}) {
    this.client = new AWSAppSyncClient({
      url: outputs.GraphQLUrl,
      region: 'us-east-1',
      auth: {type: 'API_KEY', apiKey: outputs.ApiKey},
      disableOffline: true,
    });
    this.subscriptions = [];
  }

  async query(field, variables) {
    return this.#settle(field, this.client.query({
      query: documentOf('query', field, variables), variables, fetchPolicy: 'network-only', errorPolicy: 'all'}));
  }

  async mutate(field, variables = {}) {
    return this.#settle(field, this.client.mutate({
      mutation: documentOf('mutation', field, variables), variables, fetchPolicy: 'no-cache', errorPolicy: 'all'}));
  }

  /** {data} or {errorType, message}, which clients read. */
  async #settle(field, promise) {
    const {data, errors} = await promise.catch((error) => ({errors: error.graphQLErrors ?? [error]}));
    if (errors && errors.length > 0) return {errorType: errors[0].errorType, message: errors[0].message};
    return {data: plain(data[field])};
  }

  /** Resolves once the server has confirmed it. What is delivered is appended to the list. */
  async subscribe(field, variables) {
    const received = new CountedList();
    /** One for each time that the server has confirmed it: the client subscribes again when it has lost the server. */
    received.confirmations = new CountedList();
    const operation = `Subscribe${++subscribed}`;
    onConfirmed.set(operation, () => received.confirmations.add(operation));
    const subscription = this.client
      .subscribe({query: documentOf('subscription', field, variables, operation), variables})
      .subscribe({
        next: ({data}) => received.add(plain(data[field])),
        error: (error) => { throw error; },
      });
    this.subscriptions.push(subscription);
    await received.confirmations.until(1);
    return received;
  }

  close() {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }
}

module.exports = {startMesh, MeshNode};
