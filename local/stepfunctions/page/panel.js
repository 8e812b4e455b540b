// The panel of Step Functions: the state machines, the executions of one of them, and one execution.

import { h, replaceChildren, setText } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';
import { ExecutionView } from './execution_view.js';

const PAGE_SIZE = 20;
const FILTERS = { all: '', running: 'RUNNING', succeeded: 'SUCCEEDED', failed: 'FAILED,TIMED_OUT', aborted: 'ABORTED' };

/** For the frame: see panels.js of the dashboard. */
export function open(frame) {
  const panel = new StatesPanel(frame);
  frame.addCard(panel.element);
  return { update: (status) => panel.update(status), close: () => panel.close() };
}

class StatesPanel {
  #frame;
  #status = null;
  #machine = null; // the ARN of the one whose executions are shown
  #pages = 1;
  #view = null; // of the execution that is open
  #shownMachines = '';
  #shownExecutions = '';

  constructor(frame) {
    this.#frame = frame;
    this.machines = h('table');
    this.executions = h('table');
    this.executionsTitle = h('h3');
    this.filter = h('select', { onchange: () => this.#refresh({ pages: 1 }) },
      ...Object.entries(FILTERS).map(([name, value]) => h('option', { value }, name)));
    this.more = h('button', { type: 'button', hidden: '', onclick: () => this.#refresh({ pages: this.#pages + 1 }) }, 'More');
    this.place = h('div');
    this.problem = h('p', { class: 'bad', role: 'alert', hidden: '' });
    const scroll = (label, table) => h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
    this.element = h('section', { class: 'card states-card', 'aria-labelledby': 'states-title' },
      h('div', { class: 'chart-head' }, h('h2', { id: 'states-title' }, 'State machines')),
      h('div', { class: 'states-lists' }, scroll('Machines', this.machines),
        h('div', {}, h('div', { class: 'chart-head' }, this.executionsTitle, h('span', { class: 'spring' }), h('label', {}, 'Status ', this.filter)),
          scroll('Executions', this.executions), this.more)),
      this.problem, this.place);
  }

  async update(status) {
    this.#status = status;
    const { machines } = status.stepfunctions;
    if (!machines.some(({ arn }) => arn === this.#machine)) this.#machine = firstToShow(machines)?.arn ?? null;
    this.#showMachines();
    await Promise.all([this.#loadExecutions(), this.#follow()]);
  }

  close() {
    this.#view = null;
  }

  /** After a choice of the reader. */
  async #refresh({ pages, machine }) {
    if (pages) this.#pages = pages;
    if (machine) this.#machine = machine;
    this.#showMachines();
    try {
      await this.#loadExecutions();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    setText(this.problem, error?.message ?? '');
    this.problem.hidden = !error;
  }

  #showMachines() {
    const { machines, more } = this.#status.stepfunctions;
    const shown = JSON.stringify([machines, this.#machine]);
    if (shown === this.#shownMachines) return;
    this.#shownMachines = shown;
    const manyStacks = this.#status.stacks.length > 1;
    const head = ['state machine', 'running', 'succeeded', 'failed', 'aborted'];
    replaceChildren(this.machines, [
      h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...machines.map((machine) => this.#machineRow(machine, manyStacks)),
        more ? h('tr', {}, h('th', { scope: 'row', colspan: head.length }, `the first ${machines.length}`)) : null),
    ], this.machines.parentElement);
  }

  #machineRow({ arn, name, stack, type, counts, more }, manyStacks) {
    const failed = counts.FAILED + counts.TIMED_OUT;
    const count = (n) => `${format.number(n)}${more ? '+' : ''}`;
    const button = h('button', {
      type: 'button', class: 'states-link', 'data-key': arn, title: arn, 'aria-pressed': String(arn === this.#machine),
      onclick: () => this.#refresh({ machine: arn, pages: 1 }),
    }, format.shortName(name), manyStacks && stack ? h('span', { class: 'muted' }, ` ${stack}`) : null);
    const cells = type === 'EXPRESS' ? [h('td', { colspan: 4, class: 'muted' }, 'EXPRESS: executions are not kept')]
      : [h('td', {}, count(counts.RUNNING)), h('td', {}, count(counts.SUCCEEDED)), h('td', failed > 0 ? { class: 'bad' } : {}, count(failed)), h('td', {}, count(counts.ABORTED))];
    return h('tr', {}, h('th', { scope: 'row' }, button), ...cells);
  }

  async #loadExecutions() {
    const machine = this.#status.stepfunctions.machines.find(({ arn }) => arn === this.#machine);
    setText(this.executionsTitle, machine ? `Executions of ${format.shortName(machine.name)}` : 'Executions');
    if (!machine || machine.type === 'EXPRESS') {
      this.#showExecutions([], null);
      return;
    }
    const asked = [this.#machine, this.filter.value, this.#pages].join();
    const executions = [];
    let next = null;
    do {
      const answer = await this.#frame.get('executions', { machine: machine.arn, status: this.filter.value, limit: PAGE_SIZE, after: next });
      executions.push(...answer.executions);
      next = answer.next;
    } while (next !== null && executions.length < PAGE_SIZE * this.#pages);
    if (asked !== [this.#machine, this.filter.value, this.#pages].join()) return; // another choice was made meanwhile
    this.#showExecutions(executions, next);
  }

  #showExecutions(executions, next) {
    const running = executions.some(({ stop }) => stop === null) ? this.#status.now : 0;
    const shown = JSON.stringify([executions, next, this.#view?.arn, running]);
    if (shown === this.#shownExecutions) return;
    this.#shownExecutions = shown;
    const head = ['execution', 'status', 'started', 'took'];
    replaceChildren(this.executions, [
      h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...executions.map((execution) => this.#executionRow(execution)),
        executions.length === 0 ? h('tr', {}, h('th', { scope: 'row', colspan: head.length, class: 'muted' }, 'none')) : null),
    ], this.executions.parentElement);
    this.more.hidden = next === null;
  }

  #executionRow({ arn, name, status, start, stop }) {
    const button = h('button', {
      type: 'button', class: 'states-link', 'data-key': arn, title: name, 'aria-pressed': String(arn === this.#view?.arn),
      onclick: () => this.#open({ arn }),
    }, name);
    return h('tr', {}, h('th', { scope: 'row' }, button), h('td', { class: 'states-status', 'data-status': status }, status.toLowerCase().replace('_', ' ')),
      h('td', {}, format.dateTime(start)), h('td', {}, format.duration(Math.max((stop ?? this.#status.now) - start, 0))));
  }

  /** Shows an execution, and goes on to follow it. */
  async #open(which) {
    const view = new ExecutionView(which, {
      get: (path, parameters) => this.#frame.get(path, parameters),
      onOpen: (other) => this.#open(other),
      onClose: () => this.#closeView(),
    });
    this.#view = view;
    this.place.replaceChildren(view.element);
    await this.#follow();
    await this.#refresh({});
    if (this.#view === view) view.title.focus();
  }

  #closeView() {
    const { arn } = this.#view;
    this.#view = null;
    this.#fail(null);
    this.place.replaceChildren();
    this.#refresh({}).then(() => this.executions.querySelector(`button[data-key="${CSS.escape(arn)}"]`)?.focus());
  }

  async #follow() {
    const view = this.#view;
    if (!view) return;
    try {
      await view.update(this.#status.now);
      if (view === this.#view) this.#fail(null);
    } catch (error) {
      if (view === this.#view) this.#fail(error);
    }
  }
}

/** The machine that has run last, else the first. */
const firstToShow = (machines) => [...machines].sort((a, b) => (b.newest[0]?.start ?? 0) - (a.newest[0]?.start ?? 0))[0];
