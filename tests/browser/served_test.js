// The dashboard as C++ serves it: its aggregation against the reference, and the page in a real browser.
//   served_test.js CHROMIUM PLAYWRIGHT SERVER
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');
const { after, before, test } = require('node:test');
const { aggregate, SLOT_MS } = require('./aggregate.js');
const { launch } = require('./browser.js');

const [chromium, playwright, program] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';

let server;
let url;
let browser;
const records = new Map();

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
  url = await new Promise((resolve) => { readline.createInterface(server.stdout).once('line', resolve); });
  browser = await launch({ chromium, playwright, scratch: process.env.TEST_TMPDIR ?? '/tmp/served' });
});
after(async () => {
  await browser?.close();
  server.stdin.end();
  await new Promise((resolve) => { server.once('exit', resolve); });
});

test('aggregates as the reference does', async () => {
  const { now, records: { first, total } } = await get('status');
  for (let from = 0; from !== null;) {
    const page = await get(`records?from=${from}&to=${now}&limit=10000`);
    for (const record of page.records) records.set(record.slot, record);
    from = page.next;
  }
  assert.equal(records.size, total);
  const day = 86_400_000;
  const ranges = [[now - 300_000, now, 2000], [now - day * 31, now + 5000, 2000], [now - day * 7 + 1234, now - day, 777],
    [first - day, first + day, 500], [now - 3_600_000, now + 3_600_000, 100], [first, now, 2], [0, 1, 2]];
  for (const [from, to, buckets] of ranges) {
    const wanted = aggregate({ from, to, buckets, now, first, record: (slot) => records.get(slot) ?? null, sample: () => null });
    const found = await get(`series?from=${from}&to=${to}&buckets=${buckets}`);
    assert.deepEqual(found, wanted, `${from} to ${to} in ${buckets}`);
  }
  assert.ok(total > 500_000 && wantedGaps(first, now) > 700);
});

const wantedGaps = (first, now) => Math.floor((now - 10_000 - first) / SLOT_MS) + 1 - records.size;

test('the page runs from the program alone, over half a million records', async () => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.setDefaultTimeout(90_000); // only a hang takes as long
  const complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const response = await page.goto(`${url}/`);
  assert.equal(response.headers()['content-encoding'], 'gzip');
  assert.match(response.headers()['content-security-policy'], /^default-src 'none'; script-src 'self';/);
  const says = (id, text) => page.waitForFunction(([i, t]) => document.getElementById(i).innerText.includes(t), [id, text]);
  await says('dial-text', 'Slot 10:24:55');
  await tick();
  await says('dial-text', 'Slot 10:25:00');
  await page.getByRole('button', { name: '30 d', exact: true }).click();
  await says('range-text', 'one value every 21 min 40 s');
  await page.waitForFunction(() => Number(document.querySelector('#tiles dd').innerText.replaceAll(',', '')) > 500_000);
  await page.screenshot({ path: path.join(OUT, 'served-30d.png') });
  await says('dead', '<img src=x onerror=alert(1)>');
  await page.locator('#redrive-all').click();
  await page.locator('#confirm-yes').click();
  await says('dead-text', 'None');
  assert.deepEqual(complaints, []);
});
