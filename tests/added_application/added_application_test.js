// The scheduler and an application that only the test knows of, in one cloud: `up --stack=scheduler,echo`.
//   added_application_test.js CHROMIUM PLAYWRIGHT BYOSHIN_WITH_ECHO
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { after, before, test } = require('node:test');
const { launch, PATIENCE_MS } = require('../browser/browser.js');

const [chromium, playwright, program] = process.argv.slice(2);
const OUT = process.env.TEST_UNDECLARED_OUTPUTS_DIR ?? '/tmp';
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/added-');
const ENVIRONMENT = { HOME: SCRATCH, TMPDIR: SCRATCH };

let cloud; // the process
let url;
let browser;
let page;
const output = []; // lines of the process

/** Resolves with the address, once the greeting has been printed whole. */
function start() {
  cloud = spawn(path.resolve(program), ['up', '--stack=scheduler,echo', '--port=0', '--api-port=0', '--in-memory'], {
    stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT,
  });
  process.on('exit', () => cloud.kill('SIGKILL')); // it must not outlive the test
  readline.createInterface({ input: cloud.stderr }).on('line', (line) => output.push(line));
  return new Promise((resolve, reject) => {
    readline.createInterface({ input: cloud.stdout }).on('line', (line) => {
      output.push(line);
      const found = /^Other commands need --endpoint=(http:\S+)\.$/.exec(line);
      if (found) resolve(found[1]);
    });
    cloud.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${output.join('\n')}`)));
  });
}

function run(...words) {
  const { status, stdout, stderr } = spawnSync(path.resolve(program), words, { encoding: 'utf8', env: ENVIRONMENT });
  assert.equal(status, 0, `${words}: ${stderr}`);
  return stdout;
}

before(async () => {
  [url, browser] = await Promise.all([start(), launch({ chromium, playwright, scratch: SCRATCH })]);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
});
after(async () => {
  await browser?.close();
  const ended = new Promise((resolve) => { cloud.once('exit', resolve); });
  cloud.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('up greets for both', () => {
  assert.match(output.find((line) => line.startsWith('Polling')), /^Polling http:\S+ every 5 seconds\. Echo: https:\S+\. Data is kept in memory\./);
});

test('status prints both stacks', () => {
  const text = run('status', `--endpoint=${url}`);
  assert.match(text, /^records {7}\d/m);
  assert.match(text, /^echo {10}https:/m);
  assert.match(text, /^STACK +FUNCTION/m);
  assert.match(text, /^byoshin-echo +byoshin-echo-Function-/m);
  assert.match(text, /^byoshin +byoshin-CollectorFunction-/m);
  assert.match(text, /^STACK +REST API +ADDRESS/m);
  const queues = run('queues', `--endpoint=${url}`);
  assert.match(queues, /^byoshin +SchedulingQueue/m);
});

test('status --json has what a script needs of both', async () => {
  const status = JSON.parse(run('status', '--json', `--endpoint=${url}`));
  assert.equal(status.endpoint, url);
  assert.deepEqual(status.stacks.map((stack) => stack.name), ['byoshin', 'byoshin-echo']);
  const [scheduler, echo] = status.stacks;
  assert.ok(scheduler.queues.some((queue) => queue.name === 'SchedulingQueue' && queue.url.startsWith(`${url}/`)));
  assert.ok(scheduler.functions.every((one) => one.arn.startsWith('arn:aws:lambda:')));
  assert.equal(status.scheduler.slotMs, 5000);
  assert.equal(echo.restApis[0].name, 'echo');
  assert.equal(status.echo.url, echo.outputs.Url);
  const answer = await fetch(`${echo.restApis[0].url}/things/1`);
  assert.equal((await answer.json()).path, '/things/1');
  assert.equal(run('echo', `--endpoint=${url}`), `${echo.outputs.Url}\n`);
});

test('the page shows both stacks and both panels', async () => {
  await page.goto(`${url}/`);
  await page.getByText('Slots stored').waitFor();
  await page.getByText('Echo', { exact: true }).waitFor();
  const functions = page.locator('#functions');
  await functions.getByText('byoshin-echo', { exact: true }).first().waitFor();
  await functions.getByText('CollectorFunction').waitFor();
  await page.screenshot({ path: `${OUT}/both.png`, fullPage: true });
});

test('one of them can be left out', () => {
  const report = run('simulate', '--stack=echo', '--for=1m');
  assert.doesNotMatch(report, /slots/);
  assert.match(run('simulate', '--stack=scheduler,echo', '--for=1m'), /^slots expected {3}12$/m);
});
