// What the stacks consist of: functions, queues and REST APIs.

import { $, h } from './dom.js';
import * as format from './format.js';

/** The items of each stack, in the order of status.stacks. */
function byStack(status, items) {
  const groups = new Map(status.stacks.map(({ name }) => [name, []]));
  for (const item of items) {
    if (!groups.has(item.stack)) groups.set(item.stack, []);
    groups.get(item.stack).push(item);
  }
  return [...groups].filter(([, group]) => group.length > 0);
}

const row = ([name, ...cells]) => h('tr', {}, h('th', { scope: 'row', title: name }, format.shortName(name)),
  ...cells.map((cell) => h('td', cell.bad ? { class: 'bad' } : {}, cell.bad ?? cell)));

/** cells(item): its name, then what is in the other columns. Stacks are named if there are several. */
function showTable(id, status, items, head, cells) {
  const description = new Map(status.stacks.map((stack) => [stack.name, stack.description]));
  const title = (stack) => h('tr', { class: 'stack' },
    h('th', { scope: 'rowgroup', colspan: head.length, title: description.get(stack) ?? stack }, stack));
  $(id).replaceChildren(
    h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    ...byStack(status, items).map(([stack, group]) => h('tbody', {},
      status.stacks.length > 1 ? title(stack) : null, ...group.map((item) => row(cells(item))))),
  );
  $(id).parentElement.hidden = items.length === 0;
}

const alarming = (n) => (n > 0 ? { bad: format.number(n) } : '0');

export function showTables(status) {
  $('stacks').hidden = status.stacks.length === 1;
  $('stacks').replaceChildren(...status.stacks.map(({ name, description }) => h('span', {},
    h('b', {}, name), description ? ` ${description}` : '')));
  if (status.stacks.length === 0) $('stacks').append('No stack is deployed.');
  showTable('functions', status, status.functions,
    ['function', 'calls', 'failed', 'cold', 'warm now', 'p50', 'p99', 'max', 'init p50'],
    (f) => [f.name, format.number(f.invocations), alarming(f.errors + f.timeouts + f.partialFailures),
      format.number(f.coldStarts), format.number(f.environments), format.duration(f.durationMs?.p50),
      format.duration(f.durationMs?.p99), format.duration(f.durationMs?.max), format.duration(f.initMs?.p50)]);
  showTable('queues', status, status.queues, ['queue', 'due', 'delayed', 'in flight', 'retries', 'oldest'],
    (q) => [q.name, q.holdsDeadLetters ? alarming(q.visible) : format.number(q.visible),
      format.number(q.delayed), format.number(q.inFlight), format.number(q.retries),
      q.oldest === null ? '–' : format.duration(Math.max(status.now - q.oldest, 0))]);
  showTable('apis', status, status.apis, ['REST API', 'address'], (api) => [api.name, api.url]);
}
