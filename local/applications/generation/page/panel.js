// The panel of asynchronous generation: processes by state, the recent ones, what has failed and why, and the calls of
// the model.

import { h, setText } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';

const STATES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'];
const TYPES = { SUBGOAL_GENERATION: 'Sub-goals', ACTION_GENERATION: 'Actions', TASK_GENERATION: 'Tasks' };
const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0);

/** For the frame: see panels.js of the dashboard. */
export function open(frame) {
  const panel = new GenerationPanel();
  frame.addCard(panel.element);
  const tiles = ['Processes', 'Failed', 'Model calls'].map((name) => frame.addTile(name));
  return {
    update(status) {
      panel.update(status);
      showTiles(tiles, status.generation);
    },
  };
}

function showTiles([processes, failed, calls], { processes: summary, model }) {
  const counts = summary?.counts ?? {};
  const active = (counts.PENDING ?? 0) + (counts.PROCESSING ?? 0);
  processes.show(summary ? format.number(sum(counts)) : '–', `${format.number(active)} active · ${format.number(counts.COMPLETED ?? 0)} completed`);
  const lost = (counts.FAILED ?? 0) + (counts.TIMEOUT ?? 0);
  failed.show(summary ? format.number(lost) : '–', `${format.number(counts.TIMEOUT ?? 0)} timed out · ${format.number(counts.CANCELLED ?? 0)} cancelled`, lost > 0);
  const errors = sum(model.errors);
  calls.show(format.number(model.calls), `${format.number(errors)} failed · p99 ${format.duration(model.durationMs?.p99)}`, errors > 0);
}

const scroll = (label, table) => h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);

/** Replaces the rows of a table if they have changed. */
function showRows(table, head, rows) {
  const shown = JSON.stringify(rows.map((row) => row.map((cell) => cell.key ?? cell.text)));
  if (table.dataset.shown === shown) return;
  table.dataset.shown = shown;
  const cell = ({ text, node, attributes = {} }, i) => h(i === 0 ? 'th' : 'td', i === 0 ? { scope: 'row', ...attributes } : attributes, node ?? text);
  table.replaceChildren(
    h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map(cell))),
      rows.length === 0 ? h('tr', {}, h('th', { scope: 'row', colspan: head.length, class: 'muted' }, 'none')) : null));
}

const stateText = (status) => status.toLowerCase().replace('timeout', 'timed out');

class GenerationPanel {
  constructor() {
    this.readout = h('p', { class: 'readout' });
    this.link = h('a', { href: '/generation/' }, 'Open the page');
    this.problem = h('p', { class: 'bad', role: 'alert', hidden: '' });
    this.bar = h('ul', { class: 'generation-bar', 'aria-label': 'Processes by state' });
    this.recent = h('table');
    this.failures = h('table');
    this.durations = h('table');
    this.errors = h('table');
    this.tokens = h('p', { class: 'readout' });
    this.element = h('section', { class: 'card generation-card', 'aria-labelledby': 'generation-title' },
      h('div', { class: 'chart-head' }, h('h2', { id: 'generation-title' }, 'Asynchronous generation'), this.readout, h('span', { class: 'spring' }), this.link),
      this.problem, this.bar,
      h('div', { class: 'generation-lists' },
        h('div', {}, h('h3', {}, 'Recent processes'), scroll('Recent processes', this.recent)),
        h('div', {},
          h('h3', {}, 'Failures'), scroll('Failures', this.failures),
          h('h3', {}, 'Durations of completed processes'), scroll('Durations', this.durations),
          h('h3', {}, 'Calls of the model'), this.tokens, scroll('Errors of the model', this.errors))));
  }

  update({ now, generation: { processes, model, problem, page, user } }) {
    this.link.href = page;
    setText(this.readout, `as the user ${user}`);
    setText(this.problem, problem ?? '');
    this.problem.hidden = !problem;
    this.#showModel(model);
    if (!processes) return;
    this.#showCounts(processes.counts);
    this.#showRecent(processes.recent, now);
    this.#showFailures(processes.failures);
    showRows(this.durations, ['type', 'completed', 'median', 'longest'], Object.keys(TYPES).filter((type) => processes.durations[type]).map((type) => {
      const { count, p50, max } = processes.durations[type];
      return [{ text: TYPES[type] }, { text: format.number(count) }, { text: format.duration(p50) }, { text: format.duration(max) }];
    }));
  }

  #showCounts(counts) {
    const shown = JSON.stringify(counts);
    if (this.bar.dataset.shown === shown) return;
    this.bar.dataset.shown = shown;
    this.bar.replaceChildren(...STATES.map((status) => {
      const n = counts[status] ?? 0;
      const item = h('li', { 'data-status': status }, h('b', {}, format.number(n)), ` ${stateText(status)}`);
      // As wide as its share, but never too narrow to be read.
      item.style.flexGrow = String(Math.max(n, 0));
      return item;
    }));
  }

  #showRecent(recent, now) {
    showRows(this.recent, ['process', 'state', 'progress', 'created', 'took'], recent.map(({ id, type, status, progress, retryCount, created, completed, error }) => {
      const name = `${TYPES[type]}${retryCount ? ` · retry ${retryCount}` : ''}`;
      const took = format.duration(Math.max((completed ?? now) - created, 0));
      return [
        { text: name, attributes: { title: id }, key: id },
        { text: stateText(status), attributes: { class: 'generation-status', 'data-status': status, title: error ? `${error.code}: ${error.message}` : null } },
        { node: h('span', { class: 'generation-progress' }, h('progress', { max: '100', value: String(progress), 'aria-label': `Progress of ${name}` }), ` ${progress} %`), key: progress },
        { text: format.dateTime(created) }, { text: took },
      ];
    }));
  }

  #showFailures(failures) {
    showRows(this.failures, ['reason', 'times', 'last'], failures.map(({ status, code, message, count, last }) => [
      { node: h('span', {}, h('b', {}, code ?? stateText(status)), message ? h('span', { class: 'generation-message' }, message) : ''), key: `${code}${message}` },
      { text: format.number(count) }, { text: last ? format.dateTime(last) : '–' },
    ]));
  }

  #showModel({ calls, inputTokens, outputTokens, errors, durationMs }) {
    setText(this.tokens, `${format.number(calls)} calls · ${format.number(inputTokens)} tokens in, ${format.number(outputTokens)} out · `
      + `latency p50 ${format.duration(durationMs?.p50)}, p99 ${format.duration(durationMs?.p99)}, max ${format.duration(durationMs?.max)}`);
    const codes = Object.entries(errors).sort(([, a], [, b]) => b - a);
    this.errors.parentElement.hidden = codes.length === 0;
    showRows(this.errors, ['error', 'times'], codes.map(([code, n]) => [{ text: code }, { text: format.number(n) }]));
  }
}
