// Definitions that are right or wrong: [what it is about, the definition].
'use strict';

const lambda = 'arn:aws:states:::lambda:invoke';
const machine = (states, more = {}) => ({ StartAt: Object.keys(states)[0], States: states, ...more });
const one = (state, more) => machine({ S: { End: true, ...state } }, more);
const jsonata = { QueryLanguage: 'JSONata' };
const pass = machine({ P: { Type: 'Pass', End: true } });
const task = (more) => one({ Type: 'Task', Resource: lambda, ...more });
const choice = (rule, more = {}) => machine({
  C: { Type: 'Choice', Choices: [{ Next: 'D', ...rule }], Default: 'D' }, D: { Type: 'Succeed' } }, more);
const map = (more, processor = {}) => one({ Type: 'Map', ItemProcessor: { ...pass, ...processor }, ...more });

exports.good = [
  ['a Pass', pass],
  ['a Pass with everything', one({ Type: 'Pass', Comment: 'c', InputPath: '$.a', Parameters: { 'x.$': '$.b', y: 1 },
    ResultPath: '$.r', OutputPath: null })],
  ['a Pass with a result', one({ Type: 'Pass', Result: { a: [1] }, ResultPath: null })],
  ['a comment, a version and a time-out', { ...pass, Comment: 'c', Version: '1.0', TimeoutSeconds: 5 }],
  ['a Task with retries and catchers', machine({
    T: { Type: 'Task', Resource: lambda, TimeoutSeconds: 5, HeartbeatSeconds: 2, ResultSelector: { 'a.$': '$.b' },
      Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 1.5, MaxDelaySeconds: 9, JitterStrategy: 'FULL' }],
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.e', Next: 'F' }], End: true },
    F: { Type: 'Fail', Error: 'E', Cause: 'c' } })],
  ['time-outs from the input', task({ TimeoutSecondsPath: '$.t', HeartbeatSecondsPath: '$.h' })],
  ['a Wait', one({ Type: 'Wait', Seconds: 1 })],
  ['a Wait until a time', one({ Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z' })],
  ['a Wait by path', one({ Type: 'Wait', SecondsPath: '$.n' })],
  ['a Choice', choice({ Variable: '$.a', StringEquals: 'x' })],
  ['a Choice of rules', choice({ And: [{ Variable: '$.a', IsPresent: true }, { Not: { Variable: '$.b', NumericLessThan: 3 } }] })],
  ['a Choice by path', choice({ Or: [{ Variable: '$.a', TimestampGreaterThanPath: '$.b' }, { Variable: '$.c', BooleanEquals: true }] })],
  ['a Fail by path', machine({ F: { Type: 'Fail', ErrorPath: '$.e', CausePath: '$.c' } })],
  ['a Parallel', one({ Type: 'Parallel', Branches: [pass, machine({ Q: { Type: 'Succeed' } })] })],
  ['a Map', map({ ItemsPath: '$.xs', ItemSelector: { 'v.$': '$$.Map.Item.Value' }, MaxConcurrency: 2 })],
  ['a Map with an Iterator', one({ Type: 'Map', Iterator: pass, Parameters: { 'v.$': '$' } })],
  ['a distributed Map', map({ Label: 'l', ToleratedFailurePercentage: 5 },
    { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } })],
  ['variables', machine({ A: { Type: 'Pass', Assign: { 'x.$': '$.y', z: 1 }, Next: 'B' }, B: { Type: 'Pass', Parameters: { 'v.$': '$x' }, End: true } })],
  ['intrinsic functions', one({ Type: 'Pass', Parameters: { 'x.$': "States.Format('a {}', $.b)", 'y.$': 'States.Array($.a, 1)' } })],
  ['a filter', one({ Type: 'Pass', Parameters: { 'x.$': '$.xs[?(@.a == 1)].b' } })],
  ['a Pass of JSONata', one({ Type: 'Pass', Output: { a: '{% $states.input.b %}' }, Assign: { v: '{% 1 + 1 %}' } }, jsonata)],
  ['a Task of JSONata', one({ Type: 'Task', Resource: lambda, Arguments: { a: '{% $states.input %}' }, Output: '{% $states.result %}' }, jsonata)],
  ['a Choice of JSONata', choice({ Condition: '{% $states.input.a = 1 %}' }, jsonata)],
  ['a Wait of JSONata', one({ Type: 'Wait', Seconds: '{% $states.input.n %}' }, jsonata)],
  ['one state of JSONata', one({ Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $states.input %}' })],
  ['a loop with an end', machine({ A: { Type: 'Pass', Next: 'C' }, C: { Type: 'Choice', Choices: [{ Variable: '$.a', IsNull: true, Next: 'A' }], Default: 'D' }, D: { Type: 'Succeed' } })],
];

exports.bad = [
  ['no states', { StartAt: 'A' }],
  ['no beginning', { States: pass.States }],
  ['an unknown type', one({ Type: 'Sleep' })],
  ['no type', one({})],
  ['an unknown field', one({ Type: 'Pass', Foo: 1 })],
  ['neither Next nor End', machine({ A: { Type: 'Pass' } })],
  ['both Next and End', machine({ A: { Type: 'Pass', Next: 'B', End: true }, B: { Type: 'Succeed' } })],
  ['a missing target', machine({ A: { Type: 'Pass', Next: 'B' }, C: { Type: 'Succeed' } })],
  ['a beginning that is missing', { ...pass, StartAt: 'X' }],
  ['no end', machine({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } })],
  ['a state that cannot be reached', machine({ A: { Type: 'Succeed' }, B: { Type: 'Succeed' } })],
  ['a Task without a resource', one({ Type: 'Task' })],
  ['a Catch of a Pass', one({ Type: 'Pass', Catch: [{ ErrorEquals: ['A'], Next: 'S' }] })],
  ['a Retry of a Wait', one({ Type: 'Wait', Seconds: 1, Retry: [{ ErrorEquals: ['A'] }] })],
  ['a catcher without a target', task({ Catch: [{ ErrorEquals: ['A'] }] })],
  ['a retrier without errors', task({ Retry: [{ MaxAttempts: 1 }] })],
  ['a target of a catcher that is missing', task({ Catch: [{ ErrorEquals: ['A'], Next: 'X' }] })],
  ['a time-out as a text', task({ TimeoutSeconds: '5' })],
  ['two time-outs', task({ TimeoutSeconds: 5, TimeoutSecondsPath: '$.t' })],
  ['a Wait for nothing', one({ Type: 'Wait' })],
  ['a Wait for two things', one({ Type: 'Wait', Seconds: 1, SecondsPath: '$.n' })],
  ['a time that is none', one({ Type: 'Wait', Timestamp: 'yesterday' })],
  ['a Choice without rules', machine({ C: { Type: 'Choice', Default: 'D' }, D: { Type: 'Succeed' } })],
  ['a Choice with an empty list', machine({ C: { Type: 'Choice', Choices: [], Default: 'D' }, D: { Type: 'Succeed' } })],
  ['a rule without a target', choice({ Variable: '$.a', IsNull: true, Next: undefined })],
  ['a rule without a comparison', choice({ Variable: '$.a' })],
  ['a rule that compares a text with a number', choice({ Variable: '$.a', StringEquals: 1 })],
  ['a Parallel without branches', one({ Type: 'Parallel' })],
  ['a branch without states', one({ Type: 'Parallel', Branches: [{ StartAt: 'A' }] })],
  ['a Map without a processor', one({ Type: 'Map' })],
  ['a Succeed that goes on', machine({ A: { Type: 'Succeed', Next: 'B' }, B: { Type: 'Succeed' } })],
  ['a Fail with two errors', machine({ F: { Type: 'Fail', Error: 'E', ErrorPath: '$.e' } })],
  ['a path that is none', one({ Type: 'Pass', InputPath: 'a' })],
  ['a computed field that is no path', one({ Type: 'Pass', Parameters: { 'x.$': 'a' } })],
  ['a state name twice', machine({ A: { Type: 'Parallel', Branches: [machine({ A: { Type: 'Succeed' } })], End: true } })],
  ['JSONata without its language', one({ Type: 'Pass', Output: '{% 1 %}' })],
  ['a path in JSONata', one({ Type: 'Pass', InputPath: '$.a' }, jsonata)],
  ['an expression that is none', one({ Type: 'Pass', Output: '{% 1 + %}' }, jsonata)],
];

// AWS refuses them, asl-validator does not.
exports.overlooked = [
  ['a rate below 1', task({ Retry: [{ ErrorEquals: ['A'], BackoffRate: 0.5 }] })],
  ['an unknown jitter', task({ Retry: [{ ErrorEquals: ['A'], JitterStrategy: 'SOME' }] })],
];
