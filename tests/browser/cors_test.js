// Pages on other origins call a REST API in a real browser: as far as `byoshin up` and the stack's own CORS headers
// allow it.
//   cors_test.js CHROMIUM PLAYWRIGHT BYOSHIN TEMPLATE ZIP
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const readline = require('node:readline');
const { after, before, test } = require('node:test');
const { launch, PATIENCE_MS } = require('./browser.js');

const [chromium, playwright, program, template, zip] = process.argv.slice(2);
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/cors-');

let friend; // origin of a page that may call
let stranger; // origin of another
let cloud; // the process
let url;
let stage; // URL of the REST API's stage
let browser;
let page;
const sites = [];
const output = [];

/** A site with one empty page. */
async function site() {
  const server = http.createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sites.push(server);
  return `http://127.0.0.1:${server.address().port}`;
}

function start() {
  cloud = spawn(path.resolve(program), [
    'up', '--port=0', '--api-port=0', '--in-memory', `--template=${path.resolve(template)}`,
    `--zips=${path.resolve(path.dirname(zip))}`, `--allow-origin=${friend}`,
  ], { stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: SCRATCH, TMPDIR: SCRATCH } });
  process.on('exit', () => cloud.kill('SIGKILL')); // it must not outlive the test
  readline.createInterface({ input: cloud.stderr }).on('line', (line) => output.push(line));
  return new Promise((resolve, reject) => {
    readline.createInterface({ input: cloud.stdout }).on('line', (line) => {
      output.push(line);
      const found = /^Dashboard: (http:\S+)\/$/.exec(line);
      if (found) resolve(found[1]);
    });
    cloud.once('exit', (code) => reject(new Error(`byoshin up ended with ${code}:\n${output.join('\n')}`)));
  });
}

before(async () => {
  [friend, stranger] = [await site(), await site()];
  [url, browser] = await Promise.all([start(), launch({ chromium, playwright, scratch: SCRATCH })]);
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
  const { apis: [api] } = await (await fetch(`${url}/_byoshin/api/status`)).json();
  stage = api.url;
});

after(async () => {
  await browser?.close();
  for (const server of sites) server.close();
  if (cloud === undefined) return;
  cloud.kill('SIGTERM');
  if (cloud.exitCode === null) await once(cloud, 'exit');
});

/** What a page of this origin gets from the stage: status and text, or undefined if it must not read the answer. */
async function fetchFrom(origin, target, options) {
  await page.goto(origin);
  return page.evaluate(async ([address, init]) => {
    try {
      const response = await fetch(address, init);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return undefined;
    }
  }, [stage + target, options]);
}

const badOrder = { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: 'allow' }, body: '{}' };

test('a page of an allowed origin passes the preflight of the mock, and reads what the API refuses', async () => {
  const answer = await fetchFrom(friend, '/orders?shop=1', badOrder);
  assert.equal(answer?.status, 422);
  assert.equal(JSON.parse(answer.text).message, 'Invalid request body');
});

test('it sends only the headers that the preflight allows', async () => {
  const headers = { ...badOrder.headers, 'X-Other': '1' };
  assert.equal(await fetchFrom(friend, '/orders?shop=1', { ...badOrder, headers }), undefined);
});

test('it does not read answers without a CORS header of the stack', async () => {
  assert.equal(await fetchFrom(friend, '/orders?shop=1', { ...badOrder, body: '{"item":"tea"}' }), undefined);
});

test('a page of another origin gets nothing', async () => {
  assert.equal(await fetchFrom(stranger, '/orders?shop=1', badOrder), undefined);
  assert.equal(await fetchFrom(stranger, '/token', {}), undefined);
});
