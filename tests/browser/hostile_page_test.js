// A hostile page in a real browser, and a cloud on the same machine whose credentials it knows.
//   hostile_page_test.js CHROMIUM PLAYWRIGHT BYOSHIN TEMPLATE ZIP
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const readline = require('node:readline');
const { after, before, test } = require('node:test');
const { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, SQSClient } = require('@aws-sdk/client-sqs');
const { launch, until, PATIENCE_MS } = require('./browser.js');
const { presign, sign } = require('./sigv4.js');

const [chromium, playwright, program, template, zip] = process.argv.slice(2);
const SCRATCH = process.env.TEST_TMPDIR ?? fs.mkdtempSync('/tmp/hostile-');
const credentials = { accessKeyId: 'mine', secretAccessKey: 'known-to-all' };

let evil; // origin of the hostile page
let friend; // origin of a page that may call
let cloud; // the process
let url;
let browser;
let page;
let sqs;
let queue; // URL of a queue with one message
let functionName;
let stage; // URL of the REST API's stage, on the dashboard's origin
const sites = [];
const output = [];

/** A site with one empty page. */
async function site(host) {
  const server = http.createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sites.push(server);
  return `http://${host}:${server.address().port}`;
}

/** The cloud, with a function behind a REST API that answers /x/page?html=… with that. */
async function start() {
  const stack = JSON.parse(fs.readFileSync(template));
  stack.Parameters.ApiBaseUrl = { Type: 'String' };
  fs.writeFileSync(`${SCRATCH}/template.json`, JSON.stringify(stack));
  cloud = spawn(path.resolve(program), [
    'up', '--port=0', '--api-port=0', '--in-memory', `--template=${SCRATCH}/template.json`, `--zips=${path.resolve(path.dirname(zip))}`,
    '--parameter=ApiBaseUrl=http://127.0.0.1:9', `--credentials=${credentials.accessKeyId}:${credentials.secretAccessKey}`, `--allow-origin=${friend}`,
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

const status = async () => (await fetch(`${url}/_byoshin/api/status`)).json();
const messages = async () => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: ['ApproximateNumberOfMessages'] }));
  return Number(Attributes.ApproximateNumberOfMessages);
};
const invocations = async () => (await status()).functions.find(({ name }) => name === functionName).invocations;
/** What the cloud answers to the page that `action` leads to. */
const leave = async (action, argument) => {
  const [answer] = await Promise.all([page.waitForNavigation({ url: (target) => target.origin === url }), page.evaluate(action, argument)]);
  return answer;
};
const purge = () => presign({ url: `${url}/?Action=PurgeQueue&Version=2012-11-05&QueueUrl=${encodeURIComponent(queue)}`, service: 'sqs', credentials });
const invoke = () => presign({ method: 'POST', url: `${url}/2015-03-31/functions/${functionName}/invocations`, service: 'lambda', body: '{}', credentials });

before(async () => {
  evil = await site('localhost');
  friend = await site('127.0.0.1');
  [url, browser] = await Promise.all([
    start(),
    launch({ chromium, playwright, scratch: SCRATCH, args: ['--host-resolver-rules=MAP rebound.example 127.0.0.1'] }),
  ]);
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
  sqs = new SQSClient({ endpoint: url, region: 'us-east-1', credentials });
  queue = (await sqs.send(new CreateQueueCommand({ QueueName: 'orders' }))).QueueUrl;
  await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: 'keep me' }));
  const { functions, apis } = await status();
  functionName = functions[0].name;
  stage = apis[0].url;
});
after(async () => {
  await browser?.close();
  sqs?.destroy();
  cloud?.kill('SIGKILL');
  for (const server of sites) { server.closeAllConnections(); server.close(); }
});

test('what the hostile page is about to send works for a program', async () => {
  const called = await invocations();
  assert.equal((await fetch(invoke(), { method: 'POST', body: '{}' })).status, 200);
  assert.equal(await invocations(), called + 1);
  assert.equal((await fetch(presign({ url: `${url}/?Action=ListQueues&Version=2012-11-05`, service: 'sqs', credentials }))).status, 200);
});

test('a page on another origin does not empty a queue by an image, a frame, a form or a link', async () => {
  await page.goto(evil);
  await page.evaluate((source) => new Promise((resolve) => {
    const image = new Image();
    image.onerror = image.onload = resolve;
    image.src = source;
  }), purge());
  await page.evaluate((source) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = resolve;
    frame.src = source;
    document.body.append(frame);
  }), purge());
  const sent = await leave(({ action, fields }) => {
    const element = document.createElement('form');
    element.action = action;
    for (const [name, value] of fields) {
      const input = document.createElement('input');
      input.name = name;
      input.value = value;
      element.append(input);
    }
    document.body.append(element);
    element.submit();
  }, { action: `${url}/`, fields: [...new URL(purge()).searchParams] });
  assert.equal(sent.status(), 403);
  await page.goto(evil);
  const followed = await leave((target) => { location.href = target; }, purge());
  assert.equal(followed.status(), 403);
  assert.match(await followed.text(), /web pages on other origins are refused/);
  assert.equal(await messages(), 1);
});

test('a page on another origin does not invoke a function', async () => {
  await page.goto(evil);
  const called = await invocations();
  const send = (target) => fetch(target, { method: 'POST', mode: 'no-cors', headers: { 'Content-Type': 'text/plain' }, body: '{}' }).then(() => {}, () => {});
  await page.evaluate(send, invoke());
  // Nor does one without an origin.
  await page.evaluate(({ target, script }) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts';
    addEventListener('message', resolve, { once: true });
    frame.srcdoc = `<script>(${script})(${JSON.stringify(target)}).finally(() => parent.postMessage('done', '*'))</script>`;
    document.body.append(frame);
  }), { target: invoke(), script: send.toString() });
  // Nor one that calls the REST API.
  await page.evaluate((target) => fetch(target, { mode: 'no-cors' }).then(() => {}, () => {}), `${stage}/x/y`);
  assert.equal(await invocations(), called);
});

test('a name that someone else points here is refused, page and calls alike', async () => {
  const { port } = new URL(url);
  const there = `http://rebound.example:${port}`;
  const answer = await page.goto(`${there}/`);
  assert.equal(answer.status(), 403);
  assert.match(await answer.text(), /--allow-host=NAME/);
  const headers = sign({
    url: there, service: 'sqs', credentials, body: '{}',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
  });
  const called = await page.evaluate(async (init) => (await fetch('/', init)).status, { method: 'POST', headers, body: '{}' });
  assert.equal(called, 403);
});

test('a page on an allowed origin calls AWS APIs and reads the answers, but does not operate the dashboard', async () => {
  await page.goto(friend);
  const headers = sign({
    url, service: 'sqs', credentials, body: '{}',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
  });
  const listed = await page.evaluate(async ({ target, init }) => {
    const response = await fetch(target, init);
    return { urls: (await response.json()).QueueUrls, id: response.headers.get('x-amzn-RequestId') };
  }, { target: `${url}/`, init: { method: 'POST', headers, body: '{}' } });
  assert.deepEqual(listed.urls, [queue]);
  assert.ok(listed.id);
  const reset = await page.evaluate((target) => fetch(target, {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Byoshin-Request': '1' }, body: '{}',
  }).then(() => 'done', () => 'refused'), `${url}/_byoshin/api/reset`);
  assert.equal(reset, 'refused');
  assert.equal(await messages(), 1);
});

const RESET = `{ method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Byoshin-Request': '1' }, body: '{}' }`;

test('a script that a function reflects on the dashboard\'s origin does not run', async () => {
  const html = `<title>unharmed</title><script>document.title = 'ran'; fetch('/_byoshin/api/reset', ${RESET});</script>`;
  const answer = await page.goto(`${stage}/x/page?html=${encodeURIComponent(html)}`);
  assert.equal(answer.status(), 200);
  assert.equal(answer.headers()['content-security-policy'], 'sandbox');
  assert.equal(await page.title(), 'unharmed');
  assert.equal(await page.evaluate(() => self.origin), 'null');
  assert.equal(await messages(), 1);
});

test('a script that a function reflects on its own host runs, and reaches its API only', async () => {
  const { port } = new URL(url);
  const [, id, name] = /\/restapis\/([^/]+)\/([^/]+)\//.exec(stage);
  const own = `http://${id}.execute-api.localhost:${port}`;
  const html = `<script>(async () => {
    const statusOf = (target, init) => fetch(target, init).then((r) => r.status, () => 'refused');
    const found = [await statusOf('/${name}/x/y')];
    for (const target of ['/_byoshin/api/reset', '${url}/_byoshin/api/reset', 'http://localhost:${port}/_byoshin/api/reset']) {
      found.push(await statusOf(target, ${RESET}));
    }
    found.push(await statusOf('/${name}/%zz'));
    document.title = JSON.stringify(found);
  })();</script>`;
  await page.goto(`${own}/${name}/x/page?html=${encodeURIComponent(html)}`);
  const title = await until(page, () => document.title);
  assert.deepEqual(JSON.parse(title), [200, 403, 'refused', 'refused', 400]);
  assert.equal(await messages(), 1);
});

test('the dashboard works, also if a link of another site leads to it', async () => {
  for (const from of ['about:blank', evil]) {
    await page.goto(from);
    if (from === evil) {
      await leave((target) => { location.href = target; }, `${url}/`);
    } else {
      await page.goto(`${url}/`);
    }
    await until(page, () => document.getElementById('connection')?.dataset.state === 'live');
  }
  // What a reset by the page's own script would have done above.
  const done = await page.evaluate(`fetch('/_byoshin/api/reset', ${RESET}).then((r) => r.status)`);
  assert.equal(done, 200);
});
