// Random state machines with the outcomes of their tasks.
//
//   const {definition, input, tasks} = makeCase(new Random(7));
//
// Each state adds its result to the input (expressions.js) beside what is there, so that later states find what they
// want; the last state of a machine may make something else of it.
//
// What aws-local-stepfunctions 3.0.0 does differently from AWS, or lacks, is left out:
// - JSONata, variables, TimeoutSeconds of a machine, distributed Maps.
// - A Pass state's Result that is false, 0, "" or null is ignored.
// - The path $ finds nothing in false, 0, "" and null.
// - `ResultPath: "$"` adds a member with the name $.
// - The states of a Parallel or Map state don't see the context object.
// - States.TaskFailed in the Retry and Catch of a Parallel or Map state matches nothing. AWS documents it as a wildcard
//   for all errors but States.Timeout, whatever the state.
// - When one branch or iteration fails, those that wait for their turn still run. So a Parallel or Map state whose tasks
//   have several outcomes is not retried.
// Left out as well, because it depends on which comes first: two branches or iterations that fail.
'use strict';

const {INPUT, Expressions} = require('./expressions');

const MAX_DEPTH = 2;
const ERRORS = ['E1', 'E2', 'Sandbox.Timedout'];

class MachineMaker {
  constructor(random) {
    this.random = random;
    this.expressions = new Expressions(random);
    this.tasks = {};
    this.names = 0;
  }

  newName() {
    return `S${++this.names}`;
  }

  /**
   * `mayFail`: whether it may end with an error. `sameOutcomes`: whether a task does the same however often it runs.
   */
  machine({depth, mayFail, sameOutcomes}) {
    const states = {};
    const last = this.newName();
    states[last] = this.lastState();
    let next = last;
    for (let left = this.random.below(depth === 0 ? 6 : 3); left > 0; --left) {
      const name = this.newName();
      Object.assign(states, this.state(name, next, last, {depth, mayFail, sameOutcomes}));
      next = name;
    }
    return {StartAt: next, States: states};
  }

  lastState() {
    const {random, expressions} = this;
    return random.oneOf([
      () => ({Type: 'Pass', End: true}),
      () => ({Type: 'Succeed'}),
      () => ({Type: 'Succeed', InputPath: expressions.path('object'), OutputPath: '$'}),
      () => ({Type: 'Succeed', InputPath: expressions.path()}),
      () => ({Type: 'Pass', Parameters: expressions.template(), End: true}),
      () => ({Type: 'Pass', InputPath: expressions.path(), End: true}),
      () => ({Type: 'Pass', OutputPath: random.oneOf([null, expressions.path()]), End: true}),
      () => ({Type: 'Pass', InputPath: null, End: true}),
      () => ({Type: 'Pass', Result: {made: expressions.literal()}, End: true}),
    ])();
  }

  /** The state, and others that only it leads to. */
  state(name, next, last, {depth, mayFail, sameOutcomes}) {
    const {random} = this;
    const nested = depth < MAX_DEPTH;
    return random.weighted([
      [3, () => ({[name]: this.pass(next)})],
      [2, () => this.choice(name, next, last, mayFail)],
      [1, () => ({[name]: {Type: 'Wait', Seconds: 1 + random.below(5), Next: next}})],
      [3, () => ({[name]: this.task(name, next, last, {mayFail, sameOutcomes})})],
      [nested ? 1.5 : 0, () => ({[name]: this.parallel(next, last, {depth, mayFail, sameOutcomes})})],
      [nested ? 1.5 : 0, () => ({[name]: this.map(next, last, {depth, mayFail, sameOutcomes})})],
    ])();
  }

  resultPath() {
    return this.random.oneOf(['$.r', '$.r2', '$.deep.er', '$.o.new', null]);
  }

  pass(next) {
    const {random, expressions} = this;
    const state = {Type: 'Pass', ResultPath: this.resultPath(), Next: next};
    if (random.chance(0.3)) return {...state, Result: {made: expressions.literal()}};
    if (random.chance(0.3)) state.InputPath = expressions.path('object');
    else if (random.chance(0.7)) state.Parameters = expressions.template();
    return state;
  }

  choice(name, next, last, mayFail) {
    const {random, expressions} = this;
    const side = this.newName();
    const rule = () => ({...expressions.condition(), Next: random.oneOf([next, side, last])});
    const state = {Type: 'Choice', Choices: [{...expressions.condition(), Next: side}]};
    for (let more = random.below(3); more > 0; --more) state.Choices.unshift(rule());
    // Without a Default, it may be that nothing matches.
    if (!mayFail || random.chance(0.7)) state.Default = next;
    else state.Choices.push({...expressions.condition(), Next: next});
    const fail = {Type: 'Fail', Error: random.oneOf(ERRORS), Cause: 'chosen'};
    return {
      [name]: state,
      [side]: mayFail && random.chance(0.4) ? fail : {Type: 'Pass', Result: {side}, ResultPath: '$.side', Next: next},
    };
  }

  task(name, next, last, {mayFail, sameOutcomes}) {
    const {random, expressions} = this;
    const state = {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:f',
      ResultPath: this.resultPath(),
      Next: next,
    };
    if (random.chance(0.5)) state.Parameters = expressions.template();
    if (random.chance(0.3)) state.ResultSelector = {'whole.$': '$', 'id.$': '$.id', state: name};
    const success = {output: {id: name, list: expressions.literal()}};
    const failure = () => ({error: random.oneOf(ERRORS), cause: `cause of ${name}`});
    const outcomes = [success];
    const failures = sameOutcomes ? 0 : random.below(3);
    for (let i = 0; i < failures; ++i) outcomes.unshift(failure());
    const fails = random.chance(0.3);
    if (fails) outcomes.splice(sameOutcomes ? 0 : outcomes.length - 1, 1, failure());
    this.tasks[name] = outcomes;
    if (!mayFail && (fails || failures > 0)) state.Catch = [this.catcher(['States.ALL'], last)];
    return this.handle(state, last);
  }

  catcher(errors, last) {
    const path = this.random.oneOf(['$.error', '$.o.error']);
    return {ErrorEquals: errors, ResultPath: path, Next: last};
  }

  /** With Retry and Catch, perhaps. */
  handle(state, last, {retry = true} = {}) {
    const {random} = this;
    const wildcard = state.Type === 'Task' ? 'States.TaskFailed' : 'E2';
    const errors = () => random.oneOf([['E1'], ['E2', 'E1'], [wildcard], ['Sandbox.Timedout']]);
    if (retry && random.chance(0.5)) {
      state.Retry = [{ErrorEquals: errors(), IntervalSeconds: 1 + random.below(3), MaxAttempts: random.below(3)}];
      if (random.chance(0.5)) state.Retry.push({ErrorEquals: ['States.ALL'], MaxAttempts: 1, BackoffRate: 1.5});
    }
    if (!state.Catch && random.chance(0.5)) {
      state.Catch = [this.catcher(errors(), last)];
      if (random.chance(0.5)) state.Catch.push(this.catcher(['States.ALL'], last));
    }
    return state;
  }

  parallel(next, last, {depth, mayFail, sameOutcomes}) {
    const {random} = this;
    const caught = random.chance(0.5);
    const failing = mayFail || caught ? random.below(3) : -1;
    const retried = random.chance(0.3);
    const branches = Array.from({length: 1 + random.below(3)}, (_, i) =>
      this.machine({depth: depth + 1, mayFail: i === failing, sameOutcomes: sameOutcomes || retried}),
    );
    const state = {Type: 'Parallel', Branches: branches, ResultPath: this.resultPath(), Next: next};
    if (random.chance(0.3)) state.ResultSelector = {'first.$': '$[0]'};
    if (caught) state.Catch = [this.catcher(['States.ALL'], last)];
    return this.handle(state, last, {retry: retried});
  }

  map(next, last, {depth, mayFail, sameOutcomes}) {
    const {random} = this;
    const caught = random.chance(0.5);
    const failing = (mayFail || caught) && random.chance(0.5);
    const state = {
      Type: 'Map',
      ItemsPath: random.oneOf(['$.items', '$.xs', '$.ys', '$.items[2].tags']),
      // The iterations find what all states look for.
      ItemSelector: {...Object.fromEntries(Object.keys(INPUT).map((name) => [`${name}.$`, `$.${name}`]))},
      ItemProcessor: this.machine({depth: depth + 1, mayFail: failing, sameOutcomes: true}),
      ResultPath: this.resultPath(),
      Next: next,
    };
    state.ItemSelector['item.$'] = '$$.Map.Item.Value';
    state.ItemSelector['index.$'] = '$$.Map.Item.Index';
    // One after the other: only one fails.
    if (failing) state.MaxConcurrency = 1;
    else if (random.chance(0.5)) state.MaxConcurrency = random.below(4);
    if (caught) state.Catch = [this.catcher(['States.ALL'], last)];
    return this.handle(state, last, {retry: sameOutcomes || !failing});
  }
}

function makeCase(random) {
  const maker = new MachineMaker(random);
  const definition = maker.machine({depth: 0, mayFail: true, sameOutcomes: false});
  return {definition, input: INPUT, tasks: maker.tasks};
}

module.exports = {makeCase};
