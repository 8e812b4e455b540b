// The local cloud as a child process, for tests written in JavaScript.
//
//   const {startServe} = require('./serve');
//   const serve = await startServe(path, ['--in-memory']);
//   ... serve.url ...
//   await serve.stop();
'use strict';

const {spawn} = require('node:child_process');
const readline = require('node:readline');

// Far more than starting takes, on a busy machine and under a sanitizer too: it only makes a hang say what hung.
const GUARD_MS = 45_000;

const CREDENTIALS = {accessKeyId: 'test', secretAccessKey: 'test'};
const REGION = 'us-east-1';

/**
 * Starts the program at `path` on a free port. Resolves once it has said where it listens. `command` is what goes
 * before the flags: ['up'].
 */
function startServe(path, flags = ['--in-memory'], {command = [], guardMs = GUARD_MS} = {}) {
  const child = spawn(path, [...command, '--port=0', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
  });
  // It must not outlive the test.
  const killWithUs = () => child.kill('SIGKILL');
  process.on('exit', killWithUs);
  const output = [];
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({code, signal})));
  const serve = {
    child,
    output,
    ended,
    /** Asks it to end, as Ctrl-C does, and resolves with how it did. */
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended.finally(() => process.off('exit', killWithUs));
    },
  };
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${path} ${why}; its output:\n${output.join('\n')}`));
    const guard = setTimeout(() => fail('did not say where it listens'), guardMs);
    const onLine = (line) => {
      output.push(line);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (!found || serve.url) return;
      clearTimeout(guard);
      serve.url = found[0];
      resolve(serve);
    };
    readline.createInterface({input: child.stdout}).on('line', onLine);
    readline.createInterface({input: child.stderr}).on('line', (line) => output.push(line));
    child.once('error', (error) => fail(`can't be started: ${error.message}`));
    ended.then(({code, signal}) => {
      clearTimeout(guard);
      if (!serve.url) fail(`ended with ${signal ?? code}`);
    });
  });
}

module.exports = {startServe, CREDENTIALS, REGION};
