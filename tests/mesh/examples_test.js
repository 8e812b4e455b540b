// The example nodes: what the one in C++ reports and fires, the one in JavaScript prints.
//   examples_test.js CLOUD TEMPLATE ZIP NODE_PROGRAM NODE_SCRIPT
'use strict';

const assert = require('node:assert/strict');
const readline = require('node:readline');
const {spawn} = require('node:child_process');
const {test} = require('node:test');
const {startMesh} = require('./cloud');

const [, , , program, script] = process.argv.slice(2);

function start(command, args, ...channels) {
  const child = spawn(command, args,
    {stdio: ['pipe', 'pipe', 'inherit', ...channels], env: {NODE_PATH: process.env.NODE_PATH}});
  process.on('exit', () => child.kill('SIGKILL'));
  const lines = readline.createInterface({input: child.stdout})[Symbol.asyncIterator]();
  return {
    child,
    say: (line) => child.stdin.write(`${line}\n`),
    hangUp: () => child.stdin.end(),
    line: async () => (await lines.next()).value,
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
}

/** The example in JavaScript, once the server has confirmed all of its subscriptions. */
async function startWatcher(args) {
  const watcher = start(process.execPath, ['--require', require.resolve('./confirming_socket'), script, ...args], 'ipc');
  const missing = new Set(['onDataUpdateInGroup', 'onBatchEventInGroup', 'onGroupDissolve']);
  await new Promise((resolve, reject) => {
    watcher.child.on('message', (operation) => {
      missing.delete(operation);
      if (missing.size === 0) resolve();
    });
    watcher.child.once('exit', (code) => reject(new Error(`the watcher ended with ${code}`)));
  });
  return watcher;
}

test('a node in JavaScript prints what nodes in C++ report and fire', async () => {
  const cloud = await startMesh(process.argv.slice(2, 5));
  const {GraphQLUrl: url, ApiKey: key} = cloud.outputs;
  const flags = (id) => [`--url=${url}`, `--key=${key}`, '--domain=d', `--id=${id}`];
  const host = start(program, flags('host'));
  const group = (await host.line()).split(' ')[1];
  const member = start(program, [...flags('member'), `--group=${group}`]);
  assert.equal(await member.line(), `group ${group}`);
  const watcher = await startWatcher([url, key, 'd', group]);
  member.say('temperature=25.5');
  assert.match(await member.line(), /^\d{4}-/);
  assert.equal(await watcher.line(), 'member temperature=25.5');
  member.say('light=7');
  assert.equal(await watcher.line(), 'member light=7 temperature=25.5');
  host.say('!button pressed');
  assert.equal(await watcher.line(), 'host !button pressed');
  member.hangUp();
  assert.equal(await member.ended, 0);
  host.hangUp();
  assert.equal(await host.ended, 0);
  assert.equal(await watcher.line(), `Group ${group}@d has been dissolved successfully.`);
  assert.equal(await watcher.ended, 0);
  await cloud.stop();
});
