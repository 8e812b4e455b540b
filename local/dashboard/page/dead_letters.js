// Messages that could not be processed, and their way back.

import { get, post } from './api.js';
import { $, h, replaceChildren, setText, toast } from './dom.js';
import * as format from './format.js';

let shown = '';

/** `manyStacks`: whether to say which stack a message belongs to. */
export async function showDeadLetters(manyStacks) {
  const list = await get('dead-letters');
  const fingerprint = JSON.stringify([list, manyStacks]);
  if (fingerprint === shown) return; // leave focus, scrolling and selection alone
  shown = fingerprint;
  setText($('dead-text'), list.total === 0 ? 'None.'
    : list.total > list.messages.length ? `the oldest ${list.messages.length} of ${format.number(list.total)}`
      : format.number(list.total));
  // By what they say, so that each queue is in it once.
  const queues = new Map(list.messages.filter((message) => message.source !== null)
    .map(({ stack, queue }) => [JSON.stringify([stack, queue]), { stack, queue }]));
  $('redrive-all').hidden = list.redrivable === 0;
  $('redrive-all').onclick = () => redrive(list.redrivable, [...queues.values()], manyStacks);
  replaceChildren($('dead'), list.messages.map((message) => row(message, manyStacks)), $('dead-title'));
}

function row(message, manyStacks) {
  const { stack, queue, source, id, sent, receives, body, bodyBytes } = message;
  return h('li', {},
    h('p', { class: 'meta' }, `${manyStacks ? `${stack} · ` : ''}${queue} · sent ${format.dateTime(sent)} · received ${receives} times · ${id}`),
    source === null ? h('p', { class: 'meta' }, 'came from no queue')
      : h('button', { type: 'button', 'data-key': `redrive-${id}`, onclick: () => redrive(1, [{ stack, queue, ids: [id] }], manyStacks) }, 'Redrive'),
    h('pre', { class: 'scroll', tabindex: '0', 'data-key': `body-${id}`, role: 'group', 'aria-label': `Body of message ${id}` }, body
      + (bodyBytes > new Blob([body]).size ? `\n… ${format.number(bodyBytes)} bytes in all` : '')));
}

async function redrive(count, requests, manyStacks) {
  setText($('confirm-text'), count === 1 ? 'One message goes back to the queue it came from, to be processed again.'
    : `${format.number(count)} messages go back to the queues they came from, to be processed again.`);
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
    await showDeadLetters(manyStacks);
    // The pressed button may be gone or hidden.
    if (document.activeElement === document.body || !document.activeElement.checkVisibility()) $('dead-title').focus();
  } catch (error) {
    toast(`Redrive failed: ${error.message}`);
  }
}
