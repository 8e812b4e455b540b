// A cloud on simulated time (simulated_cloud.cc) and clients of the AWS SDK that talk to it.
//
//   const cloud = await startSimulatedCloud(program, ['--template=…']);
//   const client = cloud.client(SecretsManagerClient);
//   await cloud.run(7 * 86400);
//   await cloud.stop();
'use strict';

const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');
const readline = require('node:readline');

/** With `stderr` 'pipe', the cloud's notes can be read from the stream `stderr` instead of the test's log. */
async function startSimulatedCloud(program, flags, {stderr = 'inherit'} = {}) {
  const child = spawn(program, flags, {stdio: ['pipe', 'pipe', stderr], env: {}});
  process.on('exit', () => child.kill('SIGKILL'));
  const lines = readline.createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const {value: endpoint} = await lines.next();
  const clients = [];
  return {
    endpoint,
    stderr: child.stderr,
    /** An error shows at once: nothing is tried again. */
    client(Client, options = {}) {
      const client = new Client({
        endpoint,
        region: 'us-east-1',
        credentials: {accessKeyId: 'test', secretAccessKey: 'test'},
        maxAttempts: 1,
        ...options,
      });
      clients.push(client);
      return client;
    },
    /** Lets simulated time pass. */
    async run(seconds) {
      child.stdin.write(`run ${seconds}\n`);
      assert.equal((await lines.next()).value, 'ran');
    },
    async stop() {
      for (const client of clients) client.destroy();
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      assert.equal(await ended, 0);
    },
  };
}

module.exports = {startSimulatedCloud};
