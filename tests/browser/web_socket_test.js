// The server's WebSockets as a real browser sees them.
//   web_socket_test.js CHROMIUM PLAYWRIGHT SERVER
'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { startServer } = require('../../core/http/testing/web_socket_server.js');
const { launch, PATIENCE_MS } = require('./browser.js');

const [chromium, playwright, program] = process.argv.slice(2);

let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([
    startServer(program), launch({ chromium, playwright, scratch: process.env.TEST_TMPDIR ?? '/tmp/web_socket' })]);
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${server.url}/`);
  await page.evaluate(() => {
    const closing = (socket) => new Promise((resolve) => {
      socket.onclose = ({ code, reason, wasClean }) => resolve({ code, reason, wasClean });
    });
    globalThis.open = async (path, protocols = []) => {
      const socket = new WebSocket(`ws://${location.host}${path}`, protocols);
      socket.binaryType = 'arraybuffer';
      socket.closing = closing(socket);
      await Promise.race([new Promise((resolve) => { socket.onopen = resolve; }), socket.closing]);
      socket.ask = (message) => new Promise((resolve) => {
        socket.onmessage = ({ data }) => resolve(data);
        socket.send(message);
      });
      return socket;
    };
  });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('text, bytes, the subprotocol, the query and the origin', async () => {
  const seen = await page.evaluate(async () => {
    const socket = await open('/socket?header=e30=&payload=e30=', ['graphql-ws', 'header-e30']);
    const large = 'ü'.repeat(300_000);
    const bytes = new Uint8Array(100_000).map((_, i) => i);
    const back = new Uint8Array(await socket.ask(bytes));
    const seen = {
      protocol: socket.protocol,
      text: await socket.ask('zażółć 😀'),
      empty: await socket.ask(''),
      large: (await socket.ask(large)) === large,
      bytes: back.length === bytes.length && back.every((byte, i) => byte === bytes[i]),
      query: await socket.ask('query'),
      origin: await socket.ask('origin'),
    };
    socket.close(1000);
    await socket.closing;
    return seen;
  });
  assert.deepEqual(seen, {
    protocol: 'graphql-ws', text: 'zażółć 😀', empty: '', large: true, bytes: true, query: 'header=e30=&payload=e30=', origin: server.url,
  });
  assert.deepEqual(await server.closed(), [1000, '']);
});

test('closes carry codes and reasons in both directions', async () => {
  const [left, dismissed] = await page.evaluate(async () => {
    const leaving = await open('/socket');
    leaving.close(4321, 'bye');
    const left = await leaving.closing;
    const socket = await open('/socket');
    socket.send('close 4400 not understood');
    return [left, await socket.closing];
  });
  assert.equal(left.wasClean, true);
  assert.equal(left.code, 4321);
  assert.deepEqual(dismissed, { code: 4400, reason: 'not understood', wasClean: true });
  assert.deepEqual([await server.closed(), await server.closed()], [[4321, 'bye'], [4400, 'not understood']]);
});

test('a refusal, and a message that is too big', async () => {
  const [refused, big] = await page.evaluate(async () => {
    const refused = await (await open('/refused')).closing;
    const socket = await open('/socket');
    socket.send('x'.repeat((1 << 20) + 1));
    return [refused.code, (await socket.closing).code];
  });
  assert.equal(refused, 1006);
  assert.equal(big, 1009);
  assert.equal((await server.closed())[0], 1009);
});

test('a page that is pinged and closed', async () => {
  const other = await browser.newPage();
  await other.goto(`${server.url}/`);
  const answer = await other.evaluate(() => new Promise((resolve) => {
    const socket = new WebSocket(`ws://${location.host}/pings`);
    let left = 100;
    socket.onopen = () => socket.send('there?');
    socket.onmessage = ({ data }) => (--left ? socket.send(data) : resolve(data));
  }));
  assert.equal(answer, 'there?');
  await other.close();
  assert.equal((await server.closed())[0], 1001);
});

test('a stop closes with 1001', async () => {
  const close = await page.evaluate(async () => {
    const socket = await open('/socket');
    socket.send('stop');
    return socket.closing;
  });
  assert.deepEqual(close, { code: 1001, reason: 'the server is stopping', wasClean: true });
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
