// What is beside the charts: dial, tiles, tables, dead letters.

import { get, post } from './api.js';
import { $, h, setText, svg, toast } from './dom.js';
import * as format from './format.js';

const SLOTS = 12; // in a minute

function segment(i) {
  const point = (radius, turn) => {
    const angle = (turn * 2 - 0.5) * Math.PI;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  const [from, to] = [(i + 0.07) / SLOTS, (i + 0.93) / SLOTS];
  return `M${point(34, from)}L${point(46, from)}A46 46 0 0 1 ${point(46, to)}L${point(34, to)}A34 34 0 0 0 ${point(34, from)}Z`;
}

/** `minute`: a series of the last twelve slots. The dial is a clock's: the slot of :00 is at the top. */
export function showDial(minute) {
  const dial = $('dial');
  if (!dial.firstChild) {
    dial.append(...Array.from({ length: SLOTS }, (_, i) => svg('path', { d: segment(i) })),
      svg('text', { y: 6 }), svg('text', { y: 18, class: 'small' }));
  }
  let latest = -1;
  const states = minute.stored.map((stored, i) => {
    if (stored) latest = i;
    return stored ? 'stored' : minute.missing[i] ? 'missing' : 'waiting';
  });
  states.forEach((state, i) => {
    dial.children[((minute.from + i * minute.slotMs) / minute.slotMs) % SLOTS].dataset.state = state;
  });
  const at = minute.from + latest * minute.slotMs;
  setText(dial.children[SLOTS], latest < 0 ? '–' : format.number(minute.count.avg[latest]));
  setText(dial.children[SLOTS + 1], latest < 0 ? '' : format.time(at));
  const text = latest < 0 ? 'No slot has arrived.'
    : `Slot ${format.time(at)} has count ${format.number(minute.count.avg[latest])}`
      + `${minute.lateness.max[latest] === null ? '' : `, ${format.duration(minute.lateness.max[latest])} late`}.`;
  setText($('dial-text'), text);
  dial.setAttribute('aria-label', `The last minute: ${states.filter((s) => s === 'stored').length} of ${SLOTS} slots stored. ${text}`);
}

const sum = (list, key) => list.reduce((total, item) => total + item[key], 0);

export function showTiles(status, summary) {
  const queues = status.queues.filter((queue) => !queue.holdsDeadLetters);
  const late = summary?.lateness;
  const failures = sum(status.functions, 'errors') + sum(status.functions, 'timeouts');
  const tiles = [
    ['Slots stored', summary ? format.number(summary.stored) : '–',
      summary ? `of ${format.number(summary.expected)} · ${format.percent(summary.stored, summary.expected)}` : ''],
    ['Missing', summary ? format.number(summary.missing) : '–', 'in this range', summary?.missing > 0],
    ['Lateness p99', format.duration(late?.p99), `p50 ${format.duration(late?.p50)} · max ${format.duration(late?.max)}`],
    ['Invocations', format.number(sum(status.functions, 'invocations')),
      `${format.number(sum(status.functions, 'coldStarts'))} cold · ${format.number(failures)} failed as a whole`],
    ['Queue depth', format.number(sum(queues, 'visible') + sum(queues, 'delayed')),
      `${format.number(sum(queues, 'visible'))} due · ${format.number(sum(queues, 'delayed'))} delayed`],
    ['In flight', format.number(sum(queues, 'inFlight')), 'received, not deleted'],
    ['Retries', format.number(sum(queues, 'retries')), 'since the cloud started'],
    ['Dead letters', format.number(status.deadLetters), status.deadLetters ? 'see below' : 'none', status.deadLetters > 0],
  ];
  const box = $('tiles');
  if (!box.firstChild) {
    box.append(...tiles.map(([name]) => h('div', {}, h('dt', {}, name), h('dd', {}), h('dd', { class: 'note' }))));
  }
  tiles.forEach(([, value, note, bad], i) => {
    const [, number, small] = box.children[i].children;
    setText(number, value);
    setText(small, note);
    box.children[i].classList.toggle('bad', Boolean(bad));
  });
}

function table(id, head, rows) {
  $(id).replaceChildren(
    h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row', title: name }, format.shortName(name)),
      ...cells.map((cell) => h('td', cell.bad ? { class: 'bad' } : {}, cell.bad ?? cell))))),
  );
}

const alarming = (n) => (n > 0 ? { bad: format.number(n) } : '0');

export function showTables(status) {
  table('functions', ['function', 'calls', 'failed', 'cold', 'warm now', 'p50', 'p99', 'max', 'init p50'],
    status.functions.map((f) => [f.name, format.number(f.invocations), alarming(f.errors + f.timeouts),
      format.number(f.coldStarts), format.number(f.running + f.idle), format.duration(f.durationMs?.p50),
      format.duration(f.durationMs?.p99), format.duration(f.durationMs?.max), format.duration(f.initMs?.p50)]));
  table('queues', ['queue', 'due', 'delayed', 'in flight', 'retries', 'oldest'],
    status.queues.map((q) => [q.name, q.holdsDeadLetters ? alarming(q.visible) : format.number(q.visible),
      format.number(q.delayed), format.number(q.inFlight), format.number(q.retries),
      q.oldest === null ? '–' : format.duration(Math.max(status.now - q.oldest, 0))]));
}

let shownDeadLetters = '';

export async function showDeadLetters() {
  const list = await get('dead-letters');
  const fingerprint = JSON.stringify(list);
  if (fingerprint === shownDeadLetters) return; // leave focus, scrolling and selection alone
  shownDeadLetters = fingerprint;
  setText($('dead-text'), list.total === 0 ? 'None.'
    : list.total > list.messages.length ? `the oldest ${list.messages.length} of ${format.number(list.total)}`
      : format.number(list.total));
  const queues = [...new Set(list.messages.filter((message) => message.source !== null).map((message) => message.queue))];
  $('redrive-all').hidden = list.redrivable === 0;
  $('redrive-all').onclick = () => redrive(list.redrivable, queues.map((queue) => ({ queue })));
  $('dead').replaceChildren(...list.messages.map((message) => h('li', {},
    h('p', { class: 'meta' }, `${message.queue} · sent ${format.dateTime(message.sent)} · received ${message.receives} times · ${message.id}`),
    message.source === null ? h('p', { class: 'meta' }, 'came from no queue')
      : h('button', { type: 'button', onclick: () => redrive(1, [{ queue: message.queue, ids: [message.id] }]) }, 'Redrive'),
    h('pre', { tabindex: '0', role: 'group', 'aria-label': `Body of message ${message.id}` }, message.body
      + (message.bodyBytes > new Blob([message.body]).size ? `\n… ${format.number(message.bodyBytes)} bytes in all` : '')))));
}

async function redrive(count, requests) {
  setText($('confirm-text'), `${count === 1 ? 'One message goes' : `${format.number(count)} messages go`} back to the queue `
    + 'it came from, to be processed again. Slots that are stored already are not stored twice.');
  const dialog = $('confirm');
  const agreed = await new Promise((resolve) => {
    $('confirm-yes').onclick = () => resolve(true);
    $('confirm-no').onclick = () => resolve(false);
    dialog.oncancel = () => resolve(false);
    dialog.showModal();
    $('confirm-no').focus();
  });
  dialog.close();
  if (!agreed) return;
  try {
    let moved = 0;
    for (const request of requests) moved += (await post('redrive', request)).moved;
    toast(moved === 1 ? 'One message was moved back.' : `${format.number(moved)} messages were moved back.`);
    await showDeadLetters();
  } catch (error) {
    toast(`Redrive failed: ${error.message}`);
  }
}
