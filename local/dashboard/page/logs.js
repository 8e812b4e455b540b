// Log lines: following, filtering, and never more of them than a browser likes.

import { get } from './api.js';
import { $, h, setText } from './dom.js';
import * as format from './format.js';
import { functionName } from './names.js';

const MAX_LINES = 1000;
const LEVELS = { DEBUG: 0, INFO: 1, WARN: 2, WARNING: 2, ERROR: 3, FATAL: 3 };
const KNOWN = new Set(['timestamp', 'time', 'level', 'requestId', '_aws']);

let next = null; // the id to go on from; null: start with the newest
let generation = 0; // of filters: an answer to an older question is dropped

/** What a line says: functions of ours print JSON objects, anything else is shown as it is. */
function read(text) {
  if (text.startsWith('{')) {
    try {
      const line = JSON.parse(text);
      // What the platform itself says has a type in place of a message.
      const message = 'message' in line ? 'message' : 'type';
      const rest = Object.entries(line).filter(([name]) => !KNOWN.has(name) && name !== message)
        .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`).join(' ');
      const level = String(line.level ?? '').toUpperCase();
      return { level, rank: LEVELS[level] ?? 1, message: String(line[message] ?? ''), rest };
    } catch {
      // Not JSON after all.
    }
  }
  return { level: '', rank: 1, message: text, rest: '' };
}

function row(line) {
  const { level, rank, message, rest } = read(line.text);
  if (rank < Number($('log-level').value)) return null;
  return h('li', { 'data-level': rank, 'data-id': line.id },
    h('span', { class: 'when' }, `${format.time(line.t)}.${String(line.t % 1000).padStart(3, '0')}`),
    h('span', { class: 'fn', title: line.function }, functionName(line.function)),
    h('span', { class: 'level' }, level),
    h('span', { class: 'text' }, message, rest ? h('span', { class: 'more' }, `${message ? '  ' : ''}${rest}`) : null));
}

/** Fetches what is new, unless the reader has stopped following. */
export async function refresh(lastLog) {
  if (lastLog !== undefined && next !== null && lastLog < next) restart(); // another cloud: ids are reset
  if (!$('log-follow').checked && next !== null) return;
  if (lastLog !== undefined && next === lastLog) return;
  const asked = generation;
  const from = next;
  const answer = await get('logs', { after: next, function: $('log-function').value, q: $('log-filter').value });
  // Another question from the same place may have been answered meanwhile.
  if (asked !== generation || from !== next) return;
  const list = $('logs');
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  if (next === null) list.replaceChildren();
  next = answer.next;
  list.append(...answer.lines.map(row).filter((line) => line !== null));
  while (list.childElementCount > MAX_LINES) list.firstElementChild.remove();
  if (atEnd) list.scrollTop = list.scrollHeight;
}

function restart() {
  next = null;
  ++generation;
}

/** Adds these functions to the choices. Functions that no longer exist stay, since their lines do. */
export function showFunctions(names) {
  const select = $('log-function');
  const known = new Map([...select.options].slice(1).map((option) => [option.value, option]));
  for (const name of names) {
    const option = known.get(name) ?? select.appendChild(h('option', { value: name }));
    setText(option, functionName(name));
  }
}

export function start(onError) {
  let timer = 0;
  const again = () => {
    restart();
    clearTimeout(timer);
    timer = setTimeout(() => refresh().catch(onError), 150);
  };
  $('log-filter').addEventListener('input', again);
  $('log-function').addEventListener('change', again);
  $('log-level').addEventListener('change', again);
  $('log-follow').addEventListener('change', () => {
    $('logs').scrollTop = $('logs').scrollHeight;
    refresh().catch(onError);
  });
}
