// The dashboard as C++ serves it: its aggregation against the reference, and the page in a real browser.
//   served_test.js CHROMIUM PLAYWRIGHT SERVER
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const { after, before, test } = require('node:test');
const { aggregateQueues, aggregateSlots, SLOT_MS } = require('./aggregate.js');
const { launch, until, PATIENCE_MS } = require('./browser.js');

const [chromium, playwright, program] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';

let server;
let url;
let browser;
let page;

const get = async (name) => {
  const response = await fetch(`${url}/_byoshin/api/${name}`);
  assert.equal(response.status, 200, name);
  return response.json();
};
const tick = () => fetch(`${url}/_byoshin/api/tick`, {
  method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Byoshin-Request': '1' }, body: '{}',
});

before(async () => {
  server = spawn(path.resolve(program), { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = new Promise((resolve) => { readline.createInterface(server.stdout).once('line', resolve); });
  [url, browser] = await Promise.all([said, launch({ chromium, playwright, scratch: process.env.TEST_TMPDIR ?? '/tmp/served' })]);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
});
after(async () => {
  await browser?.close();
  server.stdin.end();
  await new Promise((resolve) => { server.once('exit', resolve); });
});

test('aggregates as the reference does', async () => {
  const { now, scheduler: { records: { first, total } } } = await get('status');
  const records = []; // by number of slots since the first: a map of half a million is slow
  const at = (slot) => (slot - first) / SLOT_MS;
  let stored = 0;
  for (let from = 0; from !== null;) {
    const part = await get(`scheduler/records?from=${from}&to=${now}&limit=10000`);
    for (const record of part.records) {
      if (!records[at(record.slot)]) ++stored;
      records[at(record.slot)] = record;
    }
    from = part.next;
  }
  assert.equal(stored, total);
  const day = 86_400_000;
  const ranges = [[now - 300_000, now, 2000], [now - day * 31, now + 5000, 2000], [now - day * 7 + 1234, now - day, 777],
    [first - day, first + day, 500], [now - 3_600_000, now + 3_600_000, 100], [first, now, 2], [0, 1, 2]];
  for (const [from, to, buckets] of ranges) {
    const range = { from, to, buckets };
    const wanted = aggregateSlots({ ...range, now, first, record: (slot) => records[at(slot)] ?? null });
    assert.deepEqual(await get(`scheduler/series?${new URLSearchParams(range)}`), wanted, JSON.stringify(range));
    const queues = aggregateQueues({ ...range, sample: () => null });
    assert.deepEqual(await get(`queue-series?${new URLSearchParams(range)}`), queues, JSON.stringify(range));
  }
  const gaps = Math.floor((now - 10_000 - first) / SLOT_MS) + 1 - stored;
  assert.ok(total > 500_000 && gaps > 700);
});

test('the page runs from the program alone, over half a million records', async () => {
  const complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const response = await page.goto(`${url}/`);
  assert.equal(response.headers()['content-encoding'], 'gzip');
  assert.match(response.headers()['content-security-policy'], /^default-src 'none'; script-src 'self';/);
  const says = (id, text) => until(page, ([i, t]) => document.getElementById(i)?.innerText.includes(t), [id, text]);
  await says('dial-text', 'Slot 10:24:55');
  await tick();
  await says('dial-text', 'Slot 10:25:00');
  await page.getByRole('button', { name: '30 d', exact: true }).click();
  await says('range-text', 'one value every 21 min 40 s');
  await until(page, () => Number(document.querySelector('#tiles dd').innerText.replaceAll(',', '')) > 500_000);
  await page.screenshot({ path: path.join(OUT, 'served-30d.png') });
  await says('dead', '<img src=x onerror=alert(1)>');
  await page.locator('#redrive-all').click();
  await page.locator('#confirm-yes').click();
  await says('dead-text', 'None');
  assert.deepEqual(complaints, []);
});

// What keeps the page smooth, counted rather than timed: however much there is to show, an answer has no more values
// than the screen has pixels for, and the page never asks a second question before the first is answered.
const MAX_BUCKETS = 2000;
const MAX_INVOCATIONS = 2000;
const MAX_ANSWER_BYTES = 400_000;

test('a month costs the page no more than an hour, however it is moved', async () => {
  await page.goto('about:blank'); // what it still asks is not counted
  const answers = [];
  const open = { 'scheduler/series': new Set(), 'queue-series': new Set(), invocations: new Set() };
  let mostOpen = 0;
  const kind = (request) => new URL(request.url()).pathname.slice('/_byoshin/api/'.length);
  // The dial asks for a series of twelve buckets.
  const isQuestion = (request) => kind(request) in open && !/buckets=12$/.test(request.url());
  page.on('request', (request) => { if (isQuestion(request)) mostOpen = Math.max(mostOpen, open[kind(request)].add(request).size); });
  page.on('requestfinished', (request) => {
    if (!isQuestion(request) || !open[kind(request)].delete(request)) return;
    answers.push(request.response().then((response) => response.text()).then((text) => ({ text, kind: kind(request) })));
  });
  const loads = (action) => page.evaluate(() => document.documentElement.dataset.loaded).then(async (old) => {
    await action();
    await until(page, (o) => document.documentElement.dataset.loaded !== o, old);
  });
  await page.goto(`${url}/`);
  await until(page, () => document.documentElement.dataset.loaded);
  for (const name of ['1 h', '24 h', '7 d', '30 d']) await loads(() => page.getByRole('button', { name, exact: true }).click());
  // A step a frame, as a finger or a wheel moves it.
  await loads(() => page.evaluate(() => new Promise((resolve) => {
    const box = document.querySelector('#counts .u-over');
    const { left, width } = box.getBoundingClientRect();
    let steps = 0;
    const step = () => {
      if (++steps > 24) return resolve();
      const zooms = steps > 12;
      box.dispatchEvent(new WheelEvent('wheel', {
        bubbles: true, cancelable: true, clientX: left + width / 3, deltaY: steps % 6 < 4 ? -20 : 20, shiftKey: !zooms, ctrlKey: zooms,
      }));
      return requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })));
  const seen = await Promise.all(answers);
  for (const what of Object.keys(open)) assert.ok(seen.filter((answer) => answer.kind === what).length >= 6, what);
  for (const { text, kind: what } of seen) {
    assert.ok(text.length <= MAX_ANSWER_BYTES, `${what}: ${text.length} bytes`);
    const answer = JSON.parse(text);
    const { length } = answer.invocations ?? answer.stored ?? answer.waiting;
    assert.ok(length <= (what === 'invocations' ? MAX_INVOCATIONS : MAX_BUCKETS), `${what}: ${length} values`);
  }
  assert.equal(mostOpen, 1);
  console.log(`largest answer: ${Math.max(...seen.map(({ text }) => text.length))} bytes, of ${seen.length}`);
});
