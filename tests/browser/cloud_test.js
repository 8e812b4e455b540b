// The dashboard of the real cloud in a real browser: `byoshin up`, with the template and the zips that AWS would
// get, in real time. What is waited for is what the page shows, never a span of time.
//   cloud_test.js CHROMIUM PLAYWRIGHT BYOSHIN
// Pictures go to the test's outputs.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { EventEmitter, once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { after, afterEach, before, test } = require('node:test');
const { GetQueueUrlCommand, ListQueuesCommand, SendMessageCommand, SQSClient } = require('@aws-sdk/client-sqs');
const { launch, until, PATIENCE_MS } = require('./browser.js');

const [chromium, playwright, program] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/cloud-');
const SLOT_MS = 5000;

let cloud; // the process
let url;
let sqs;
let browser;
let desk; // the page of all tests but the phone's: it goes on from one to the next, as a reader's does
let complaints = [];
let foreign = []; // requests to anywhere but the cloud
const output = []; // lines of the process
const printing = new EventEmitter(); // tells of each

function start() {
  cloud = spawn(path.resolve(program), ['up', '--port=0', '--api-port=0', `--data=${SCRATCH}/data`], {
    stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: SCRATCH, TMPDIR: SCRATCH },
  });
  process.on('exit', () => cloud.kill('SIGKILL')); // it must not outlive the test
  const said = new Promise((resolve, reject) => {
    readline.createInterface({ input: cloud.stdout }).on('line', (line) => {
      output.push(line);
      printing.emit('line');
      const found = /^Dashboard: (http:\S+)\/$/.exec(line);
      if (found) resolve(found[1]);
    });
    cloud.once('exit', (code) => reject(new Error(`byoshin up ended with ${code}:\n${output.join('\n')}`)));
  });
  readline.createInterface({ input: cloud.stderr }).on('line', (line) => output.push(line));
  return said;
}

/** Resolves once the process has printed a line like this. */
async function printed(pattern) {
  while (!output.some((line) => pattern.test(line))) await once(printing, 'line');
}

const get = async (name) => (await fetch(`${url}/_byoshin/api/${name}`)).json();
const post = async (name, body) => (await fetch(`${url}/_byoshin/api/${name}`, {
  method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Byoshin-Request': '1' }, body: JSON.stringify(body),
})).json();

before(async () => {
  const launching = launch({ chromium, playwright, scratch: SCRATCH }).then((launched) => { browser = launched; });
  try {
    url = await start();
  } finally {
    await launching; // so that it is closed, come what may
  }
  sqs = new SQSClient({ endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
  // Slots come from now on, rather than from the next minute.
  assert.equal((await post('tick', {})).fired.length, 1);
  // In real time each of the many updates would have the browser draw half a second of frames; the phone still does.
  desk = await open({ reducedMotion: 'reduce' });
  // The slots that the dial has shown.
  await desk.evaluate(() => {
    const dial = document.getElementById('dial-text');
    window.arrived = new Set();
    const note = () => {
      const slot = /^Slot (\S+)/.exec(dial.innerText);
      if (slot) window.arrived.add(slot[1]);
    };
    new MutationObserver(note).observe(dial, { subtree: true, childList: true, characterData: true });
    note();
  });
});
after(async () => {
  await browser?.close();
  sqs?.destroy();
  cloud?.kill('SIGKILL');
});
afterEach(async () => {
  assert.deepEqual(complaints.splice(0), [], 'the browser complained');
  assert.deepEqual(foreign.splice(0), [], 'the page asked somebody else');
});

/** A page that shows the cloud, in a browser that reaches nothing else; `prepare` is called with it before it is loaded. */
async function open(options = {}, prepare = () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  context.on('request', (request) => { if (new URL(request.url()).origin !== url) foreign.push(request.url()); });
  await context.route((target) => target.origin !== url, (route) => route.abort());
  const page = await context.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await prepare(page);
  await page.goto(`${url}/`);
  await until(page, () => document.documentElement.dataset.loaded && document.querySelector('#dial text'));
  return page;
}

const text = (page, selector) => page.locator(selector).innerText();
const hasText = (page, selector, wanted) => until(page, ([s, w]) => document.querySelector(s)?.innerText.includes(w), [selector, wanted]);
const picture = (page, name, options = {}) => page.screenshot({ path: path.join(OUT, `cloud-${name}.png`), ...options });
const tile = (page, name) => page.locator('#tiles > div', { has: page.locator(`dt:text-is("${name}")`) }).locator('dd');
const number = (shown) => Number(shown.replaceAll(',', ''));
const storesMoreThan = (page, count) => until(page, (c) => Number(document.querySelector('#tiles dd').textContent.replaceAll(',', '')) > c, count);
/** Chooses a range by its button and waits until it is shown. */
async function showRange(page, name) {
  const button = page.getByRole('button', { name, exact: true });
  await button.click();
  // Slots go on arriving: what is loaded next may still be of the range before.
  await until(page, (minutes) => {
    const [from, to] = document.documentElement.dataset.loaded.split('-').map(Number);
    return to - from === minutes * 60_000;
  }, Number(await button.getAttribute('data-minutes')));
  assert.equal(await button.getAttribute('aria-pressed'), 'true', name);
}

/** A row of the table of functions, by a part of the function's name, as texts. */
const functionRow = (page, name) => page.locator('#functions tbody tr', { hasText: name }).locator('td').allInnerTexts();

test('a dead letter is shown with its body, redriven by a click, and its slot is stored', async () => {
  const page = desk;
  const { QueueUrls } = await sqs.send(new ListQueuesCommand({}));
  const name = QueueUrls.map((queue) => queue.split('/').at(-1)).find((queue) => queue.includes('DeadLetter'));
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  // A slot of two hours ago, as if the Collector had given up on it.
  const slot = Math.floor((await get('status')).now / SLOT_MS) * SLOT_MS - 7_200_000;
  const iso = (ms) => new Date(ms).toISOString().replace('.000', '');
  const body = JSON.stringify({ from: iso(slot), to: iso(slot + SLOT_MS) });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
  await hasText(page, '#dead', body);
  await hasText(page, '#dead-text', '1');
  await until(page, () => [...document.querySelectorAll('#tiles > div')]
    .some((box) => box.children[0].textContent === 'Dead letters' && box.children[1].textContent === '1'));
  await page.locator('#dead').scrollIntoViewIfNeeded();
  await picture(page, 'dead-letter');
  await page.locator('#dead li').getByRole('button', { name: 'Redrive' }).click();
  await page.locator('#confirm-yes').click();
  await hasText(page, '#toast', 'One message was moved back.');
  await hasText(page, '#dead-text', 'None');
  assert.equal(await page.locator('#dead li').count(), 0);
  // The Collector has it now; the range of six hours shows how late it is, and no other slot of before the start as missing.
  await page.getByRole('button', { name: '6 h', exact: true }).click();
  await hasText(page, '#range-text', 'one value every 15 s');
  await until(page, () => / max 2 h/.test([...document.querySelectorAll('#tiles > div')]
    .find((box) => box.children[0].textContent === 'Lateness p99').innerText));
  assert.ok(number(await tile(page, 'Missing').first().innerText()) < 1000);
  const { records } = await get(`scheduler/records?from=${slot}&to=${slot + 1}`);
  assert.equal(records.length, 1);
  await picture(page, 'gap');
});

test('every range from minutes to a month is shown', async () => {
  const page = desk;
  for (const name of ['5 min', '15 min', '1 h', '6 h', '24 h', '7 d', '30 d']) await showRange(page, name);
  assert.match(await text(page, '#range-text'), /one value every 21 min 40 s$/);
});

test('it fits a phone', async () => {
  const page = await open({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'dark' });
  await storesMoreThan(page, 0);
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(inner <= outer, `${inner} px wide in ${outer}`);
  await picture(page, 'phone');
  await picture(page, 'phone-whole', { fullPage: true, scale: 'css' });
  await page.context().close();
});

test('slots of the real functions arrive by themselves', async () => {
  const page = desk;
  await until(page, () => window.arrived.size > 3);
  await showRange(page, '15 min');
  await until(page, () => Number(document.querySelector('#tiles dd').textContent.replaceAll(',', '')) >= window.arrived.size);
  assert.equal(await text(page, '#connection'), 'Live');
  // What the dial says of its slot is what the program printed and what the table holds.
  await until(page, () => document.querySelector('#dial path[data-state=stored]'));
  const [, time, count] = /^Slot (\S+) has count (\d+)/.exec(await text(page, '#dial-text'));
  await printed(new RegExp(`^\\S+T${time}Z  count +${count} +[0-9.]+ .+ late$`));
  const { now } = await get('status');
  const { records } = await get(`scheduler/records?from=${now - 600_000}&to=${now + 1}`);
  assert.ok(records.some((r) => new Date(r.slot).toISOString().slice(11, 19) === time && r.count === Number(count)));
});

test('lateness, invocations with their cold starts, queues and logs are those of the run', async () => {
  const page = desk;
  await page.emulateMedia({ colorScheme: 'dark' });
  await until(page, () => document.documentElement.dataset.theme === 'dark');
  await storesMoreThan(page, 2);
  const late = tile(page, 'Lateness p99');
  assert.match(await late.first().innerText(), /^[0-9.]+ (ms|s|min)/);
  assert.match(await late.last().innerText(), /^p50 [0-9.]+ .+ · max [0-9.]+ /);
  assert.match(await page.locator('#lateness').getAttribute('aria-label'), /^Lateness: half within [0-9.]+ .*99 in 100 within /);
  // calls, failed, cold, warm now, …
  const [calls, failed, cold, warm] = (await functionRow(page, 'CollectorFunction')).map(number);
  assert.ok(calls >= 3 && failed === 0 && cold >= 1 && warm >= 1, `Collector: ${[calls, failed, cold, warm]}`);
  const sender = await functionRow(page, 'SenderFunction');
  assert.equal(sender[1], '0');
  assert.ok(number(sender[2]) >= 1, 'the Sender was started');
  assert.match(sender.at(-1), /^[0-9.]+ m?s$/, 'and that took its time');
  assert.match(await tile(page, 'Invocations').last().innerText(), /^\d+ cold · 0 failed as a whole$/);
  await until(page, () => /^Durations of [1-9]/.test(document.getElementById('durations').getAttribute('aria-label')));
  assert.ok((await page.locator('#queues tbody tr').count()) >= 2);
  await hasText(page, '#logs', 'count stored');
  const collector = await page.locator('#log-function option', { hasText: 'CollectorFunction' }).getAttribute('value');
  await page.locator('#log-function').selectOption(collector);
  await page.locator('#log-filter').fill('COUNT STORED');
  await until(page, (name) => {
    const lines = [...document.querySelectorAll('#logs li')];
    return lines.length && lines.every((li) => li.innerText.includes('count stored') && li.innerText.includes(name));
  }, 'CollectorFunction');
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await until(page, () => document.documentElement.dataset.theme === 'light');
  await picture(page, 'light');
});

test('the page says so when the process is frozen, and recovers when it goes on', async () => {
  // The page's time passes when it is told to; the cloud is stopped for no longer than that takes.
  const page = await open({ reducedMotion: 'reduce' }, (it) => it.clock.install());
  const passUntil = async (state) => {
    for (let i = 0; i < 60; ++i) {
      if (await page.evaluate(() => document.getElementById('connection').dataset.state) === state) return;
      await page.clock.runFor(1000);
    }
    assert.fail(`the page is not ${state}, but says: ${await text(page, '#connection')}`);
  };
  cloud.kill('SIGSTOP');
  try {
    await passUntil('silent');
    assert.match(await text(page, '#connection'), /^No answer\s*for \d+ s$/);
    await picture(page, 'silent');
  } finally {
    cloud.kill('SIGCONT');
  }
  await until(page, () => document.getElementById('connection').dataset.state === 'live');
  await page.context().close();
});

test('the page says so when the cloud has stopped, which it does when told to', async () => {
  const page = desk;
  const ended = new Promise((resolve) => { cloud.once('exit', (code, signal) => resolve({ code, signal })); });
  cloud.kill('SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null }, output.join('\n'));
  await until(page, () => document.getElementById('connection').dataset.state === 'lost');
  complaints = complaints.filter((complaint) => !/ERR_|Failed to load resource/.test(complaint));
});
