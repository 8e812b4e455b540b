// A client of AppSync's real-time protocol whose frames are read one after another.
//
//   const socket = await connect(api.uris.REALTIME, {credentials: {host: 'x', 'x-api-key': key.id}});
//   socket.start('1', 'subscription { onNote { id } }');
//   assert.deepEqual(await socket.next(), {id: '1', type: 'start_ack'});
'use strict';

const assert = require('node:assert/strict');
const WebSocket = require('ws');

/** Without connection_init. `credentials` are those of the connection, and of each subscription that names no others. */
async function openSocket(url, {credentials, protocols = ['graphql-ws'], search}) {
  const header = Buffer.from(JSON.stringify(credentials)).toString('base64');
  const socket = new WebSocket(url + (search ?? `?header=${header}&payload=e30=`), protocols);
  const frames = [];
  const waiting = [];
  const take = (frame) => (waiting.length > 0 ? waiting.shift()(frame) : frames.push(frame));
  socket.on('message', (data) => take(JSON.parse(data)));
  socket.on('close', (code) => take({type: 'closed', code}));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  assert.equal(socket.protocol, 'graphql-ws');
  return {
    socket,
    next: () => (frames.length > 0 ? Promise.resolve(frames.shift()) : new Promise((resolve) => waiting.push(resolve))),
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    start(id, text, variables, authorization = credentials) {
      this.send({id, type: 'start', payload: {data: JSON.stringify({query: text, variables}), extensions: {authorization}}});
    },
    /** Starts a subscription and waits for its acknowledgement. */
    async subscribe(id, text, variables, authorization) {
      this.start(id, text, variables, authorization);
      assert.deepEqual(await this.next(), {id, type: 'start_ack'});
    },
    close: () => socket.close(),
  };
}

async function connect(url, options) {
  const socket = await openSocket(url, options);
  socket.send({type: 'connection_init'});
  assert.deepEqual(await socket.next(), {type: 'connection_ack', payload: {connectionTimeoutMs: 300000}});
  assert.deepEqual(await socket.next(), {type: 'ka'});
  return socket;
}

module.exports = {openSocket, connect};
