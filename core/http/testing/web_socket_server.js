// The program of web_socket_server.cc as a child process.
//
//   const server = await startServer(path);
//   new WebSocket(`${server.url}/socket`);
//   await server.closed();   // the next socket that was closed: [code, reason]
//   await server.stop();
'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');
const readline = require('node:readline');

async function startServer(program) {
  const child = spawn(path.resolve(program), { stdio: ['pipe', 'pipe', 'inherit'] });
  // The server must not outlive the test.
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const ended = new Promise((resolve) => { child.once('exit', (code, signal) => resolve({ code, signal })); });
  const lines = readline.createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  return {
    url,
    ended,
    closed: async () => JSON.parse((await lines.next()).value),
    stop: () => {
      child.stdin.end();
      return ended.finally(() => process.off('exit', kill));
    },
  };
}

module.exports = { startServer };
