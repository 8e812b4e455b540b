// The user's processes, the newest first.

import { h } from './dom.js';
import { ACTIONS, MAX_RETRIES, SUBGOALS, TASKS } from './goals.js';
import { durationText, t, timeText } from './texts.js';

const PAGE_SIZE = 20; // the API's own default
const TYPES = [SUBGOALS, ACTIONS, TASKS];
const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'];

export class HistoryView {
  #world; // {api, book, onError}
  #page = 1;
  #asked = 0;

  constructor(world) {
    this.#world = world;
    const choice = (name, values) => h('select', { id: `history-${name}`, onchange: () => this.#restart() },
      h('option', { value: '' }, t('all')), ...values.map((value) => h('option', { value }, t(value))));
    this.type = choice('type', TYPES);
    this.status = choice('status', STATUSES);
    this.rows = h('tbody');
    this.more = h('button', { type: 'button', hidden: '', onclick: () => this.#load(this.#page + 1) }, t('more'));
    this.empty = h('p', { class: 'muted', hidden: '' }, t('nothing'));
    this.element = h('section', { class: 'card history' },
      h('header', {}, h('h1', { tabindex: '-1' }, t('history')), h('span', { class: 'spring' }),
        h('label', {}, t('type'), ' ', this.type), h('label', {}, t('status'), ' ', this.status)),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('history') }, h('table', {},
        h('thead', {}, h('tr', {}, ...['title', 'type', 'status', 'progress', 'created', 'took', 'reason'].map((name) => h('th', { scope: 'col' }, t(name))))),
        this.rows)),
      this.empty, this.more);
  }

  close() { this.#asked = NaN; }

  load() { return this.#load(1); }

  #restart() { this.#load(1); }

  async #load(page) {
    const number = ++this.#asked;
    try {
      const { processes, pagination } = await this.#world.api.history({
        page, pageSize: PAGE_SIZE, type: this.type.value, status: this.status.value,
      });
      if (number !== this.#asked) return; // another choice was made meanwhile
      this.#page = page;
      if (page === 1) this.rows.replaceChildren();
      this.rows.append(...processes.map((process) => this.#row(process)));
      this.empty.hidden = this.rows.children.length > 0;
      this.more.hidden = page >= pagination.totalPages;
    } catch (error) {
      this.#world.onError(error);
    }
  }

  #row({ targetId, type, status, progress, createdAt, completedAt, error, retryCount }) {
    // A sub-goal or an action says nothing about its goal.
    const goal = type === SUBGOALS || this.#world.book.find(targetId);
    const title = goal ? h('a', { href: `#/goal/${targetId}` }, this.#world.book.title(targetId, createdAt)) : '–';
    return h('tr', {}, h('th', { scope: 'row' }, title), h('td', {}, t(type)),
      h('td', {}, h('span', { class: 'status', 'data-status': status }, t(status)), retryCount ? h('span', { class: 'muted' }, ` ${t('retryCount', { n: retryCount, max: MAX_RETRIES })}`) : null),
      h('td', { class: 'number' }, `${progress} %`), h('td', {}, timeText(createdAt)),
      h('td', {}, completedAt ? durationText(new Date(completedAt) - new Date(createdAt)) : '–'),
      h('td', error ? { class: 'why' } : {}, error?.message ?? ''));
  }
}
