// The API of local/dashboard/api.md over made-up data, to test the page against and to work on it by hand:
//
//   ./bazelw run //tests/browser:stand_in          # then open http://127.0.0.1:4567
//
// In tests its clock stands still but for advance(); everything is a function of the slot's number, so
// two runs show the same picture.
'use strict';

const http = require('node:http');
const fs = require('node:fs');
const path = require('node:path');
const { aggregateQueues, aggregateSlots, GRACE_MS, SLOT_MS } = require('./aggregate.js');

const PAGE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};
const HEADERS = {
  'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Resource-Policy': 'same-origin',
};
const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.svg': 'image/svg+xml' };
const MAX_BODY_SHOWN = 64 << 10;
const SCHEDULER = { name: 'byoshin', description: 'Collects a count every five seconds' };
const DETAILED_SLOTS = 4000; // the newest, which have log lines and invocations too

/** A number in [0, 1) that belongs to `n`. */
function noise(n, salt) {
  let x = Math.imul(n ^ (salt * 0x9e3779b9), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

/** A cloud with the scheduler's stack, until that is removed, and with the stacks that are added. */
class Cloud {
  /** `slots` of history before `now`, which must be on a slot's boundary. */
  constructor({ now, slots, missing = () => false }) {
    this.now = now;
    this.epoch = Math.floor(Math.random() * 65536).toString(16);
    this.changes = 0;
    this.waiting = new Set();
    this.held = null; // while frozen: what has been asked
    this.missing = missing;
    this.windowLagMs = 0;
    this.stacks = [SCHEDULER];
    this.panels = ['scheduler'];
    this.queues = []; // of the stacks that were added
    this.apis = [{ stack: SCHEDULER.name, name: 'AI Employee Mock API', url: 'http://127.0.0.1:4566/restapis/w6c9/prod/_user_request_' }];
    this.first = now - slots * SLOT_MS;
    // Slot i starts at first + i * SLOT_MS. NaN: no record.
    this.counts = new Float64Array(slots);
    this.lateness = new Float64Array(slots);
    this.length = 0;
    this.deadLetters = [];
    this.retries = 0;
    this.logs = [];
    this.invocations = [];
    this.functions = {};
    for (const name of ['Sender', 'Collector', 'MockApi']) this.addFunction(name);
    while (this.length < slots) this.#store(this.length >= slots - DETAILED_SLOTS);
  }

  /** Another cloud with the history of this one, which takes far less time than to make it up again. */
  copy() {
    const { now, missing, first, length, retries } = this;
    const functions = Object.fromEntries(Object.entries(this.functions).map(([name, f]) => [name, { ...f }]));
    // What is in the lists does not change.
    const [counts, lateness, deadLetters, logs, invocations] = ['counts', 'lateness', 'deadLetters', 'logs', 'invocations'].map((name) => this[name].slice());
    return Object.assign(new Cloud({ now, slots: 0, missing }), { first, length, retries, functions, counts, lateness, deadLetters, logs, invocations });
  }

  /** The page shows it after changed() or advance(). */
  addFunction(name, { stack = SCHEDULER.name, invocations = 0, errors = 0, coldStarts = 0 } = {}) {
    this.functions[name] = { stack, invocations, errors, timeouts: 0, partialFailures: 0, coldStarts };
  }

  /** Adds a stack: the names of `functions`, and `queues` and `apis` as in the status; what a queue leaves out is 0. */
  addStack({ name, description = null, functions = [], queues = [], apis = [] }) {
    this.stacks.push({ name, description });
    for (const each of functions) this.addFunction(each, { stack: name });
    this.queues.push(...queues.map((queue) => ({ ...queue, stack: name })));
    this.apis.push(...apis.map((api) => ({ ...api, stack: name })));
    this.changed();
  }

  /** Removes the scheduler's stack and panel; log lines and invocations stay. */
  removeScheduler() {
    const stays = ({ stack }) => stack !== SCHEDULER.name;
    this.stacks = this.stacks.filter(({ name }) => name !== SCHEDULER.name);
    this.panels = this.panels.filter((name) => name !== 'scheduler');
    this.functions = Object.fromEntries(Object.entries(this.functions).filter(([, f]) => stays(f)));
    this.apis = this.apis.filter(stays);
    this.deadLetters = this.deadLetters.filter(stays);
    this.changed();
  }

  get #schedules() {
    return this.stacks.includes(SCHEDULER);
  }

  get cursor() {
    return `${this.epoch}-${this.changes}`;
  }

  #grow() {
    const larger = (old) => { const array = new Float64Array(old.length * 2 + 16); array.set(old); return array; };
    if (this.length === this.counts.length) [this.counts, this.lateness] = [larger(this.counts), larger(this.lateness)];
  }

  #store(detailed) {
    this.#grow();
    const i = this.length++;
    const start = this.first + i * SLOT_MS;
    const lost = this.missing(start, i);
    const retried = !lost && noise(i, 1) < 0.00006;
    // As the mock API counts: the minute in which the window ends, modulo 11.
    this.counts[i] = lost ? NaN : Math.floor((start + SLOT_MS) / 60_000) % 11;
    this.lateness[i] = lost ? NaN : retried ? 180_000 + 40 * noise(i, 2) : 1.2 + 1.6 * noise(i, 2) + (noise(i, 3) < 0.02 ? 18 * noise(i, 4) : 0);
    if (retried) ++this.retries;
    if (!detailed) return;
    if (start % 60_000 === 0) this.#invoke('Sender', start, 6 + 3 * noise(i, 5), i);
    this.#invoke('Collector', start, lost ? 30 : 2.2 + 1.5 * noise(i, 6) + (noise(i, 7) < 0.02 ? 20 * noise(i, 8) : 0), i, lost ? 'error' : 'ok');
    this.#invoke('MockApi', start + 1, 0.4 + 0.3 * noise(i, 9), i);
    const window = { from: new Date(start).toISOString().replace('.000', ''), to: new Date(start + SLOT_MS).toISOString().replace('.000', '') };
    if (lost) this.log('Collector', start + 31, 'ERROR', 'the API did not answer', { ...window, status: 503 });
    else this.log('Collector', start + 3, 'INFO', 'slot stored', { ...window, count: this.counts[i] });
  }

  #invoke(name, t, ms, i, outcome = 'ok') {
    const f = this.functions[name];
    const cold = f.invocations === 0 || noise(i, name.length) < 0.003;
    ++f.invocations;
    if (cold) ++f.coldStarts;
    if (outcome === 'error') ++f.errors;
    const initMs = cold ? 1.8 + noise(i, 10) : null;
    this.invocations.push({ t, function: name, requestId: `${i.toString(16).padStart(8, '0')}-${name}`, ms: +(ms + (initMs ?? 0)).toFixed(3), initMs, outcome });
    if (this.invocations.length > 10_000) this.invocations.splice(0, 2000);
  }

  log(name, t, level, message, rest = {}) {
    this.logLine(name, t, JSON.stringify({ timestamp: new Date(t).toISOString(), level, message, ...rest }));
  }

  logLine(name, t, text) {
    this.logs.push({ id: (this.logs.at(-1)?.id ?? 0) + 1, t, function: name, text });
    if (this.logs.length > 20_000) this.logs.splice(0, 5000);
  }

  /** One of a queue's or, without `source`, one that came from no queue. */
  addDeadLetter(body, source = 'SlotQueue', { stack = SCHEDULER.name, queue = source ? 'SlotDeadLetters' : 'SenderFailures' } = {}) {
    const n = this.deadLetters.length + this.changes;
    this.deadLetters.push({
      stack, queue, source, id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      sent: this.now - 900_000, receives: 5, body, bodyBytes: Buffer.byteLength(body),
    });
    this.changed();
  }

  /** Lets `slots` more slots pass, each stored as soon as it begins; without the scheduler, just as much time. */
  advance(slots = 1) {
    if (!this.#schedules) this.now += slots * SLOT_MS;
    for (let i = 0; this.#schedules && i < slots; ++i) {
      this.now = this.first + this.length * SLOT_MS + 3;
      this.#store(true);
    }
    this.changed();
  }

  /** Accepts requests and answers none, like a process that was stopped (SIGSTOP). */
  freeze() {
    this.held = [];
  }

  thaw() {
    const held = this.held;
    this.held = null;
    for (const handle of held) handle();
  }

  changed() {
    ++this.changes;
    for (const answer of this.waiting) answer();
    this.waiting.clear();
  }

  // What the API answers.

  status() {
    const state = {
      cursor: this.cursor, now: this.now, stacks: this.stacks,
      queues: [...(this.#schedules ? this.#schedulerQueues() : []), ...this.queues.map((queue) => this.#queue(queue))],
      deadLetters: this.deadLetters.length,
      functions: Object.entries(this.functions).map(([name, f]) => {
        const mine = this.invocations.filter((i) => i.function === name);
        const at = (list, q) => list.sort((a, b) => a - b)[Math.max(Math.ceil(q * list.length) - 1, 0)];
        const [all, init] = [mine.map((i) => i.ms), mine.filter((i) => i.initMs !== null).map((i) => i.initMs)];
        return {
          name, ...f, environments: name === 'Collector' ? 2 : 1,
          durationMs: all.length ? { p50: at(all, 0.5), p99: at(all, 0.99), max: at(all, 1) } : null,
          initMs: init.length ? { p50: at(init, 0.5), max: at(init, 1) } : null,
        };
      }),
      apis: this.apis,
      lastLog: this.logs.at(-1)?.id ?? 0,
      panels: this.panels,
    };
    return this.panels.includes('scheduler') ? { ...state, scheduler: this.#schedulerState() } : state;
  }

  #queue(queue) {
    const mine = this.deadLetters.filter(({ stack, queue: name }) => stack === queue.stack && name === queue.name);
    return {
      visible: mine.length, delayed: 0, inFlight: 0, retries: 0, oldest: mine[0]?.sent ?? null,
      deadLetterQueue: null, holdsDeadLetters: false, ...queue,
    };
  }

  #schedulerQueues() {
    const slotOfMinute = Math.floor(this.now / SLOT_MS) % 12;
    return [
      {
        name: 'SlotQueue', delayed: 11 - slotOfMinute, inFlight: this.now % SLOT_MS === 0 ? 0 : 1, retries: this.retries,
        oldest: this.now - (this.now % 60_000), deadLetterQueue: 'SlotDeadLetters',
      },
      { name: 'SlotDeadLetters', holdsDeadLetters: true },
      { name: 'SenderFailures', holdsDeadLetters: true },
    ].map((queue) => this.#queue({ stack: SCHEDULER.name, ...queue }));
  }

  #schedulerState() {
    const missing = this.counts.subarray(0, this.length).filter(Number.isNaN).length;
    return {
      slotMs: SLOT_MS, windowLagMs: this.windowLagMs,
      records: { total: this.length - missing, first: this.first, last: this.first + (this.length - 1) * SLOT_MS, missing },
      expected: { from: this.first, to: this.now - this.windowLagMs - GRACE_MS },
    };
  }

  slotSeries(range) {
    return aggregateSlots({
      ...range, now: this.now - this.windowLagMs, first: this.first,
      record: (slot) => {
        const i = (slot - this.first) / SLOT_MS;
        return i < 0 || i >= this.length || Number.isNaN(this.counts[i]) ? null : { count: this.counts[i], lateness: this.lateness[i] };
      },
    });
  }

  queueSeries(range) {
    return aggregateQueues({
      ...range,
      sample: (slot) => {
        const i = (slot - this.first) / SLOT_MS;
        if (i < 0 || i >= this.length) return null;
        return { waiting: 11 - ((slot / SLOT_MS) % 12), inFlight: 1, retries: this.lateness[i] > 60_000 ? 1 : 0, deadLetters: slot > this.now - 900_000 ? this.deadLetters.length : 0 };
      },
    });
  }

  redrive({ stack, queue, ids }) {
    if (!this.status().queues.some((q) => q.stack === stack && q.deadLetterQueue === queue)) return null;
    const goes = (message) => message.stack === stack && message.queue === queue && (!ids || ids.includes(message.id));
    const moved = this.deadLetters.filter(goes).length;
    this.deadLetters = this.deadLetters.filter((message) => !goes(message));
    this.changed();
    return { moved };
  }
}

/** Serves `cloud` and the files of `assets` ({name: path}) on loopback; port 0: any. */
function serve(cloud, assets, port = 0) {
  const handle = (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const json = (status, body) => {
      response.writeHead(status, { ...HEADERS, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    const refusal = refuse(request);
    if (refusal) return json(403, { error: refusal });
    if (!url.pathname.startsWith('/_byoshin/api/')) return sendAsset(assets, url.pathname, response);
    const p = (name, fallback) => (url.searchParams.has(name) ? Number(url.searchParams.get(name)) : fallback);
    const range = () => ({ from: p('from'), to: p('to'), buckets: p('buckets', 2000) });
    switch (`${request.method} ${url.pathname.slice('/_byoshin/api/'.length)}`) {
      case 'GET status': return json(200, cloud.status());
      case 'GET updates': {
        const answer = () => json(200, cloud.status());
        if (url.searchParams.get('after') !== cloud.cursor) return answer();
        cloud.waiting.add(answer);
        return response.on('close', () => cloud.waiting.delete(answer));
      }
      case 'GET queue-series': return json(200, cloud.queueSeries(range()));
      case 'GET scheduler/series':
        return cloud.panels.includes('scheduler') ? json(200, cloud.slotSeries(range())) : json(404, { error: 'there is no scheduler' });
      case 'GET invocations': {
        const all = cloud.invocations.filter((i) => i.t >= p('from') && i.t < p('to'));
        const limit = p('limit', 2000);
        return json(200, { invocations: all.slice(-limit), truncated: all.length > limit });
      }
      case 'GET dead-letters':
        return json(200, { total: cloud.deadLetters.length, redrivable: cloud.deadLetters.filter((m) => m.source).length, messages: cloud.deadLetters.slice(0, p('limit', 50)).map((m) => ({ ...m, body: m.body.slice(0, MAX_BODY_SHOWN) })) });
      case 'GET logs': return json(200, logs(cloud, url.searchParams, p('after', null), p('limit', 500)));
      case 'POST redrive': return readBody(request, (body) => {
        const answer = cloud.redrive(body);
        return answer ? json(200, answer) : json(404, { error: 'no such dead-letter queue' });
      });
      default: return json(404, { error: 'not found' });
    }
  };
  const server = http.createServer((request, response) => (cloud.held
    ? cloud.held.push(() => handle(request, response)) : handle(request, response)));
  return new Promise((resolve) => { server.listen(port, '127.0.0.1', () => resolve(server)); });
}

function refuse(request) {
  const host = request.headers.host ?? '';
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)) return `not a name of this machine: ${host}`;
  const site = request.headers['sec-fetch-site'];
  const link = request.url === '/' && request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
  if (site && site !== 'same-origin' && site !== 'none' && !link) return 'requests from other sites are refused';
  if (request.method !== 'POST') return null;
  const origin = request.headers.origin;
  if (origin && origin !== `http://${host}`) return 'requests from other origins are refused';
  if (request.headers['x-byoshin-request'] !== '1') return 'X-Byoshin-Request: 1 is missing';
  return request.headers['content-type'] === 'application/json' ? null : 'Content-Type must be application/json';
}

function sendAsset(assets, pathname, response) {
  const name = pathname === '/' ? 'index.html' : pathname.replace(/^\/_byoshin\/page\//, '');
  const file = Object.hasOwn(assets, name) ? assets[name] : null;
  if (!file) {
    response.writeHead(404, HEADERS);
    return response.end();
  }
  response.writeHead(200, { ...HEADERS, ...PAGE_HEADERS, 'Content-Type': TYPES[path.extname(name)], 'Cache-Control': 'no-cache' });
  return response.end(fs.readFileSync(file));
}

function logs(cloud, parameters, after, limit) {
  const text = (parameters.get('q') ?? '').toLowerCase();
  const name = parameters.get('function');
  const matching = cloud.logs.filter((line) => (after === null || line.id > after)
    && (!name || line.function === name) && line.text.toLowerCase().includes(text));
  const lines = after === null ? matching.slice(-limit) : matching.slice(0, limit);
  const cut = after !== null && matching.length > limit;
  return { lines, next: cut ? lines.at(-1).id : cloud.logs.at(-1)?.id ?? 0 };
}

function readBody(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => done(JSON.parse(Buffer.concat(chunks).toString())));
}

/** {name in the page: path} of the files that `paths` lists: an application's below its name, uPlot's as the page calls them. */
function assetsOf(paths) {
  const rename = { 'uPlot.iife.min.js': 'uplot.js', 'uPlot.min.css': 'uplot.css' };
  const nameOf = (file) => {
    const application = /applications\/([^/]+)\/page\//.exec(file)?.[1];
    const name = rename[path.basename(file)] ?? path.basename(file);
    return application ? `${application}/${name}` : name;
  };
  return Object.fromEntries(paths.map((file) => [nameOf(file), path.resolve(file)]));
}

module.exports = { Cloud, serve, assetsOf };

if (require.main === module) {
  const now = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
  const cloud = new Cloud({ now, slots: 518_400, missing: (start) => start > now - 600_000 && start < now - 560_000 });
  cloud.addDeadLetter('{"from":"2025-12-02T10:00:00Z","to":"2025-12-02T10:00:05Z"}');
  setInterval(() => cloud.advance(), SLOT_MS);
  serve(cloud, assetsOf(process.argv.slice(2)), Number(process.env.PORT ?? 4567)).then((server) => {
    console.log(`http://127.0.0.1:${server.address().port}`);
  });
}
