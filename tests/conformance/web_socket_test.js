// The server's WebSockets as npm's `ws` sees them.
//   web_socket_test.js SERVER
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { after, before, test } = require('node:test');
const { WebSocket } = require('ws');
const { startServer } = require('../../core/http/testing/web_socket_server.js');

const [program] = process.argv.slice(2);

let server;
before(async () => { server = await startServer(program); });
after(async () => { await server.stop(); });

/** A socket that is open. `ask` sends, and resolves with what comes back. */
async function open(address = '/socket', protocols = [], options = {}) {
  const socket = new WebSocket(`${server.url}${address}`, protocols, options);
  const [upgrade] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')]);
  socket.answer = upgrade[0];
  socket.ask = async (message, sendOptions = {}) => {
    const answer = once(socket, 'message');
    socket.send(message, sendOptions);
    const [data, isBinary] = await answer;
    return isBinary ? data : data.toString();
  };
  return socket;
}
/** How it is closed. */
async function closing(socket) {
  const [code, reason] = await once(socket, 'close');
  return [code, reason.toString()];
}
async function close(socket) {
  socket.close();
  await Promise.all([closing(socket), server.closed()]);
}

test('text and bytes of every length come back', async () => {
  const socket = await open();
  for (const length of [0, 1, 125, 126, 65535, 65536, 1 << 20]) {
    assert.equal(await socket.ask('x'.repeat(length)), 'x'.repeat(length));
    const bytes = Buffer.alloc(length, 0xff);
    assert.deepEqual(await socket.ask(bytes), bytes);
  }
  assert.equal(await socket.ask('zażółć 😀'), 'zażółć 😀');
  await close(socket);
});

test('fragments, compression and masks are as the protocol has them', async () => {
  const socket = await open();
  assert.equal(socket.extensions, ''); // ws offers to compress
  assert.equal(socket.answer.headers['x-test'], 'yes');
  socket.send('a', { fin: false });
  socket.ping('between');
  socket.send('b', { fin: false });
  const pong = once(socket, 'pong');
  assert.equal(await socket.ask('c', { fin: true }), 'abc');
  assert.equal((await pong)[0].toString(), 'between');
  await close(socket);
});

test('the server chooses a subprotocol, sees the query and the origin', async () => {
  const socket = await open('/socket?header=e30=&payload=e30=', ['other', 'graphql-ws'], { origin: 'http://page.example' });
  assert.equal(socket.protocol, 'graphql-ws');
  assert.equal(await socket.ask('query'), 'header=e30=&payload=e30=');
  assert.equal(await socket.ask('origin'), 'http://page.example');
  await close(socket);
});

test('the server may refuse', async () => {
  const socket = new WebSocket(`${server.url}/refused`);
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  assert.equal(response.statusCode, 403);
  const wrong = new WebSocket(`${server.url}/socket`, { protocolVersion: 8 });
  wrong.on('error', () => {});
  const [, refusal] = await once(wrong, 'unexpected-response');
  assert.equal(refusal.statusCode, 426);
  assert.equal(refusal.headers['sec-websocket-version'], '13');
});

test('closes carry codes and reasons in both directions', async () => {
  for (const [code, reason] of [[1000, ''], [4400, 'why not'], [4999, 'é'.repeat(61)]]) {
    const leaving = await open();
    leaving.close(code, reason);
    assert.deepEqual(await closing(leaving), [code, reason]);
    assert.deepEqual(await server.closed(), [code, reason]);
    const dismissed = await open();
    dismissed.send(`close ${code} ${reason}`);
    assert.deepEqual(await closing(dismissed), [code, reason]);
    assert.deepEqual(await server.closed(), [code, reason]);
  }
  const silent = await open();
  silent.close();
  assert.equal((await closing(silent))[0], 1005);
  assert.deepEqual(await server.closed(), [1005, '']);
  const gone = await open();
  gone.terminate();
  assert.equal((await server.closed())[0], 1006);
});

test('a client that answers pings stays', async () => {
  const socket = await open('/pings');
  for (let i = 0; i < 5; ++i) await once(socket, 'ping');
  assert.equal(await socket.ask('there?'), 'there?');
  await close(socket);
});

test('a client that breaks the rules is told why', async () => {
  const cases = [
    [1002, (socket) => socket.send('x', { mask: false })],
    [1007, (socket) => socket.send(Buffer.from([0xc3, 0x28]), { binary: false })],
    [1009, (socket) => socket.send('x'.repeat((1 << 20) + 1))],
  ];
  for (const [code, offend] of cases) {
    const socket = await open();
    socket.on('error', () => {});
    offend(socket);
    assert.equal((await closing(socket))[0], code);
    assert.equal((await server.closed())[0], code);
  }
});

test('a client that reads too slowly is closed', async () => {
  const socket = await open();
  socket.pause();
  socket.send('flood');
  const [code, reason] = await server.closed();
  assert.equal(code, 1013);
  socket.resume();
  assert.deepEqual(await closing(socket), [code, reason]);
});

test('one message reaches hundreds, and a stop tells them all', async () => {
  const sockets = await Promise.all(Array.from({ length: 300 }, () => open()));
  const heard = Promise.all(sockets.map((socket) => once(socket, 'message')));
  sockets[0].send('all the same');
  for (const [data] of await heard) assert.equal(data.toString(), 'the same');
  const told = Promise.all(sockets.map(closing));
  sockets[0].send('stop');
  for (const close of await told) assert.deepEqual(close, [1001, 'the server is stopping']);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
