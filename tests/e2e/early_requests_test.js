// `byoshin up` with several stacks is killed and started again, again and again, while clients go on asking: once it
// accepts connections, no client is told that a role, a function or an API does not exist.
//   early_requests_test.js BYOSHIN
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const path = require('node:path');
const readline = require('node:readline');
const {execFileSync, spawn} = require('node:child_process');
const {after, test} = require('node:test');
const {InvokeCommand, LambdaClient, ListFunctionsCommand} = require('@aws-sdk/client-lambda');

const KILLS = 4;
const CLIENTS_OF_A_KIND = 3;
// Answers to each kind of request after a start, before the next kill.
const ANSWERS = 10;
const CREDENTIALS = {accessKeyId: 'test', secretAccessKey: 'test'};

const [byoshin] = process.argv.slice(2);
const data = path.join(process.env.TEST_TMPDIR, 'data');
// Without keeping connections: a new cloud is asked on new ones.
const agent = new http.Agent({keepAlive: false});

const children = [];
after(() => children.forEach((child) => child.kill('SIGKILL')));

/** Runs `byoshin up`. Resolves with what it has printed once everything is deployed. */
function start(flags) {
  const child = spawn(byoshin, ['up', '--api-port=0', `--data=${data}`, ...flags],
    {stdio: ['ignore', 'pipe', 'inherit'], env: {}});
  children.push(child);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines = [];
  return new Promise((resolve, reject) => {
    ended.then(() => reject(new Error(`it has ended:\n${lines.join('\n')}`)));
    readline.createInterface({input: child.stdout}).on('line', (line) => {
      lines.push(line);
      if (!line.includes('Ctrl-C stops')) return;
      resolve({
        lines,
        find: (pattern) => lines.map((one) => pattern.exec(one)).find((match) => match)[1],
        end: (signal) => {
          child.kill(signal);
          return ended;
        },
      });
    });
  });
}

/** {status, body}, or null if the cloud was not there or went away. */
function send(url, {method = 'GET', headers = {}, body = ''} = {}) {
  return new Promise((resolve) => {
    const request = http.request(url, {method, headers, agent}, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => resolve({status: response.statusCode, body: Buffer.concat(pieces).toString()}));
      response.on('error', () => resolve(null));
    });
    request.on('error', () => resolve(null));
    request.end(body);
  });
}

/** Whether a call of the SDK was answered; throws what it was answered with. */
async function isAnswered(call) {
  try {
    await call();
    return true;
  } catch (error) {
    if (error.$metadata?.httpStatusCode) throw error;
    return false;
  }
}

class Clients {
  #stopped = false;
  #clients = [];
  #counts = new Map();
  #waiting = [];

  /** `ask` resolves with whether there was an answer, and throws if it is an error. */
  add(kind, ask) {
    this.#counts.set(kind, 0);
    for (let i = 0; i < CLIENTS_OF_A_KIND; ++i) this.#clients.push(this.#run(kind, ask));
  }

  async #run(kind, ask) {
    while (!this.#stopped) {
      if (await ask()) this.#counts.set(kind, this.#counts.get(kind) + 1);
      for (const check of this.#waiting.splice(0)) check();
    }
  }

  /** Waits for so many more answers of each kind. */
  async answered(count) {
    const enough = new Map([...this.#counts].map(([kind, before]) => [kind, before + count]));
    const failed = Promise.all(this.#clients);
    while ([...enough].some(([kind, least]) => this.#counts.get(kind) < least)) {
      await Promise.race([failed, new Promise((resolve) => { this.#waiting.push(resolve); })]);
    }
  }

  async stop() {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  /** For a test that has failed. */
  abandon() {
    this.#stopped = true;
  }
}

test('no client sees the cloud before its stacks are deployed', async (t) => {
  for (const stack of ['scheduler', 'generation']) {
    await (await start(['--port=0', `--stack=${stack}`])).end('SIGTERM');
  }
  let cloud = await start(['--port=0', '--stack=mesh']);
  const url = cloud.find(/^Dashboard: (.*)\/$/);
  const graphql = cloud.find(/^GraphQL API: (.*)$/);
  const key = cloud.find(/^ {2}key (da2-.*)$/);
  const status = execFileSync(byoshin, ['status', `--endpoint=${url}`], {encoding: 'utf8', env: {}});
  const shown = /AI Employee Mock API +(http\S+)/.exec(status);
  assert.ok(shown, status);
  const [, rest] = shown;
  const lambda = new LambdaClient(
    {endpoint: url, region: 'us-east-1', credentials: CREDENTIALS, maxAttempts: 1, requestHandler: {httpAgent: agent}});
  const {Functions} = await lambda.send(new ListFunctionsCommand({}));
  const {FunctionName} = Functions.find((one) => one.FunctionName.includes('Sender'));

  const clients = new Clients();
  t.after(() => clients.abandon());
  // A resolver that invokes a function with the data source's role.
  clients.add('GraphQL', async () => {
    const answer = await send(graphql, {
      method: 'POST',
      headers: {'Content-Type': 'application/json', 'x-api-key': key},
      body: JSON.stringify({query: 'mutation { createGroup(name: "g", hostId: "h", domain: "d") { id } }'}),
    });
    if (answer === null) return false;
    assert.match(answer.body, /^\{"data":\{"createGroup":\{"id":/, `GraphQL: ${answer.status}`);
    return true;
  });
  clients.add('REST', async () => {
    const answer = await send(`${rest.replace(/\/$/, '')}/response_count?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:05Z`);
    if (answer === null) return false;
    // The stage limits how often it may be asked.
    assert.ok(answer.status === 200 || answer.status === 429, `REST: ${answer.status} ${answer.body}`);
    return true;
  });
  clients.add('Lambda', () => isAnswered(
    () => lambda.send(new InvokeCommand({FunctionName, InvocationType: 'DryRun'}))));

  for (let kill = 0; kill < KILLS; ++kill) {
    await clients.answered(ANSWERS);
    await cloud.end('SIGKILL');
    cloud = await start([`--port=${new URL(url).port}`, '--stack=mesh']);
  }
  await clients.answered(ANSWERS);
  await clients.stop();
  assert.equal(await cloud.end('SIGTERM'), 0);
});
