// The client of the page without a browser: what it sends, and what it tells.
//   page_test.mjs CLIENT_JS

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

/** The file is a module, though nothing says so to Node.js. */
const source = await readFile(process.argv[2]);
const { ApiError, Client } = await import(`data:text/javascript;base64,${source.toString('base64')}`);

const URL_OF_API = 'http://127.0.0.1:4566/graphql/api/graphql';

/** A WebSocket whose server is the test. */
class FakeSocket extends EventTarget {
  static last;
  sent = [];

  constructor(url) {
    super();
    this.header = JSON.parse(Buffer.from(new URL(url).searchParams.get('header'), 'base64'));
    FakeSocket.last = this;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  receive(message) {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
  }

  close() {
    this.dispatchEvent(new Event('close'));
  }
}
globalThis.WebSocket = FakeSocket;

async function headersOf(options) {
  let sent;
  globalThis.fetch = async (url, { headers }) => {
    sent = headers;
    return Response.json({ data: null });
  };
  await new Client({ url: URL_OF_API, ...options }).answer('{ a }');
  return sent;
}

/** Subscribes, and has the server accept it. */
function subscribe(options, listeners = {}) {
  const client = new Client({ url: URL_OF_API, ...options });
  client.subscribe('subscription { a }', {}, { onData() {}, ...listeners });
  const socket = FakeSocket.last;
  socket.dispatchEvent(new Event('open'));
  socket.receive({ type: 'connection_ack', payload: { connectionTimeoutMs: 300_000 } });
  return { client, socket, start: socket.sent.at(-1) };
}

test('a request has the key, or the authorization instead', async () => {
  assert.deepEqual(await headersOf({ key: 'da2-k' }), { 'content-type': 'application/json', 'x-api-key': 'da2-k' });
  assert.deepEqual(await headersOf({ key: 'da2-k', authorization: 'token' }),
    { 'content-type': 'application/json', authorization: 'token' });
});

test('a socket and its subscriptions have the same credentials', () => {
  const host = '127.0.0.1:4566';
  const credentials = [
    [{ key: 'da2-k' }, { host, 'x-api-key': 'da2-k' }],
    [{ key: '', authorization: 'tökén' }, { host, authorization: 'tökén' }],
  ];
  for (const [options, expected] of credentials) {
    const { client, socket, start } = subscribe(options);
    assert.deepEqual(socket.header, expected);
    assert.deepEqual(start.payload.extensions.authorization, expected);
    client.close();
  }
});

test('an answer that is none of the API is an error, but no ApiError', async () => {
  globalThis.fetch = async () => Response.json({ message: 'Service Unavailable' }, { status: 503 });
  await assert.rejects(new Client({ url: URL_OF_API, key: 'k' }).request('{ a }'), (error) => !(error instanceof ApiError));
});

test('a subscription is told that its connection is lost', () => {
  let lost = 0;
  const { client, socket } = subscribe({ key: 'k' }, { onLost: () => { ++lost; } });
  assert.equal(lost, 0);
  socket.close();
  assert.equal(lost, 1);
  client.close();
});

test('the errors of a message are told with its data', () => {
  const told = [];
  const { client, socket, start } = subscribe({ key: 'k' }, { onData: (...values) => told.push(values) });
  socket.receive({ type: 'data', id: start.id, payload: { data: { a: 1 } } });
  const errors = [{ message: 'no b', path: ['a', 'b'] }];
  socket.receive({ type: 'data', id: start.id, payload: { data: { a: null }, errors } });
  assert.deepEqual(told, [[{ a: 1 }, undefined], [{ a: null }, errors]]);
  client.close();
});
