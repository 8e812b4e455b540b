// A client of a GraphQL API of AppSync: requests over HTTP, subscriptions over one WebSocket that is opened when it is
// first needed and opened again when it is lost.
//
//   const client = new Client({ url: 'http://…/graphql', key: 'da2-…' });
//   const { createDomain } = await client.request('mutation { createDomain }');
//   const subscription = client.subscribe('subscription { … }', {}, { onData, onError });
//   subscription.close();

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;

/** An error of the API, with the type that tells what to do about it. */
export class ApiError extends Error {
  constructor({ message, errorType }) {
    super(message);
    this.errorType = errorType ?? null;
  }
}

/** JSON in base 64, also of characters that base 64 does not know. */
function encode(value) {
  return btoa(JSON.stringify(value).replace(/[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

export class Client {
  #url;
  #credentials;
  #socket = null;
  #ready = false; // the server has acknowledged the connection
  #subscriptions = new Map();
  #lastId = 0;
  #pause = FIRST_PAUSE_MS;
  #reopening = 0;
  #silence = 0;
  #closed = false;

  /**
   * authorization: a token of a user pool or for the API's function; the key is not used then.
   * onConnection: called with whether the WebSocket is there.
   */
  constructor({ url, key, authorization = '', onConnection = () => {} }) {
    this.#url = url;
    this.#credentials = authorization ? { authorization } : { 'x-api-key': key };
    this.onConnection = onConnection;
  }

  /** The data; an ApiError if there are errors, another error if the API has not answered. */
  async request(query, variables = {}) {
    const { data, errors } = await this.answer(query, variables);
    if (errors?.length) throw new ApiError(errors[0]);
    if (data === undefined) throw new Error('There was no answer of the API.');
    return data;
  }

  /** The whole answer: { data, errors }. */
  async answer(query, variables = {}) {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#credentials },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  }

  /**
   * onData: called with the data of a message, and its errors if it has any.
   * onStart: called whenever the server has begun to deliver; what happened before is not delivered.
   * onLost: called when the connection is lost. onStart follows as soon as it is there again.
   */
  subscribe(query, variables, { onData, onError = () => {}, onStart = () => {}, onLost = () => {} }) {
    const id = String(++this.#lastId);
    this.#subscriptions.set(id, { query, variables, onData, onError, onStart, onLost });
    if (this.#ready) this.#start(id);
    else this.#open();
    return {
      close: () => {
        if (!this.#subscriptions.delete(id)) return;
        if (this.#ready) this.#send({ id, type: 'stop' });
        if (this.#subscriptions.size === 0) this.#socket?.close();
      },
    };
  }

  close() {
    this.#closed = true;
    this.#subscriptions.clear();
    clearTimeout(this.#reopening);
    this.#socket?.close();
  }

  #socketCredentials() {
    return { host: new URL(this.#url).host, ...this.#credentials };
  }

  #open() {
    if (this.#socket !== null || this.#closed) return;
    clearTimeout(this.#reopening);
    const url = new URL(`${this.#url.replace(/^http/, 'ws')}/realtime`);
    url.searchParams.set('header', encode(this.#socketCredentials()));
    url.searchParams.set('payload', encode({}));
    const socket = new WebSocket(url, 'graphql-ws');
    this.#socket = socket;
    socket.addEventListener('open', () => this.#send({ type: 'connection_init' }));
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(data)));
    socket.addEventListener('close', () => this.#lost());
  }

  #lost() {
    this.#socket = null;
    this.#ready = false;
    clearTimeout(this.#silence);
    if (this.#closed || this.#subscriptions.size === 0) return;
    this.onConnection(false);
    for (const { onLost } of this.#subscriptions.values()) onLost();
    this.#reopening = setTimeout(() => this.#open(), this.#pause * (0.5 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, LAST_PAUSE_MS);
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #start(id) {
    const { query, variables } = this.#subscriptions.get(id);
    this.#send({
      id,
      type: 'start',
      payload: {
        data: JSON.stringify({ query, variables }),
        extensions: { authorization: this.#socketCredentials() },
      },
    });
  }

  /** A server that says nothing, not even that it is alive, is gone. */
  #watch(timeoutMs) {
    this.timeoutMs = timeoutMs ?? this.timeoutMs;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#socket?.close(), this.timeoutMs);
  }

  #take({ type, id, payload }) {
    const subscription = this.#subscriptions.get(id);
    switch (type) {
      case 'connection_ack':
        this.#ready = true;
        this.#pause = FIRST_PAUSE_MS;
        this.#watch(payload.connectionTimeoutMs);
        this.onConnection(true);
        for (const known of this.#subscriptions.keys()) this.#start(known);
        break;
      case 'ka':
        this.#watch();
        break;
      case 'start_ack':
        subscription?.onStart();
        break;
      case 'data':
        subscription?.onData(payload.data, payload.errors);
        break;
      case 'error':
        this.#subscriptions.delete(id);
        subscription?.onError(new ApiError(payload.errors[0]));
        break;
      case 'connection_error':
        this.#refused(payload);
        break;
      default:
    }
  }

  /** The key or the token is wrong or has expired: to try again would not help. */
  #refused(payload) {
    const error = new ApiError(payload?.errors?.[0] ?? { message: 'The connection was refused.' });
    const subscriptions = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    this.#socket?.close();
    for (const subscription of subscriptions) subscription.onError(error);
  }
}
