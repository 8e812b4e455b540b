// A node of a mesh: it creates or joins a group, reports its sensors, fires events, and sees those of the others.
//
//   const node = new MeshNode({ client, domain, id: crypto.randomUUID(), onChange: show, onEvent: flash });
//   await node.create('My group');
//   node.set('temperature', 21);
//   node.fire('clap');

import { ApiError } from './client.js';

const GROUP = 'id domain fullId name hostId createdAt expiresAt';
const STATUS = 'nodeId groupId domain timestamp data { key value }';
const IN_GROUP = 'groupId: $groupId, domain: $domain';
const OF_GROUP = '$groupId: ID!, $domain: String!';

// At most this often: the newest values replace those that wait.
const REPORT_EVERY_MS = 250;
// Events of the same moment travel together.
const EVENT_BUFFER_MS = 50;
// Events that could not be sent are sent again.
const EVENT_RETRY_MS = 1000;
// No message says that a node has left.
const MEMBERS_EVERY_MS = 2000;
// Until the API has said how often heartbeats are due.
const FIRST_HEARTBEAT_SECONDS = 5;
// With these errors, the group is over for this node.
const FATAL = new Set(['GroupNotFound', 'Unauthorized', 'NodeNotFound']);

export function listGroups(client, domain) {
  return client
    .request(`query($domain: String!) { listGroupsByDomain(domain: $domain) { ${GROUP} } }`, { domain })
    .then((data) => data.listGroupsByDomain);
}

export class MeshNode {
  #client;
  #subscriptions = [];
  #heartbeat = 0;
  #reportTimer = 0;
  #reporting = false;
  #unreported = false;
  #eventTimer = 0;
  #events = [];
  #hearsEvents = false;
  #membersTimer = 0;

  constructor({ client, domain, id, onChange, onEvent }) {
    this.#client = client;
    this.domain = domain;
    this.id = id;
    this.onChange = onChange;
    this.onEvent = onEvent;
    this.group = null;
    this.sensors = new Map();
    this.others = new Map(); // node id → its last status
  }

  get isHost() {
    return this.group?.hostId === this.id;
  }

  async create(name) {
    const { createGroup } = await this.#call(
      `mutation($name: String!, $hostId: ID!, $domain: String!) {
        createGroup(name: $name, hostId: $hostId, domain: $domain) { ${GROUP} } }`,
      { name, hostId: this.id });
    await this.#enter(createGroup, () => this.#renew());
  }

  async join(group) {
    const { joinGroup } = await this.#call(
      `mutation(${OF_GROUP}, $nodeId: ID!) {
        joinGroup(${IN_GROUP}, nodeId: $nodeId) { id heartbeatIntervalSeconds } }`,
      { groupId: group.id, nodeId: this.id });
    await this.#enter(group, async () => joinGroup.heartbeatIntervalSeconds);
  }

  /** The host dissolves the group, anyone else leaves it. */
  async leave() {
    const { group } = this;
    const [mutation, who] = this.isHost ? ['dissolveGroup', 'hostId'] : ['leaveGroup', 'nodeId'];
    this.#exit(null);
    await this.#client.request(
      `mutation(${OF_GROUP}, $id: ID!) { ${mutation}(${IN_GROUP}, ${who}: $id) { groupId domain message } }`,
      { groupId: group.id, domain: this.domain, id: this.id });
  }

  set(sensor, value) {
    this.sensors.set(sensor, String(value));
    this.#unreported = true;
    if (this.group !== null && this.#reportTimer === 0) this.#report();
  }

  /** Sends the event to everybody in the group, this node too; while the connection is lost, as soon as it is there again. */
  fire(eventName, payload = null) {
    this.#events.push({ eventName, payload, firedAt: new Date().toISOString() });
    this.#sendEventsIn(EVENT_BUFFER_MS);
  }

  close() {
    if (this.group !== null) this.#exit(null);
  }

  async #call(query, variables) {
    return this.#client.request(query, { domain: this.domain, ...variables });
  }

  /** A call within the group; the group is left if it is over. */
  async #callInGroup(query, variables) {
    const { group } = this;
    try {
      return await this.#call(query, { groupId: group.id, ...variables });
    } catch (error) {
      this.#exitIfOver(group, error);
      return null;
    }
  }

  #exitIfOver(group, error) {
    if (this.group === group && FATAL.has(error.errorType)) this.#exit(error);
  }

  /** `begin` returns the interval of heartbeats in seconds. */
  async #enter(group, begin) {
    this.group = group;
    this.others.clear();
    this.onChange();
    this.#subscribe('onDataUpdateInGroup', STATUS, { onData: (status) => this.#see(status), onStart: () => this.#watchMembers() });
    this.#subscribe('onBatchEventInGroup', 'firedByNodeId events { name payload timestamp firedByNodeId }', {
      onData: ({ events }) => events.forEach((event) => this.onEvent(event)),
      onStart: () => {
        this.#hearsEvents = true;
        this.#sendEvents();
      },
      onLost: () => { this.#hearsEvents = false; },
    });
    this.#subscribe('onGroupDissolve', 'groupId domain message', { onData: ({ message }) => this.#exit(new Error(message)) });
    const seconds = await begin();
    if (this.group !== group) return;
    this.#heartbeat = setInterval(() => this.#beat(), (seconds ?? FIRST_HEARTBEAT_SECONDS) * 1000);
    // What another group has been told, this one has not.
    this.#unreported = this.sensors.size > 0;
    this.#report();
  }

  #subscribe(field, selection, { onData, ...others }) {
    this.#subscriptions.push(this.#client.subscribe(
      `subscription(${OF_GROUP}) { ${field}(${IN_GROUP}) { ${selection} } }`,
      { groupId: this.group.id, domain: this.domain },
      { ...others, onData: (data) => onData(data[field]), onError: (error) => this.#exit(error) }));
  }

  #exit(reason) {
    for (const subscription of this.#subscriptions.splice(0)) subscription.close();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#reportTimer);
    clearTimeout(this.#eventTimer);
    clearTimeout(this.#membersTimer);
    this.#reportTimer = 0;
    this.#eventTimer = 0;
    this.#events = [];
    this.#hearsEvents = false;
    this.group = null;
    this.others.clear();
    this.onChange(reason);
  }

  /** Finds, now and from then on, who has left, and what was reported before this node subscribed. */
  async #watchMembers() {
    clearTimeout(this.#membersTimer);
    const { group } = this;
    const before = new Map(this.others);
    const data = await this.#callInGroup(
      `query(${OF_GROUP}) { listGroupStatuses(${IN_GROUP}) { ${STATUS} } }`, {});
    if (this.group !== group) return;
    if (data !== null) {
      const members = new Set(data.listGroupStatuses.map(({ nodeId }) => nodeId));
      for (const status of data.listGroupStatuses) this.#see(status);
      // Who has reported in the meantime may be new.
      for (const [id, status] of before) if (!members.has(id) && this.others.get(id) === status) this.#forget(id);
    }
    clearTimeout(this.#membersTimer);
    this.#membersTimer = setTimeout(() => this.#watchMembers(), MEMBERS_EVERY_MS);
  }

  #forget(id) {
    this.others.delete(id);
    this.onChange();
  }

  #see(status) {
    const known = this.others.get(status.nodeId);
    if (status.nodeId === this.id || (known && known.timestamp >= status.timestamp)) return;
    this.others.set(status.nodeId, status);
    this.onChange();
  }

  #beat() {
    return this.isHost ? this.#renew() : this.#callInGroup(
      `mutation(${OF_GROUP}, $nodeId: ID!) { sendMemberHeartbeat(${IN_GROUP}, nodeId: $nodeId) { expiresAt } }`,
      { nodeId: this.id });
  }

  async #renew() {
    const data = await this.#callInGroup(
      `mutation(${OF_GROUP}, $hostId: ID!) {
        renewHeartbeat(${IN_GROUP}, hostId: $hostId) { expiresAt heartbeatIntervalSeconds } }`,
      { hostId: this.id });
    return data?.renewHeartbeat.heartbeatIntervalSeconds;
  }

  /** One report at a time, so that they arrive in order. */
  async #report() {
    if (this.#reporting || !this.#unreported || this.group === null) return;
    this.#reporting = true;
    this.#unreported = false;
    this.#reportTimer = setTimeout(() => {
      this.#reportTimer = 0;
      this.#report();
    }, REPORT_EVERY_MS);
    const reported = await this.#callInGroup(
      `mutation(${OF_GROUP}, $nodeId: ID!, $data: [SensorDataInput!]!) {
        reportDataByNode(${IN_GROUP}, nodeId: $nodeId, data: $data) { ${STATUS} } }`,
      { nodeId: this.id, data: [...this.sensors].map(([key, value]) => ({ key, value })) });
    this.#reporting = false;
    // Once more, when it is time for the next report.
    if (reported === null) this.#unreported = true;
    if (this.#reportTimer === 0) this.#report();
  }

  #sendEventsIn(delayMs) {
    if (this.#eventTimer === 0) this.#eventTimer = setTimeout(() => this.#sendEvents(), delayMs);
  }

  async #sendEvents() {
    clearTimeout(this.#eventTimer);
    this.#eventTimer = 0;
    // A node that hears no events would miss its own.
    if (!this.#hearsEvents || this.#events.length === 0) return;
    const { group } = this;
    const events = this.#events.splice(0);
    try {
      await this.#call(
        `mutation(${OF_GROUP}, $nodeId: ID!, $events: [EventInput!]!) {
          fireEventsByNode(${IN_GROUP}, nodeId: $nodeId, events: $events) {
            groupId domain firedByNodeId timestamp
            events { name payload timestamp firedByNodeId groupId domain } } }`,
        { groupId: group.id, nodeId: this.id, events });
    } catch (error) {
      this.#exitIfOver(group, error);
      if (this.group !== group) return;
      if (error instanceof ApiError) {
        this.onChange(error); // It would be refused again.
      } else {
        this.#events.unshift(...events);
        this.#sendEventsIn(EVENT_RETRY_MS);
      }
    }
  }
}
