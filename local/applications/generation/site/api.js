// The REST API of asynchronous generation.

import { AuthError, reach } from './session.js';
import { language, problemText } from './texts.js';

const UNAUTHORIZED = 401;

/** The API has refused. `message` is the API's own, in the page's language; `fields` has messages by name of the field. */
export class ApiError extends Error {
  constructor(status, { code, message, details = [], retryable = false }) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryable = retryable;
    this.fields = new Map(details.map(({ field, message: text }) => [field.replace(/^params\./, ''), text]));
  }
}

/** The session has ended, and can't be continued. */
export class SignedOut extends Error {}

export class Api {
  #url;
  #session;

  constructor({ apiUrl }, session) {
    this.#url = `${apiUrl}/api/ai/async/`;
    this.#session = session;
  }

  generate(type, params) { return this.#ask('POST', 'generate', { type, params }); }
  status(id) { return this.#ask('GET', `status/${id}`); }
  retry(id) { return this.#ask('POST', `retry/${id}`); }
  cancel(id) { return this.#ask('POST', `cancel/${id}`); }

  /** `query` has page, pageSize, type, status; what is empty is left out. */
  history(query) {
    const given = Object.entries(query).filter(([, value]) => value);
    return this.#ask('GET', `history?${new URLSearchParams(given)}`);
  }

  async #ask(method, path, body) {
    const first = await this.#send(method, path, body);
    // The token may have expired early, as after a change of the clock: a fresh one is tried, once.
    if (first.status !== UNAUTHORIZED) return read(first);
    await this.#refresh();
    const second = await this.#send(method, path, body);
    if (second.status === UNAUTHORIZED) throw new SignedOut();
    return read(second);
  }

  async #send(method, path, body) {
    let token;
    try {
      token = await this.#session.idToken();
    } catch (error) {
      throw error instanceof AuthError ? new SignedOut() : error;
    }
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Language': language };
    if (body) headers['Content-Type'] = 'application/json';
    return reach(this.#url + path, { method, headers, body: body && JSON.stringify(body), cache: 'no-store' });
  }

  async #refresh() {
    try {
      await this.#session.refresh();
    } catch (error) {
      throw error instanceof AuthError ? new SignedOut() : error;
    }
  }
}

/** The `data` of an answer. What API Gateway itself refuses has a message in its own language, or nothing else. */
async function read(response) {
  const answer = await response.json().catch(() => ({}));
  if (response.ok && answer.success) return answer.data;
  const error = answer.error ?? { code: `HTTP ${response.status}`, message: answer.message ?? answer.Message ?? '' };
  if (!response.headers.has('Content-Language')) error.message = problemText(error.code) ?? error.message;
  throw new ApiError(response.status, error);
}
