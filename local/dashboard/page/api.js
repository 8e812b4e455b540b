// The API of local/dashboard/api.md, and whether the cloud answers.

const BASE = '/_byoshin/api/';

const ANSWER_MS = 5000; // a cloud that takes longer is reported as silent
const GIVE_UP_MS = 15_000; // then a request is aborted, so that it can be sent again
const POST_GIVE_UP_MS = 120_000; // moving many messages takes time, and is not sent again
const HOLD_MS = 8000; // for so long `updates` may be held; then `status`, which answers at once, shows that the cloud is there
const PAUSE_MS = 250; // between two updates: see api.md
const RETRY_MS = 1000;
const WATCH_MS = 1000;

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** The cloud could not be asked: nobody listens, or the connection broke. */
export class Unreachable extends Error {}

/** A request was aborted because no answer came. */
export class NoAnswer extends Unreachable {}

let unanswered = 0; // requests that should be answered at once
let waitingSince = null; // since when none of them was answered
let heardAt = performance.now(); // the last answer

/** The server, or the network, has reacted. */
function heard() {
  heardAt = performance.now();
  waitingSince = unanswered > 0 ? heardAt : null;
}

/** How long the cloud has been silent although it was asked; null if it answers. */
const silence = () => (waitingSince !== null && performance.now() - waitingSince >= ANSWER_MS ? performance.now() - heardAt : null);

/** What the server answers to `request`. With `held`, it may take its time: it waits for something, or has much to do. */
async function ask(path, request, giveUpMs, held = false) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new NoAnswer(`no answer within ${giveUpMs / 1000} s`)), giveUpMs);
  if (!held) {
    ++unanswered;
    waitingSince ??= performance.now();
  }
  let answered = true;
  try {
    const { ok, status, body } = await exchange(BASE + path, { ...request, signal: patience.signal });
    if (ok) return JSON.parse(body);
    const message = errorIn(body) ?? `the server answered ${status}`;
    throw status === 503 ? new Unreachable(message) : new Error(message); // 503: it is stopping, or has too much to do
  } catch (error) {
    answered = !(error instanceof NoAnswer);
    throw error;
  } finally {
    clearTimeout(timer);
    if (!held) --unanswered;
    if (answered) heard();
  }
}

async function exchange(url, request) {
  try {
    const response = await fetch(url, request);
    return { ok: response.ok, status: response.status, body: await response.text() };
  } catch (error) {
    throw error instanceof NoAnswer ? error : new Unreachable(error.message);
  }
}

function errorIn(body) {
  try {
    return JSON.parse(body).error;
  } catch {
    return undefined;
  }
}

const withQuery = (path, parameters) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
};

/** GET; parameters that are null or empty are left out. */
export const get = (path, parameters = {}) => ask(withQuery(path, parameters), { cache: 'no-store' }, GIVE_UP_MS);

export const post = (path, body) => ask(path, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Byoshin-Request': '1' },
  body: JSON.stringify(body),
}, POST_GIVE_UP_MS, true);

/** The next state after `cursor`, or the present one if nothing has changed for some time. */
async function nextStatus(cursor) {
  if (!cursor) return get('status');
  try {
    return await ask(withQuery('updates', { after: cursor }), { cache: 'no-store' }, HOLD_MS, true);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return get('status');
  }
}

/** Calls onStatus with each new state for ever, and onLost when the cloud can't be reached. */
export async function follow(onStatus, onLost) {
  let cursor = '';
  for (;;) {
    try {
      const status = await nextStatus(cursor);
      cursor = status.cursor;
      await onStatus(status);
      await pause(PAUSE_MS);
    } catch (error) {
      cursor = '';
      onLost(error);
      await pause(RETRY_MS);
    }
  }
}

/** Calls onSilence every second with the milliseconds since the last answer if one is overdue, else with null. */
export function watch(onSilence) {
  setInterval(() => onSilence(silence()), WATCH_MS);
}
