// One state of an execution: what went in, what came out, when, and what went wrong.

import { $, h } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';
import { transitions } from './graph.js';
import { statusText } from './drawing.js';
import { functionOf, visitToShow } from './progress.js';

/** With spaces, if it is JSON that was not cut. */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Untrusted text, as it is. */
export function data(label, text, bytes) {
  if (text === null || text === undefined) return null;
  const size = new Blob([text]).size;
  return h('div', { class: 'data' }, h('h4', {}, label),
    h('pre', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label },
      bytes > size ? `${text}\n… ${format.number(bytes)} bytes in all` : pretty(text)));
}

/** `wanted`: somebody has stopped the execution. */
export function failure(error, cause, wanted = false) {
  if (!error) return null;
  return h('div', { class: 'data error' }, h('h4', {}, 'Error'), h('p', wanted ? {} : { class: 'bad' }, error), cause ? h('pre', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Cause' }, pretty(cause)) : null);
}

const clock = (ms) => `${format.time(ms)}.${String(ms % 1000).padStart(3, '0')}`;

const fact = (name, ...value) => [h('dt', {}, name), h('dd', {}, ...value)];

/** Shows the log lines of the function below, if the page knows it. */
function logsButton(name) {
  const select = $('log-function');
  if (!name || !select || ![...select.options].some(({ value }) => value === name)) return null;
  return h('button', {
    type: 'button',
    onclick: () => {
      select.value = name;
      select.dispatchEvent(new Event('change'));
      $('logs').scrollIntoView({ block: 'center' });
      $('logs').focus({ preventScroll: true });
    },
  }, `Logs of ${format.shortName(name)}`);
}

function attempts(visit) {
  if (visit.attempts.length < 2) return null;
  const rows = visit.attempts.map((attempt, i) => h('tr', {},
    h('th', { scope: 'row' }, i === 0 ? 'first' : `retry ${i}`), h('td', {}, clock(attempt.begun)),
    h('td', {}, attempt.ended === null ? '–' : format.duration(attempt.ended - attempt.begun)),
    h('td', attempt.error ? { class: 'bad' } : {}, attempt.error ?? attempt.outcome ?? 'running')));
  const head = ['attempt', 'scheduled', 'took', 'result'].map((text) => h('th', { scope: 'col' }, text));
  return h('div', { class: 'data' }, h('h4', {}, 'Attempts'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Attempts' },
      h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows))));
}

/** The conditions of a Choice, as the definition has them. */
function rules(state) {
  if (state.Type !== 'Choice' || !Array.isArray(state.Choices)) return null;
  const text = (rule) => {
    const { Next, Comment, ...condition } = rule;
    return condition.Condition ?? JSON.stringify(condition);
  };
  const lines = state.Choices.map((rule) => h('li', {}, h('code', {}, text(rule)), ` → ${rule.Next}`));
  if (state.Default) lines.push(h('li', {}, `otherwise → ${state.Default}`));
  return h('div', { class: 'data' }, h('h4', {}, 'Rules'), h('ul', {}, ...lines));
}

function mapRun(run, onOpen) {
  const { total, running, succeeded, failed } = run.items;
  return h('div', { class: 'data' }, h('h4', {}, 'Items'),
    h('p', {}, `${format.number(total)} items: ${format.number(succeeded)} succeeded, ${format.number(failed)} failed, ${format.number(running)} running`),
    h('ul', { class: 'children scroll' }, ...run.children.map((child) => h('li', {},
      h('button', { type: 'button', 'data-status': child.status, onclick: () => onOpen(child.arn) }, `${child.name} · ${child.status.toLowerCase()}`)))));
}

const visitName = (visit, i) => `${visit.iteration === null ? `${i + 1}` : `item ${visit.iteration}`} · ${statusText(visit.status)}`;

function visitFacts(visit, now) {
  return h('dl', { class: 'facts' },
    ...fact('Entered', clock(visit.entered)),
    ...fact(visit.left === null ? 'Running for' : 'Took', format.duration(Math.max((visit.left ?? now) - visit.entered, 0))),
    ...(visit.attempts.length > 1 ? fact('Retries', String(visit.attempts.length - 1)) : []),
    ...(visit.resource ? fact('Calls', [visit.resource.type, visit.resource.name].filter(Boolean).join(':')) : []));
}

/**
 * The elements of a state's details.
 *   definition  of the state
 *   state       what Progress knows of it; may be undefined
 *   chosen      index of the visit; null for the default
 */
export function stateDetail({ name, definition, state, chosen, now, mapRuns, onVisit, onOpen }) {
  const status = state?.status ?? 'none';
  const parts = [h('h3', {}, name), h('p', { class: 'muted', 'data-status': status },
    `${definition.Type} · ${statusText(status)}`)];
  if (definition.Comment) parts.push(h('p', {}, String(definition.Comment)));
  const runs = mapRuns.filter((run) => run.state === name);
  if (!state) {
    const next = transitions(definition).map(({ to, kind }) => (kind === 'catch' ? `${to} (if an error is caught)` : to));
    if (next.length > 0) parts.push(h('p', { class: 'muted' }, `Leads to ${next.join(', ')}.`));
    return [...parts, rules(definition)].filter(Boolean);
  }
  const { visits } = state;
  const index = visitToShow(visits, chosen);
  const visit = visits[index];
  if (visits.length > 1) {
    const select = h('select', { id: 'states-visit', onchange: (event) => onVisit(Number(event.target.value)) },
      ...visits.map((one, i) => h('option', { value: i, selected: i === index ? '' : null }, visitName(one, i))));
    parts.push(h('label', {}, `Entered ${visits.length} times; shown: `, select));
  }
  parts.push(visitFacts(visit, now), failure(visit.error, visit.cause), attempts(visit), ...runs.map((run) => mapRun(run, onOpen)),
    data('Input', visit.input, visit.inputBytes), data('Output', visit.output, visit.outputBytes),
    visit.resource?.parameters ? data('Arguments of the task', visit.resource.parameters) : null,
    rules(definition), logsButton(functionOf(visit.resource)));
  return parts.filter(Boolean);
}
