// One execution: its graph, the state that is selected, and its history. Follows what happens.

import { h, setText } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';
import { data, failure, stateDetail } from './detail.js';
import { Drawing } from './drawing.js';
import { allStates } from './graph.js';
import { Progress, visitToShow } from './progress.js';

const MAX_ROWS = 500; // of the history

export class ExecutionView {
  #get;
  #onOpen;
  #onClose;
  #parent;
  #execution = null;
  #mapRuns = [];
  #progress = new Progress();
  #states = new Map(); // definitions, by name
  #drawing = null;
  #selected = null; // a state's name
  #visit = null; // which of its visits; null: the default
  #now = 0;
  #shownDetail = '';
  #rows = 0; // events in the history so far

  /** get(path, parameters): asks the panel's API. onOpen({ arn, parent }): another execution is wanted. */
  constructor({ arn, parent = null }, { get, onOpen, onClose }) {
    this.arn = arn;
    this.#parent = parent;
    this.#get = get;
    this.#onOpen = onOpen;
    this.#onClose = onClose;
    this.#build();
  }

  #build() {
    this.title = h('h3', { tabindex: '-1' }, 'Loading…');
    this.facts = h('p', { class: 'readout', role: 'status' });
    this.graph = h('div', {
      class: 'states-canvas scroll', tabindex: '0', role: 'region', 'aria-label': 'Graph of the states',
      onkeydown: (event) => event.stopPropagation(), // arrows scroll it, and don't move the page's range
    });
    this.detail = h('div', { class: 'states-detail', role: 'region', 'aria-label': 'Details' });
    this.rows = h('tbody');
    this.historyTitle = h('summary', {}, 'History');
    const head = ['#', 'time', 'event', 'state'].map((text) => h('th', { scope: 'col' }, text));
    const close = h('button', { type: 'button', onclick: () => this.#onClose() }, 'Close');
    const back = this.#parent ? h('button', { type: 'button', onclick: () => this.#onOpen({ arn: this.#parent }) }, 'Back to the parent') : null;
    this.element = h('section', { class: 'states-execution', 'aria-label': 'Execution' },
      h('div', { class: 'chart-head' }, this.title, this.facts, h('span', { class: 'spring' }), back, close),
      h('div', { class: 'states-columns' }, this.graph, this.detail),
      h('details', { class: 'states-history' }, this.historyTitle,
        h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Events' },
          h('table', {}, h('thead', {}, h('tr', {}, ...head)), this.rows))));
  }

  /** Fetches what is new and shows it. */
  async update(now) {
    this.#now = now;
    let answer;
    do {
      answer = await this.#get('execution', { arn: this.arn, parent: this.#parent, after: this.#progress.events.length || null });
      this.#take(answer);
    } while (answer.events.length > 0 && answer.next < answer.total);
    this.#show();
  }

  #take({ execution, definition, events, mapRuns }) {
    this.#execution = execution;
    this.#mapRuns = mapRuns;
    this.#progress.add(events);
    if (definition === undefined || this.#drawing) return;
    const machine = JSON.parse(definition);
    this.#states = allStates(machine);
    this.#drawing = new Drawing(machine, { onSelect: (name) => this.#select(name) });
    this.graph.replaceChildren(this.#drawing.element);
  }

  #select(name) {
    this.#selected = this.#selected === name ? null : name;
    this.#visit = null;
    this.#show();
  }

  #show() {
    const { name, status, start, stop } = this.#execution;
    setText(this.title, name);
    this.element.dataset.status = status;
    setText(this.facts, `${status} · started ${format.dateTime(start)} · ${stop === null ? 'running for' : 'took'} ${format.duration(Math.max((stop ?? this.#now) - start, 0))}`);
    this.#drawing?.show(this.#progress, this.#selected);
    this.#showDetail();
    this.#showHistory();
  }

  /** Only if it has changed, so that focus, scrolling and selection are left alone. */
  #showDetail() {
    const state = this.#progress.state(this.#selected);
    const { parent, ...visit } = state?.visits[visitToShow(state.visits, this.#visit)] ?? {};
    const shown = JSON.stringify([this.#selected, this.#visit, state?.visits.map(({ status }) => status), visit,
      visit.status === 'running' ? this.#now : 0, this.#selected === null ? this.#execution : null, this.#mapRuns]);
    if (shown === this.#shownDetail) return;
    this.#shownDetail = shown;
    const definition = this.#states.get(this.#selected);
    if (definition) {
      const hadFocus = document.activeElement?.id === 'states-visit';
      this.detail.replaceChildren(...stateDetail({
        name: this.#selected, definition, state, chosen: this.#visit, now: this.#now, mapRuns: this.#mapRuns,
        onVisit: (index) => {
          this.#visit = index;
          this.#show();
        },
        onOpen: (arn) => this.#onOpen({ arn, parent: this.arn }),
      }));
      if (hadFocus) this.detail.querySelector('#states-visit')?.focus();
      return;
    }
    const { status, input, inputBytes, output, outputBytes, error, cause } = this.#execution;
    this.detail.replaceChildren(...[h('p', { class: 'muted' }, 'Select a state to see what happened in it.'),
      failure(error, cause, status === 'ABORTED'), data('Input', input, inputBytes), data('Output', output, outputBytes)].filter(Boolean));
  }

  #showHistory() {
    const { events } = this.#progress;
    setText(this.historyTitle, `History: ${format.number(events.length)} events${events.length > MAX_ROWS ? `, the last ${MAX_ROWS} of them` : ''}`);
    this.#rows = Math.max(this.#rows, events.length - MAX_ROWS);
    this.rows.append(...events.slice(this.#rows).map((event) => h('tr', {}, h('th', { scope: 'row' }, String(event.id)),
      h('td', {}, format.time(event.t)), h('td', event.error && event.type !== 'ExecutionAborted' ? { class: 'bad' } : {}, event.type), h('td', {}, this.#progress.stateOf(event) ?? ''))));
    this.#rows = events.length;
    while (this.rows.childElementCount > MAX_ROWS) this.rows.firstElementChild.remove();
  }
}
