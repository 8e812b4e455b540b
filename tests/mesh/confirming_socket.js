// WebSockets that say when the server has confirmed a subscription: the client aws-appsync itself tells nobody.
//
//   global.WebSocket = confirmingSocket((operation) => console.log(`${operation} is subscribed`));
//
// Loaded into another program (node --require), it sends the names of operations to the parent process.
'use strict';

const WebSocket = require('ws');

function confirmingSocket(onConfirmed) {
  return class extends WebSocket {
    #operations = new Map();

    constructor(...parameters) {
      super(...parameters);
      this.on('message', (text) => {
        const {type, id} = JSON.parse(text);
        if (type === 'start_ack') onConfirmed(this.#operations.get(id));
      });
    }

    send(text, ...more) {
      const {type, id, payload} = JSON.parse(text);
      if (type === 'start') this.#operations.set(id, /subscription (\w+)/.exec(JSON.parse(payload.data).query)[1]);
      super.send(text, ...more);
    }
  };
}

if (process.send) global.WebSocket = confirmingSocket((operation) => process.send(operation));

module.exports = {confirmingSocket};
