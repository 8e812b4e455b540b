// The API of local/dashboard/api.md.

const BASE = '/_byoshin/api/';

async function answer(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error(body?.error ?? `the server answered ${response.status}`);
  return body;
}

/** GET; parameters that are null or empty are left out. */
export async function get(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return answer(await fetch(BASE + path + (text ? `?${text}` : ''), { signal, cache: 'no-store' }));
}

export async function post(path, body) {
  return answer(await fetch(BASE + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Byoshin-Request': '1' },
    body: JSON.stringify(body),
  }));
}

const PAUSE_MS = 250; // between two updates: see api.md
const PATIENCE_MS = 25_000; // then ask again, lest a proxy or a sleeping laptop leave us waiting for ever
const RETRY_MS = 1000;

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Calls onStatus with each new state for ever, and onLost when the cloud can't be reached. */
export async function follow(onStatus, onLost) {
  let cursor = '';
  for (;;) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const status = await get(cursor ? 'updates' : 'status', { after: cursor }, patience.signal);
      cursor = status.cursor;
      await onStatus(status);
      await pause(PAUSE_MS);
    } catch (error) {
      if (!patience.signal.aborted) {
        cursor = '';
        onLost(error);
        await pause(RETRY_MS);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
