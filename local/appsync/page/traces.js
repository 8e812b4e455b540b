// The latest requests of a GraphQL API, and what their resolvers took, one below the other on a common time axis.

import { h, replaceChildren } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';

function bar(resolver, total) {
  const percent = (ms) => `${Math.min(100, (100 * ms) / (total || 1)).toFixed(2)}%`;
  const line = h('span', { class: resolver.error ? 'appsync-bar bad' : 'appsync-bar' });
  line.style.marginInlineStart = percent(resolver.startMs);
  line.style.width = percent(Math.max(resolver.durationMs, total / 200));
  return line;
}

function resolverRow(resolver, total) {
  return h('tr', {}, h('th', { scope: 'row' }, resolver.path), h('td', { class: 'muted' }, resolver.dataSource),
    h('td', { class: 'appsync-axis' }, bar(resolver, total)), h('td', {}, format.duration(resolver.durationMs)),
    h('td', { class: 'bad' }, resolver.error ?? ''));
}

function traceRow(trace) {
  const title = `${trace.operation} ${trace.name || '(unnamed)'}`;
  return h('details', { class: 'appsync-trace' },
    h('summary', { 'data-key': trace.id }, h('span', { class: 'muted' }, format.time(trace.time)), ` ${title} `, h('b', {}, format.duration(trace.durationMs)),
      trace.errors > 0 ? h('span', { class: 'bad' }, ` ${trace.errors} error${trace.errors > 1 ? 's' : ''}`) : null),
    h('table', {}, h('tbody', {}, ...trace.resolvers.map((resolver) => resolverRow(resolver, trace.durationMs)))));
}

export class Traces {
  #shown = '';

  constructor() {
    this.list = h('div', { class: 'scroll appsync-traces', tabindex: '0', role: 'region', 'aria-label': 'Latest requests' });
    this.element = h('div', {}, h('h3', {}, 'Latest requests'), this.list);
  }

  show(traces) {
    const key = JSON.stringify(traces);
    if (key === this.#shown) return;
    this.#shown = key;
    const open = new Set([...this.list.querySelectorAll('details[open] > summary')].map(({ dataset }) => dataset.key));
    const rows = traces.map((trace) => {
      const row = traceRow(trace);
      row.open = open.has(trace.id);
      return row;
    });
    if (rows.length === 0) rows.push(h('p', { class: 'muted' }, 'None yet.'));
    replaceChildren(this.list, rows, this.list);
  }
}
