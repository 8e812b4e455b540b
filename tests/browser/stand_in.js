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
const { aggregate, GRACE_MS, SLOT_MS } = require('./aggregate.js');

const PAGE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};
const HEADERS = {
  'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Resource-Policy': 'same-origin',
};
const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.svg': 'image/svg+xml' };
const MAX_BODY_SHOWN = 64 << 10;
const DETAILED_SLOTS = 4000; // the newest, which have log lines and invocations too

/** A number in [0, 1) that belongs to `n`. */
function noise(n, salt) {
  let x = Math.imul(n ^ (salt * 0x9e3779b9), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

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
    this.first = now - slots * SLOT_MS;
    // Slot i starts at first + i * SLOT_MS. NaN: no record.
    this.counts = new Float64Array(slots);
    this.lateness = new Float64Array(slots);
    this.length = 0;
    this.deadLetters = [];
    this.retries = 0;
    this.logs = [];
    this.invocations = [];
    this.functions = { Sender: this.#function(), Collector: this.#function(), MockApi: this.#function() };
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

  #function() {
    return { invocations: 0, errors: 0, timeouts: 0, throttles: 0, coldStarts: 0 };
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
  addDeadLetter(body, source = 'SlotQueue') {
    const n = this.deadLetters.length + this.changes;
    this.deadLetters.push({
      queue: source ? 'SlotDeadLetters' : 'SenderFailures', source, id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      sent: this.now - 900_000, receives: 5, body, bodyBytes: Buffer.byteLength(body),
    });
    this.changed();
  }

  /** Lets `slots` more slots pass, each stored as soon as it begins. */
  advance(slots = 1) {
    for (let i = 0; i < slots; ++i) {
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
    const slotOfMinute = Math.floor(this.now / SLOT_MS) % 12;
    const queue = (name, more) => ({ name, visible: 0, delayed: 0, inFlight: 0, retries: 0, oldest: null, deadLetterQueue: null, holdsDeadLetters: false, ...more });
    const held = (name) => {
      const mine = this.deadLetters.filter((message) => message.queue === name);
      return queue(name, { visible: mine.length, oldest: mine[0]?.sent ?? null, holdsDeadLetters: true });
    };
    return {
      cursor: this.cursor, now: this.now, slotMs: SLOT_MS,
      records: { total: this.length, first: this.first, last: this.first + (this.length - 1) * SLOT_MS, missing: this.counts.subarray(0, this.length).filter(Number.isNaN).length },
      expected: { from: this.first, to: this.now - this.windowLagMs - GRACE_MS }, windowLagMs: this.windowLagMs,
      queues: [
        queue('SlotQueue', { delayed: 11 - slotOfMinute, inFlight: this.now % SLOT_MS === 0 ? 0 : 1, retries: this.retries, oldest: this.now - (this.now % 60_000), deadLetterQueue: 'SlotDeadLetters' }),
        held('SlotDeadLetters'),
        held('SenderFailures'),
      ],
      deadLetters: this.deadLetters.length,
      functions: Object.entries(this.functions).map(([name, f]) => {
        const mine = this.invocations.filter((i) => i.function === name);
        const at = (list, q) => list.sort((a, b) => a - b)[Math.max(Math.ceil(q * list.length) - 1, 0)];
        const [all, init] = [mine.map((i) => i.ms), mine.filter((i) => i.initMs !== null).map((i) => i.initMs)];
        return {
          name, ...f, running: name === 'Collector' ? 1 : 0, idle: 1,
          durationMs: all.length ? { p50: at(all, 0.5), p99: at(all, 0.99), max: at(all, 1) } : null,
          initMs: init.length ? { p50: at(init, 0.5), max: at(init, 1) } : null,
        };
      }),
      apis: [],
      lastLog: this.logs.at(-1)?.id ?? 0,
    };
  }

  series(from, to, buckets) {
    return aggregate({
      from, to, buckets, now: this.now - this.windowLagMs, first: this.first,
      record: (slot) => {
        const i = (slot - this.first) / SLOT_MS;
        return i < 0 || i >= this.length || Number.isNaN(this.counts[i]) ? null : { count: this.counts[i], lateness: this.lateness[i] };
      },
      sample: (slot) => {
        const i = (slot - this.first) / SLOT_MS;
        if (i < 0 || i >= this.length) return null;
        return { waiting: 11 - ((slot / SLOT_MS) % 12), inFlight: 1, retries: this.lateness[i] > 60_000 ? 1 : 0, deadLetters: slot > this.now - 900_000 ? this.deadLetters.length : 0 };
      },
    });
  }

  redrive({ queue, ids }) {
    if (queue !== 'SlotDeadLetters') return null;
    const goes = (message) => message.queue === queue && (!ids || ids.includes(message.id));
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
    switch (`${request.method} ${url.pathname.slice('/_byoshin/api/'.length)}`) {
      case 'GET status': return json(200, cloud.status());
      case 'GET updates': {
        const answer = () => json(200, cloud.status());
        if (url.searchParams.get('after') !== cloud.cursor) return answer();
        cloud.waiting.add(answer);
        return response.on('close', () => cloud.waiting.delete(answer));
      }
      case 'GET series': return json(200, cloud.series(p('from'), p('to'), p('buckets', 2000)));
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

/** {name in the page: path} of the files that `paths` lists; uPlot's get the names that the page uses. */
function assetsOf(paths) {
  const rename = { 'uPlot.iife.min.js': 'uplot.js', 'uPlot.min.css': 'uplot.css' };
  return Object.fromEntries(paths.map((file) => [rename[path.basename(file)] ?? path.basename(file), path.resolve(file)]));
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
