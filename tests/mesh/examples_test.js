// The example nodes: what the one in C++ reports and fires, the one in JavaScript prints.
//   examples_test.js CLOUD TEMPLATE ZIP NODE_PROGRAM NODE_SCRIPT
'use strict';

const assert = require('node:assert/strict');
const readline = require('node:readline');
const {spawn} = require('node:child_process');
const {test} = require('node:test');
const {startMesh} = require('./cloud');

const [, , , program, script] = process.argv.slice(2);

function start(command, args) {
  const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit'], env: {NODE_PATH: process.env.NODE_PATH}});
  process.on('exit', () => child.kill('SIGKILL'));
  const lines = readline.createInterface({input: child.stdout})[Symbol.asyncIterator]();
  return {
    say: (line) => child.stdin.write(`${line}\n`),
    hangUp: () => child.stdin.end(),
    line: async () => (await lines.next()).value,
    ended: new Promise((resolve) => child.once('close', resolve)),
  };
}

test('a node in JavaScript prints what nodes in C++ report and fire', async () => {
  const cloud = await startMesh(process.argv.slice(2, 5));
  const {GraphQLUrl: url, ApiKey: key} = cloud.outputs;
  const flags = (id) => [`--url=${url}`, `--key=${key}`, '--domain=d', `--id=${id}`];
  const host = start(program, flags('host'));
  const group = (await host.line()).split(' ')[1];
  const member = start(program, [...flags('member'), `--group=${group}`]);
  assert.equal(await member.line(), `group ${group}`);
  const watcher = start(process.execPath, [script, url, key, 'd', group]);
  // Until it is subscribed, it prints nothing.
  let seen;
  const first = watcher.line().then((line) => { seen = line; });
  while (seen === undefined) {
    member.say('probe=1');
    assert.match(await member.line(), /^\d{4}-/);
    await Promise.race([first, new Promise((resolve) => setImmediate(resolve))]);
  }
  assert.equal(seen, 'member probe=1');
  const next = async () => {
    for (;;) {
      const line = await watcher.line();
      if (line !== 'member probe=1') return line;
    }
  };
  member.say('temperature=25.5');
  assert.equal(await next(), 'member probe=1 temperature=25.5');
  const fired = async (expected) => {
    // Its subscription may come later than the other.
    let line;
    const arrived = next().then((text) => { line = text; });
    while (line === undefined) {
      host.say('!button pressed');
      assert.match(await host.line(), /^\d{4}-/);
      await Promise.race([arrived, new Promise((resolve) => setImmediate(resolve))]);
    }
    assert.equal(line, expected);
  };
  await fired('host !button pressed');
  member.hangUp();
  assert.equal(await member.ended, 0);
  host.hangUp();
  assert.equal(await host.ended, 0);
  assert.equal(await watcher.ended, 0);
  await cloud.stop();
});
