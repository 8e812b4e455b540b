// Tiles: a number each, with its name and a note.

import { $, h, setText } from './dom.js';
import * as format from './format.js';

export class Tile {
  element;
  #value = h('dd', {}, '–');
  #note = h('dd', { class: 'note' });

  constructor(name) {
    this.element = h('div', {}, h('dt', {}, name), this.#value, this.#note);
  }

  /** `bad`: the number is a reason to worry. */
  show(value, note, bad = false) {
    setText(this.#value, value);
    setText(this.#note, note);
    this.element.classList.toggle('bad', bad);
  }
}

const sum = (list, key) => list.reduce((total, item) => total + item[key], 0);

const tiles = new Map(['Invocations', 'Queue depth', 'In flight', 'Retries', 'Dead letters'].map((name) => [name, new Tile(name)]));

/** Puts the tiles of every cloud on the page. */
export function addTiles() {
  $('tiles').append(...[...tiles.values()].map((tile) => tile.element));
}

export function showTiles(status) {
  const queues = status.queues.filter((queue) => !queue.holdsDeadLetters);
  const failures = sum(status.functions, 'errors') + sum(status.functions, 'timeouts');
  const partial = sum(status.functions, 'partialFailures');
  tiles.get('Invocations').show(format.number(sum(status.functions, 'invocations')),
    `${format.number(sum(status.functions, 'coldStarts'))} cold · ${format.number(failures)} failed as a whole${
      partial > 0 ? ` · ${format.number(partial)} in part` : ''}`);
  tiles.get('Queue depth').show(format.number(sum(queues, 'visible') + sum(queues, 'delayed')),
    `${format.number(sum(queues, 'visible'))} due · ${format.number(sum(queues, 'delayed'))} delayed`);
  tiles.get('In flight').show(format.number(sum(queues, 'inFlight')), 'received, not deleted');
  tiles.get('Retries').show(format.number(sum(queues, 'retries')), 'since the cloud started');
  tiles.get('Dead letters').show(format.number(status.deadLetters), status.deadLetters ? 'see below' : 'none', status.deadLetters > 0);
}
