// One goal: its chart, how far the generation has got, and what can be done next.

import { ApiError } from './api.js';
import { showDetail } from './detail.js';
import { h, setText } from './dom.js';
import { ACTIONS, Chart, PARTS, MAX_RETRIES, SUBGOALS, TASKS, canRetry, hasFailed, isActive, itemsDone, loadChart } from './goals.js';
import { Mandala } from './mandala.js';
import { Unreachable } from './session.js';
import { clockText, dateText, t } from './texts.js';

const POLL_MS = 1000;
const FIRST_POLL_MS = 300; // while a process is young: a quick model is done in a second
const YOUNG_POLLS = 10;
const SLOWEST_POLL_MS = 8000; // while nobody answers
const CONTINUE = 'mandala-continue';
const STEPS = [[SUBGOALS, 'subGoals', PARTS], [ACTIONS, 'actions', PARTS * PARTS], [TASKS, 'tasks', PARTS * PARTS]];

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

export class GoalView {
  #world; // {api, book, notice(text or null), onProcess()}
  #goalId;
  #chart;
  #title;
  #process = null; // the newest of this goal
  #loaded = false;
  #closed = false;
  #busy = false; // a request of a button is under way
  #steps = new Map();

  constructor(goalId, world) {
    this.#world = world;
    this.#goalId = goalId;
    this.#chart = new Chart(goalId);
    const goal = world.book.find(goalId);
    this.#title = goal?.title ?? '';
    this.mandala = new Mandala((what) => this.#open(what));
    this.heading = h('h1', { tabindex: '-1' }, this.#title);
    this.bar = h('progress', { max: '100', value: '0', 'aria-label': t('progress') });
    this.state = h('p', { class: 'state', role: 'status' });
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.buttons = h('div', { class: 'buttons' });
    this.alone = h('input', { type: 'checkbox', onchange: () => this.#keepAlone() });
    this.alone.checked = storedAlone();
    for (const [type, name] of STEPS) {
      this.#steps.set(type, h('li', {}, h('span', { class: 'step-name' }, t(name)), h('span', { class: 'step-count' })));
    }
    this.element = h('article', { class: 'goal' },
      h('header', {}, this.heading, goal?.deadline ? h('p', { class: 'muted' }, `${t('deadline')} ${dateText(goal.deadline)}`) : null),
      h('section', { class: 'card run', 'aria-label': t('progress') },
        h('ol', { class: 'steps' }, ...this.#steps.values()), this.bar,
        h('div', { class: 'run-line' }, h('div', {}, this.state, this.problem), this.buttons),
        h('label', { class: 'check' }, this.alone, t('continueAlone'))),
      this.mandala.element);
    this.#show();
  }

  close() { this.#closed = true; }

  /** Shows what there is, and follows what goes on. */
  async load() {
    const { chart, first, newest } = await loadChart(this.#world.api, this.#goalId);
    if (this.#closed) return;
    this.#loaded = true;
    this.#chart = chart;
    this.#title = this.#world.book.title(this.#goalId, first?.createdAt ?? new Date().toISOString());
    setText(this.heading, this.#title);
    this.#process = newest;
    this.#show();
    if (newest && isActive(newest)) await this.#follow(newest);
  }

  /** Follows a process that was just started. */
  async begin(process) {
    this.#process = process;
    this.#show();
    this.#world.onProcess();
    await this.#follow(process);
  }

  /** Until the process is over, or the view is closed. */
  async #follow({ processId }) {
    let wait = FIRST_POLL_MS;
    for (let polls = 1; !this.#closed && this.#process?.processId === processId; ++polls) {
      try {
        const process = await this.#world.api.status(processId);
        this.#world.notice(null);
        wait = polls < YOUNG_POLLS ? FIRST_POLL_MS : POLL_MS;
        if (this.#closed || this.#process?.processId !== processId) return;
        if (isActive(this.#process)) await this.#take(process);
        if (!isActive(process)) return;
      } catch (error) {
        // Also if API Gateway is busy: the process goes on meanwhile.
        const passing = error instanceof Unreachable || (error instanceof ApiError && (error.retryable || error.status === 429 || error.status >= 500));
        if (!passing) throw error;
        this.#world.notice(t('unreachable'));
        wait = Math.min(Math.max(wait * 2, POLL_MS), SLOWEST_POLL_MS);
      }
      await pause(wait);
    }
  }

  async #take(process) {
    this.#process = process;
    if (process.status === 'COMPLETED') this.#chart.apply(process.type, process.result);
    this.#show();
    if (isActive(process)) return;
    this.#world.onProcess();
    const next = this.#chart.next();
    // What was asked for a single part ends with it.
    if (process.status === 'COMPLETED' && this.alone.checked && next && process.targetId === this.#goalId) {
      await this.#act(() => this.#world.api.generate(next, { goalId: this.#goalId }));
    }
  }

  /** Does what a button asks for, and follows the process that it starts. */
  async #act(request) {
    if (this.#busy) return;
    this.#busy = true;
    setText(this.problem, '');
    this.#showButtons();
    let process = null;
    try {
      process = await request();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#busy = false;
      this.#showButtons();
    }
    if (!process || this.#closed) return;
    if (process.processId === this.#process?.processId) {
      this.#process = process; // it was cancelled
      this.#show();
      this.#world.onProcess();
    } else {
      this.begin(process).catch((error) => this.#world.onError(error));
    }
  }

  #fail(error) {
    if (!(error instanceof ApiError || error instanceof Unreachable)) throw error;
    const details = error instanceof ApiError ? [...error.fields.values()] : [];
    setText(this.problem, error instanceof ApiError ? [error.message, ...details].join(' ') : t('unreachableOnce'));
  }

  #generate(type, params) {
    return this.#act(() => this.#world.api.generate(type, params)).catch((error) => this.#world.onError(error));
  }

  #click(request) {
    this.#act(request).catch((error) => this.#world.onError(error));
  }

  #show() {
    this.mandala.show(this.#title, this.#chart, this.#process);
    for (const [type, , total] of STEPS) this.#showStep(type, total);
    const active = this.#process && isActive(this.#process);
    const progress = this.#process?.progress ?? 0;
    this.bar.value = progress;
    this.bar.hidden = !active;
    this.element.dataset.status = this.#process?.status ?? 'NONE';
    setText(this.state, this.#stateText());
    if (this.#process && hasFailed(this.#process)) {
      const { error } = this.#process;
      const why = error ? `${error.message} (${error.code})` : t('failedProcess');
      setText(this.problem, canRetry(this.#process) ? why : `${why} ${t('noMoreRetries', { max: MAX_RETRIES })}`);
    } else if (active) {
      setText(this.problem, '');
    }
    this.#showButtons();
  }

  #showStep(type, total) {
    const step = this.#steps.get(type);
    const running = this.#process?.type === type && isActive(this.#process);
    const whole = running && this.#process.targetId === this.#goalId;
    // Sub-goals come all at once; of actions, eight a time.
    const per = type === ACTIONS ? PARTS : 1;
    const made = whole && type !== SUBGOALS ? itemsDone(this.#process.progress, total / per) * per : 0;
    const count = Math.max(running && whole ? made : this.#chart.count(type), 0);
    step.dataset.state = running ? 'working' : count >= total ? 'done' : 'open';
    if (running) step.setAttribute('aria-current', 'step');
    else step.removeAttribute('aria-current');
    setText(step.lastElementChild, t('of', { n: count, total }));
  }

  #stateText() {
    const process = this.#process;
    if (!process) return t(this.#loaded ? 'nothing' : 'loading');
    const retried = process.retryCount ? ` · ${t('retryCount', { n: process.retryCount, max: MAX_RETRIES })}` : '';
    if (process.status === 'PENDING') return `${t('waiting')}${retried}`;
    if (process.status === 'PROCESSING') {
      const saving = process.type === SUBGOALS && process.progress >= 50;
      return `${t(saving ? 'saving' : 'working')} · ${process.progress} % · ${t('expected', { time: clockText(process.estimatedCompletionTime) })}${retried}`;
    }
    if (process.status === 'CANCELLED') return t('cancelled');
    if (process.status === 'COMPLETED') return this.#chart.next() ? t('done') : t('completedAll');
    return `${t(process.type)}: ${t(process.status)}${retried}`;
  }

  #showButtons() {
    const shown = this.#choices();
    const names = shown.map(({ text }) => text).join('|');
    if (this.buttons.dataset.names !== names) {
      const focused = this.buttons.contains(document.activeElement);
      this.buttons.dataset.names = names;
      this.buttons.replaceChildren(...shown.map(({ text, primary, run }) => h('button', {
        type: 'button', class: primary ? 'primary' : null, onclick: () => this.#click(run),
      }, text)));
      if (focused) (this.buttons.firstElementChild ?? this.heading).focus();
    }
    // Disabled ones would lose the focus.
    for (const button of this.buttons.children) button.setAttribute('aria-disabled', String(this.#busy));
  }

  /** What can be done now. Reads the state when it is done, not when it is offered. */
  #choices() {
    const process = this.#process;
    const { api } = this.#world;
    if (!process) return [];
    if (isActive(process)) return [{ text: t('cancel'), run: () => api.cancel(this.#process.processId) }];
    if (canRetry(process)) {
      return [{ text: t('retry'), primary: true, run: () => api.retry(this.#process.processId) }, ...this.#againChoice()];
    }
    if (process.status === 'CANCELLED' || hasFailed(process)) return this.#againChoice();
    const next = this.#chart.next();
    if (!next || next === SUBGOALS) return [];
    return [{ text: t(next === ACTIONS ? 'startActions' : 'startTasks'), primary: true, run: () => api.generate(next, { goalId: this.#goalId }) }];
  }

  #againChoice() {
    const { type, targetId } = this.#process;
    const params = type === SUBGOALS ? this.#world.book.find(this.#goalId) : this.#chart.target(targetId);
    return params ? [{ text: t('again'), run: () => this.#world.api.generate(type, params) }] : [];
  }

  #open(what) {
    const idle = this.#process && !isActive(this.#process);
    showDetail(what, {
      goal: this.#world.book.find(this.#goalId) ?? { title: this.#title },
      chart: this.#chart,
      onGenerate: idle ? (type, params) => this.#generate(type, params) : null,
    });
  }

  #keepAlone() {
    try {
      localStorage.setItem(CONTINUE, String(this.alone.checked));
    } catch {
      // It then holds for this page.
    }
  }
}

function storedAlone() {
  try {
    return localStorage.getItem(CONTINUE) !== 'false';
  } catch {
    return true;
  }
}
