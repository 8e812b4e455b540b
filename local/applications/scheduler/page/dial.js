// The last minute as a clock's dial, a segment for each slot: that of :00 is at the top.

import { h, setText, svg } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';

const SLOTS = 12; // in a minute

function segment(i) {
  const point = (radius, turn) => {
    const angle = (turn * 2 - 0.5) * Math.PI;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  };
  const [from, to] = [(i + 0.07) / SLOTS, (i + 0.93) / SLOTS];
  return `M${point(34, from)}L${point(46, from)}A46 46 0 0 1 ${point(46, to)}L${point(34, to)}A34 34 0 0 0 ${point(34, from)}Z`;
}

export class Dial {
  element;
  #dial = svg('svg', { id: 'dial', viewBox: '-50 -50 100 100', role: 'img', 'aria-label': 'The last minute' });
  #text = h('p', { id: 'dial-text', class: 'muted' });
  #segments = Array.from({ length: SLOTS }, (_, i) => svg('path', { d: segment(i) }));
  #count = svg('text', { y: 6 });
  #time = svg('text', { y: 18, class: 'small' });

  constructor() {
    const key = Object.entries({ stored: 'stored', waiting: 'on its way', missing: 'missing' });
    this.element = h('div', { class: 'card dial-card' }, this.#dial, h('div', {},
      h('h2', {}, 'Last minute'), this.#text,
      h('ul', { class: 'key', 'aria-hidden': 'true' }, ...key.map(([state, text]) => h('li', { class: `key-${state}` }, text)))));
  }

  /** `minute`: the answer to `series` for twelve slots. */
  show(minute) {
    const { from, slotMs, stored, missing, count, lateness } = minute;
    if (!this.#dial.firstChild) this.#dial.append(...this.#segments, this.#count, this.#time);
    const states = stored.map((n, i) => (n ? 'stored' : missing[i] ? 'missing' : 'waiting'));
    states.forEach((state, i) => { this.#segments[(from / slotMs + i) % SLOTS].dataset.state = state; });
    const latest = states.lastIndexOf('stored');
    const at = from + latest * slotMs;
    setText(this.#count, latest < 0 ? '–' : format.number(count.avg[latest]));
    setText(this.#time, latest < 0 ? '' : format.time(at));
    const text = latest < 0 ? 'No slot has arrived.'
      : `Slot ${format.time(at)} has count ${format.number(count.avg[latest])}`
        + `${lateness.max[latest] === null ? '' : `, ${format.duration(lateness.max[latest])} late`}.`;
    setText(this.#text, text);
    this.#dial.setAttribute('aria-label',
      `The last minute: ${states.filter((state) => state === 'stored').length} of ${SLOTS} slots stored. ${text}`);
  }
}
