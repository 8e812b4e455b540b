// The parts of the page that need no browser: where states stand, and what has happened to them.
//   page_test.mjs GRAPH_JS PROGRESS_JS

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

/** The files are modules, though nothing says so to Node.js. */
const load = async (file) => import(`data:text/javascript;base64,${(await readFile(file)).toString('base64')}`);
const { allStates, layOut, transitions } = await load(process.argv[2]);
const { functionOf, Progress, visitToShow } = await load(process.argv[3]);

const task = (more) => ({ Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f', ...more });
const pass = (more) => ({ Type: 'Pass', ...more });
const one = (name, state) => ({ StartAt: name, States: { [name]: state } });

/** A machine with all that is hard to draw. */
const ORDERS = {
  StartAt: 'Check',
  States: {
    Check: { Type: 'Choice', Choices: [{ Next: 'Work' }, { Next: 'Wait' }, { Next: 'Work' }], Default: 'Refuse' },
    Wait: { Type: 'Wait', Seconds: 1, Next: 'Check' },
    Work: {
      Type: 'Parallel', Next: 'Each', Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Refuse' }, { ErrorEquals: ['States.ALL'], Next: 'Refuse' }],
      Branches: [one('Left', task({ End: true })), { StartAt: 'A', States: { A: pass({ Next: 'B' }), B: pass({ End: true }) } }],
    },
    Each: { Type: 'Map', End: true, ItemProcessor: one('Item', pass({ End: true })) },
    Refuse: { Type: 'Fail' },
  },
};

const nodeOf = ({ nodes }, name) => nodes.find((node) => node.name === name);
const edgeOf = ({ edges }, from, to) => edges.find((edge) => edge.from === from && edge.to === to);
const isInside = (inner, outer) => inner.x >= outer.x && inner.y > outer.y && inner.x + inner.width <= outer.x + outer.width
  && inner.y + inner.height <= outer.y + outer.height;
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('states stand below those that lead to them', () => {
  const drawn = layOut(ORDERS);
  const y = (name) => nodeOf(drawn, name).y;
  assert.ok(y('Start') < y('Check') && y('Check') < y('Work') && y('Work') < y('Each') && y('Each') < y('End'));
  assert.ok(y('Check') < y('Refuse') && y('Work') < y('Refuse'));
});

test('no two states overlap, and a box encloses what is in it', () => {
  const drawn = layOut(ORDERS);
  const parents = { Left: 'Work', A: 'Work', B: 'Work', Item: 'Each' };
  for (const [inner, outer] of Object.entries(parents)) assert.ok(isInside(nodeOf(drawn, inner), nodeOf(drawn, outer)), inner);
  for (const [i, a] of drawn.nodes.entries()) {
    for (const b of drawn.nodes.slice(i + 1)) {
      assert.ok(!overlap(a, b) || parents[b.name] === a.name, `${a.name} and ${b.name}`);
    }
    assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= drawn.width && a.y + a.height <= drawn.height, a.name);
  }
});

test('lines go from one state to the other, and back where the machine does', () => {
  const drawn = layOut(ORDERS);
  const touches = ([x, y], { x: left, y: top, width, height }) => x >= left && x <= left + width && (y === top || y === top + height);
  for (const edge of drawn.edges) {
    assert.ok(touches(edge.points[0], nodeOf(drawn, edge.from)), `${edge.from} → ${edge.to}`);
    assert.ok(touches(edge.points.at(-1), nodeOf(drawn, edge.to)), `${edge.from} → ${edge.to}`);
  }
  assert.equal(edgeOf(drawn, 'Wait', 'Check').back, true);
  assert.equal(edgeOf(drawn, 'Check', 'Wait').back, false);
  assert.ok(edgeOf(drawn, 'Wait', 'Check').points[0][1] > edgeOf(drawn, 'Wait', 'Check').points.at(-1)[1]);
});

test('a line that passes a layer keeps clear of the states in it', () => {
  const drawn = layOut({
    StartAt: 'A',
    States: { A: { Type: 'Choice', Choices: [{ Next: 'B' }], Default: 'D' }, B: pass({ Next: 'C' }), C: pass({ Next: 'D' }), D: pass({ End: true }) },
  });
  const bends = edgeOf(drawn, 'A', 'D').points.slice(1, -1);
  assert.equal(bends.length, 4);
  for (const [x] of bends) {
    for (const name of ['B', 'C']) {
      const { x: left, width } = nodeOf(drawn, name);
      assert.ok(x < left || x > left + width, name);
    }
  }
});

test('a state leads to another once for each kind of transition', () => {
  assert.deepEqual(transitions(ORDERS.States.Check).map(({ to, kind }) => [to, kind]), [['Work', 'choice'], ['Wait', 'choice'], ['Refuse', 'default']]);
  assert.deepEqual(transitions(ORDERS.States.Work),
    [{ to: 'Each', kind: 'next', label: '' }, { to: 'Refuse', kind: 'catch', label: 'States.Timeout, States.ALL' }]);
});

test('a state may lead to itself', () => {
  const drawn = layOut(one('A', { Type: 'Choice', Choices: [{ Next: 'A' }], Default: 'A' }));
  assert.equal(edgeOf(drawn, 'A', 'A').back, true);
  assert.ok(edgeOf(drawn, 'A', 'A').points.every(([x]) => x <= drawn.width));
});

test('a long machine, and one that is none, can be drawn', () => {
  const names = Array.from({ length: 3000 }, (_, i) => `S${i}`);
  const long = { StartAt: 'S0', States: Object.fromEntries(names.map((name, i) => [name, i === 2999 ? pass({ End: true }) : pass({ Next: names[i + 1] })])) };
  assert.equal(layOut(long).nodes.length, 3002);
  assert.deepEqual(layOut(null).nodes, []);
  assert.deepEqual(layOut({ States: { A: null, B: 3 }, StartAt: 'A' }).nodes, []);
  assert.ok(layOut({ StartAt: 'Nowhere', States: { A: pass({ Next: 'Nowhere' }) } }).edges.every(({ to }) => to !== 'Nowhere'));
});

test('states inside others are found by name', () => {
  assert.deepEqual([...allStates(ORDERS).keys()].sort(), ['A', 'B', 'Check', 'Each', 'Item', 'Left', 'Refuse', 'Wait', 'Work']);
});

/** Events from short forms: ['TaskFailed', previous, { error }]. Each is a second after the one before. */
function progressOf(...short) {
  const progress = new Progress();
  progress.add(short.map(([type, previous, more], i) => ({ id: i + 1, previous, t: i * 1000, type, ...more })));
  return progress;
}
const statuses = (progress, ...names) => names.map((name) => progress.state(name)?.status ?? 'none');

test('a state runs from when it is entered until it is left', () => {
  const events = [['ExecutionStarted', 0], ['PassStateEntered', 0, { name: 'A', data: '1' }]];
  assert.deepEqual(statuses(progressOf(...events), 'A', 'B'), ['running', 'none']);
  const progress = progressOf(...events, ['PassStateExited', 2, { name: 'A', data: '2' }], ['PassStateEntered', 3, { name: 'B' }]);
  assert.deepEqual(statuses(progress, 'A', 'B'), ['succeeded', 'running']);
  const [visit] = progress.state('A').visits;
  assert.deepEqual([visit.input, visit.output, visit.entered, visit.left], ['1', '2', 1000, 2000]);
  assert.ok(progress.follows('A', 'B', false));
  assert.ok(!progress.follows('A', 'B', true));
});

test('retries and caught errors are told apart from failures', () => {
  const retried = [['ExecutionStarted', 0], ['TaskStateEntered', 0, { name: 'T' }], ['TaskScheduled', 2, { resourceType: 'lambda', resource: 'invoke', data: '{"FunctionName":"f"}' }],
    ['TaskStarted', 3], ['TaskFailed', 4, { error: 'E', cause: 'c' }], ['TaskScheduled', 5], ['TaskStarted', 6]];
  const trying = progressOf(...retried).state('T');
  assert.equal(trying.status, 'running');
  assert.deepEqual(trying.visits[0].attempts.map(({ outcome, error }) => [outcome, error]), [['failed', 'E'], [null, null]]);
  const failing = [...retried, ['TaskTimedOut', 7, { error: 'States.Timeout' }]];
  const caught = progressOf(...failing, ['TaskStateExited', 8, { name: 'T' }], ['PassStateEntered', 9, { name: 'P' }]);
  assert.deepEqual([caught.state('T').status, caught.state('T').visits[0].error], ['caught', 'States.Timeout']);
  assert.ok(caught.follows('T', 'P', true));
  assert.equal(progressOf(...failing, ['ExecutionFailed', 8, { error: 'States.Timeout' }]).state('T').status, 'failed');
  assert.equal(progressOf(...retried, ['TaskSucceeded', 7], ['TaskStateExited', 8, { name: 'T' }]).state('T').status, 'succeeded');
});

test('the branch that fails a Parallel has failed; the others were aborted', () => {
  const progress = progressOf(['ExecutionStarted', 0], ['ParallelStateEntered', 0, { name: 'P' }], ['ParallelStateStarted', 2],
    ['WaitStateEntered', 3, { name: 'W' }], ['FailStateEntered', 3, { name: 'F' }], ['ParallelStateFailed', 5, { error: 'E' }],
    ['ParallelStateExited', 6, { name: 'P' }], ['PassStateEntered', 7, { name: 'Next' }]);
  assert.deepEqual(statuses(progress, 'P', 'W', 'F', 'Next'), ['caught', 'aborted', 'failed', 'running']);
  assert.equal(progress.state('F').visits[0].error, 'E');
  assert.equal(progress.state('Next').visits[0].parent, null);
});

test('each iteration of a Map is a visit with its index', () => {
  const progress = progressOf(['ExecutionStarted', 0], ['MapStateEntered', 0, { name: 'M' }], ['MapStateStarted', 2, { number: 2 }],
    ['MapIterationStarted', 3, { number: 0 }], ['MapIterationStarted', 3, { number: 1 }], ['PassStateEntered', 4, { name: 'I' }],
    ['PassStateExited', 6, { name: 'I' }], ['MapIterationSucceeded', 7, { number: 0 }], ['TaskStateEntered', 5, { name: 'I' }],
    ['TaskScheduled', 9], ['TaskFailed', 10, { error: 'E' }], ['MapIterationFailed', 11, { number: 1 }], ['MapStateFailed', 12, { error: 'E' }],
    ['ExecutionFailed', 13, { error: 'E' }]);
  assert.deepEqual(progress.state('I').visits.map(({ iteration, status }) => [iteration, status]), [[0, 'succeeded'], [1, 'failed']]);
  assert.deepEqual(statuses(progress, 'M', 'I'), ['failed', 'failed']);
});

test('what was open when an execution was stopped is aborted, and goes on when it is redriven', () => {
  const events = [['ExecutionStarted', 0], ['TaskStateEntered', 0, { name: 'T' }], ['TaskScheduled', 2], ['ExecutionAborted', 0]];
  assert.deepEqual(statuses(progressOf(...events), 'T'), ['aborted']);
  assert.deepEqual(statuses(progressOf(...events, ['ExecutionRedriven', 4]), 'T'), ['running']);
});

test('of several visits, the last that did not simply succeed is shown first', () => {
  const visits = (...list) => list.map((status) => ({ status }));
  assert.equal(visitToShow(visits('failed', 'succeeded'), null), 0);
  assert.equal(visitToShow(visits('succeeded', 'caught', 'succeeded'), null), 1);
  assert.equal(visitToShow(visits('succeeded', 'succeeded'), null), 1);
  assert.equal(visitToShow(visits('failed', 'succeeded'), 1), 1);
  assert.equal(visitToShow(visits('failed'), 7), 0);
});

test('events that come twice count once', () => {
  const progress = progressOf(['ExecutionStarted', 0], ['PassStateEntered', 0, { name: 'A' }]);
  progress.add([...progress.events]);
  assert.equal(progress.state('A').visits.length, 1);
});

test('the function of a task is found in its resource or in its arguments', () => {
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:f:3';
  assert.equal(functionOf({ type: '', name: arn, parameters: null }), 'f');
  assert.equal(functionOf({ type: 'lambda', name: 'invoke', parameters: JSON.stringify({ FunctionName: arn }) }), 'f');
  assert.equal(functionOf({ type: 'lambda', name: 'invoke', parameters: '{"FunctionName":"g"}' }), 'g');
  assert.equal(functionOf({ type: 'sqs', name: 'sendMessage', parameters: '{}' }), null);
  assert.equal(functionOf({ type: 'lambda', name: 'invoke', parameters: '{"Functio' }), null);
  assert.equal(functionOf(null), null);
});
