// State machine definitions, each good or with one mistake.
//
//   for (const {name, definition, valid} of definitions()) …
'use strict';

const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';

const PASS = {Type: 'Pass', End: true};
const TASK = {Type: 'Task', Resource: FUNCTION, End: true};
const WAIT = {Type: 'Wait', Seconds: 1, End: true};
const INNER = {StartAt: 'I', States: {I: {Type: 'Pass', End: true}}};
const MAP = {Type: 'Map', ItemProcessor: INNER, End: true};
const PARALLEL = {Type: 'Parallel', Branches: [INNER], End: true};
const RETRY = {ErrorEquals: ['States.ALL']};

/** A machine of one state. */
const one = (state, fields = {}) => ({StartAt: 'S', States: {S: state}, ...fields});
const choice = (...rules) => ({
  StartAt: 'S',
  States: {S: {Type: 'Choice', Choices: rules, Default: 'D'}, D: {Type: 'Succeed'}, E: {Type: 'Succeed'}},
});
const rule = (condition) => choice({...condition, Next: 'E'});
const jsonata = (state) => one(state, {QueryLanguage: 'JSONata'});

const GOOD = {
  'one Pass state': one(PASS),
  'a comment, a version and a time-out': one(PASS, {Comment: 'c', Version: '1.0', TimeoutSeconds: 60}),
  'all fields of a Pass state': one({
    ...PASS,
    Comment: 'c',
    InputPath: '$.a',
    Parameters: {'b.$': '$.b', c: 1},
    ResultPath: '$.r',
    OutputPath: '$.r',
  }),
  'a Result': one({...PASS, Result: {a: [1, null]}}),
  'paths that are null': one({...PASS, InputPath: null, ResultPath: null, OutputPath: null}),
  'a path into the context object': one({...PASS, InputPath: '$$.Execution.Input'}),
  'a Task by its ARN': one(TASK),
  'a service integration': one({...TASK, Resource: 'arn:aws:states:::sqs:sendMessage', Parameters: {}}),
  'a Task with time-outs': one({...TASK, TimeoutSeconds: 10, HeartbeatSeconds: 5}),
  'a Task with paths to time-outs': one({...TASK, TimeoutSecondsPath: '$.t', HeartbeatSecondsPath: '$.h'}),
  'a Task with a ResultSelector': one({...TASK, ResultSelector: {'a.$': '$.b'}}),
  'a Task with Retry': one({
    ...TASK,
    Retry: [
      {ErrorEquals: ['E', 'F'], IntervalSeconds: 2, MaxAttempts: 0, BackoffRate: 1.5},
      {...RETRY, MaxDelaySeconds: 10, JitterStrategy: 'FULL'},
    ],
  }),
  'a Task with Catch': one({...TASK, Catch: [{...RETRY, ResultPath: '$.e', Next: 'S'}]}),
  'two states': {StartAt: 'A', States: {A: {Type: 'Pass', Next: 'B'}, B: PASS}},
  'a loop with an end': {
    StartAt: 'A',
    States: {
      A: {Type: 'Choice', Choices: [{Variable: '$.x', BooleanEquals: true, Next: 'B'}], Default: 'C'},
      B: {Type: 'Pass', Next: 'A'},
      C: {Type: 'Succeed'},
    },
  },
  'a Succeed state': one({Type: 'Succeed', InputPath: '$.a', OutputPath: '$.b'}),
  'a Fail state': one({Type: 'Fail', Error: 'E', Cause: 'c'}),
  'a Fail state with paths': one({Type: 'Fail', ErrorPath: '$.e', CausePath: '$.c'}),
  'a Fail state without details': one({Type: 'Fail'}),
  'a Wait of seconds': one(WAIT),
  'a Wait until a time': one({Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z', End: true}),
  'a Wait of seconds at a path': one({Type: 'Wait', SecondsPath: '$.s', End: true}),
  'a Wait until a time at a path': one({Type: 'Wait', TimestampPath: '$.t', End: true}),
  'a Choice by number': rule({Variable: '$.n', NumericGreaterThanEquals: 1.5}),
  'a Choice by string': rule({Variable: '$.s', StringMatches: 'a*'}),
  'a Choice by time': rule({Variable: '$.t', TimestampLessThan: '2030-01-01T00:00:00Z'}),
  'a Choice by a path': rule({Variable: '$.n', NumericEqualsPath: '$.m'}),
  'a Choice by presence': rule({Variable: '$.n', IsPresent: true}),
  'a Choice by a combination': rule({
    And: [{Variable: '$.a', IsNull: true}, {Not: {Or: [{Variable: '$.b', BooleanEquals: false}]}}],
  }),
  'a Parallel state': one(PARALLEL),
  'a Parallel state with handlers': one({...PARALLEL, Retry: [RETRY], Catch: [{...RETRY, Next: 'S'}]}),
  'a Map state': one({
    ...MAP,
    ItemsPath: '$.xs',
    ItemSelector: {'v.$': '$$.Map.Item.Value'},
    MaxConcurrency: 2,
  }),
  'an inline Map state': one({...MAP, ItemProcessor: {ProcessorConfig: {Mode: 'INLINE'}, ...INNER}}),
  'a distributed Map state': one({
    ...MAP,
    ItemProcessor: {ProcessorConfig: {Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD'}, ...INNER},
    ToleratedFailurePercentage: 5,
    Label: 'label',
  }),
  'a Map state with an Iterator': one({Type: 'Map', Iterator: INNER, End: true}),
  'a Map state nested in a Parallel state': one({
    ...PARALLEL,
    Branches: [{StartAt: 'M', States: {M: MAP}}],
  }),
  'intrinsic functions': one({...PASS, Parameters: {'a.$': "States.Format('{}', States.ArrayLength($.xs))"}}),
  'JSONata with Output': jsonata({...PASS, Output: {a: '{% $states.input.a + 1 %}'}}),
  'JSONata with Arguments': jsonata({...TASK, Arguments: {a: '{% $states.input %}'}}),
  'JSONata in one state': one({...PASS, QueryLanguage: 'JSONata', Output: '{% 1 %}'}),
  'a JSONata condition': {
    QueryLanguage: 'JSONata',
    StartAt: 'S',
    States: {
      S: {Type: 'Choice', Choices: [{Condition: '{% $states.input.a > 1 %}', Next: 'D'}], Default: 'D'},
      D: {Type: 'Succeed'},
    },
  },
  'variables': one({...PASS, Assign: {'a.$': '$.a'}}),
};

const BAD = {
  'no states': {StartAt: 'S', States: {}},
  'no StartAt': {States: {S: PASS}},
  'no States': {StartAt: 'S'},
  'a StartAt that does not exist': one(PASS, {StartAt: 'T'}),
  'a state without a type': one({End: true}),
  'an unknown type': one({Type: 'Park', End: true}),
  'a type in the wrong case': one({Type: 'pass', End: true}),
  'an unknown field of a machine': one(PASS, {Colour: 'red'}),
  'an unknown field of a state': one({...PASS, Colour: 'red'}),
  'neither Next nor End': one({Type: 'Pass'}),
  'a Next that does not exist': one({Type: 'Pass', Next: 'T'}),
  'an unreachable state': {StartAt: 'A', States: {A: PASS, B: PASS}},
  'a loop without an end': {
    StartAt: 'A',
    States: {A: {Type: 'Pass', Next: 'B'}, B: {Type: 'Pass', Next: 'A'}},
  },
  'a Task without a Resource': one({Type: 'Task', End: true}),
  'a Resource that is not an ARN': one({...TASK, Resource: 'function'}),
  'a time-out of 0': one({...TASK, TimeoutSeconds: 0}),
  'a time-out that is text': one({...TASK, TimeoutSeconds: '10'}),
  'a time-out twice': one({...TASK, TimeoutSeconds: 10, TimeoutSecondsPath: '$.t'}),
  'Catch in a Pass state': one({...PASS, Catch: [{...RETRY, Next: 'S'}]}),
  'Retry in a Wait state': one({...WAIT, Retry: [RETRY]}),
  'Retry without errors': one({...TASK, Retry: [{MaxAttempts: 1}]}),
  'Retry of an empty list of errors': one({...TASK, Retry: [{ErrorEquals: []}]}),
  'a negative number of attempts': one({...TASK, Retry: [{...RETRY, MaxAttempts: -1}]}),
  'a backoff rate below 1': one({...TASK, Retry: [{...RETRY, BackoffRate: 0.5}]}),
  'an unknown jitter': one({...TASK, Retry: [{...RETRY, JitterStrategy: 'HALF'}]}),
  'Catch without Next': one({...TASK, Catch: [RETRY]}),
  'Catch to a state that does not exist': one({...TASK, Catch: [{...RETRY, Next: 'T'}]}),
  'a Wait without a time': one({Type: 'Wait', End: true}),
  'a Wait with two times': one({...WAIT, SecondsPath: '$.s'}),
  'a Wait of negative seconds': one({...WAIT, Seconds: -1}),
  'a Wait until something that is no time': one({Type: 'Wait', Timestamp: 'tomorrow', End: true}),
  'a Succeed state with Next': {StartAt: 'A', States: {A: {Type: 'Succeed', Next: 'B'}, B: PASS}},
  'a Fail state with End': one({Type: 'Fail', End: true}),
  'a Choice without rules': {StartAt: 'S', States: {S: {Type: 'Choice', Choices: [], Default: 'D'}, D: PASS}},
  'a Choice with End': {
    StartAt: 'S',
    States: {S: {Type: 'Choice', Choices: [{Variable: '$.a', IsNull: true, Next: 'D'}], End: true}, D: PASS},
  },
  'a rule without an operator': rule({Variable: '$.a'}),
  'a rule with an unknown operator': rule({Variable: '$.a', NumericAlmostEquals: 1}),
  'a rule with two operators': rule({Variable: '$.a', NumericEquals: 1, StringEquals: 'a'}),
  'a rule without a variable': rule({NumericEquals: 1}),
  'a rule with a value of the wrong type': rule({Variable: '$.a', NumericEquals: '1'}),
  'a rule without Next': choice({Variable: '$.a', IsNull: true}, {Variable: '$.b', IsNull: true, Next: 'E'}),
  'a nested rule with Next': rule({And: [{Variable: '$.a', IsNull: true, Next: 'E'}]}),
  'a rule to a state that does not exist': choice(
    {Variable: '$.a', IsNull: true, Next: 'X'},
    {Variable: '$.a', IsNull: false, Next: 'E'},
  ),
  'a Default that does not exist': {
    StartAt: 'S',
    States: {S: {Type: 'Choice', Choices: [{Variable: '$.a', IsNull: true, Next: 'D'}], Default: 'X'}, D: PASS},
  },
  'a Parallel state without branches': one({Type: 'Parallel', End: true}),
  'a branch that leads out': {
    StartAt: 'S',
    States: {
      S: {...PARALLEL, Branches: [{StartAt: 'I', States: {I: {Type: 'Pass', Next: 'T'}}}], End: undefined, Next: 'T'},
      T: PASS,
    },
  },
  'a branch without StartAt': one({...PARALLEL, Branches: [{States: {I: PASS}}]}),
  'the same name twice': one({...PARALLEL, Branches: [{StartAt: 'S', States: {S: PASS}}]}),
  'a Map state without a processor': one({Type: 'Map', End: true}),
  'a negative concurrency': one({...MAP, MaxConcurrency: -1}),
  'concurrency twice': one({...MAP, MaxConcurrency: 1, MaxConcurrencyPath: '$.n'}),
  'an unknown mode': one({...MAP, ItemProcessor: {ProcessorConfig: {Mode: 'REMOTE'}, ...INNER}}),
  'an InputPath that is no path': one({...PASS, InputPath: 'a'}),
  'a broken InputPath': one({...PASS, InputPath: '$.a['}),
  'a ResultPath with a wildcard': one({...PASS, ResultPath: '$.a[*]'}),
  'a ResultPath into the context object': one({...PASS, ResultPath: '$$.a'}),
  'a name of 81 characters': {StartAt: 'n'.repeat(81), States: {['n'.repeat(81)]: PASS}},
  'an unknown query language': one(PASS, {QueryLanguage: 'SQL'}),
  'InputPath with JSONata': jsonata({...PASS, InputPath: '$.a'}),
  'Parameters with JSONata': jsonata({...TASK, Parameters: {}}),
  'Output with JSONPath': one({...PASS, Output: {}}),
  'broken JSONata': jsonata({...PASS, Output: '{% 1 + %}'}),
};

function definitions() {
  return [
    ...Object.entries(GOOD).map(([name, definition]) => ({name, definition, valid: true})),
    ...Object.entries(BAD).map(([name, definition]) => ({name, definition, valid: false})),
  ];
}

module.exports = {definitions};
