// Random state machines here and on npm's aws-local-stepfunctions: both end alike.
//
//   node executions_test.js INTERPRETER [--seed=N] [--machines=N] [--differences=N]
//
// A difference is printed with the seed that leads to it; --differences of them end the run. BYOSHIN_DIFFERENTIAL, in
// the environment, has flags for long runs:
//
//   ./bazelw test //tests/differential/stepfunctions:executions_test \
//     --test_env=BYOSHIN_DIFFERENTIAL="--seed=1000 --machines=20000"
'use strict';

const {isDeepStrictEqual, parseArgs} = require('node:util');
const {Random} = require('../random');
const {Interpreter, runPeer, statesOf} = require('./interpreter');
const {makeCase} = require('./machines');

const {values: flags, positionals} = parseArgs({
  args: [...process.argv.slice(2), ...(process.env.BYOSHIN_DIFFERENTIAL ?? '').split(' ').filter(Boolean)],
  allowPositionals: true,
  options: {
    seed: {type: 'string', default: '1'},
    machines: {type: 'string', default: '1000'},
    differences: {type: 'string', default: '3'},
  },
});

/** Without what each words in its own way: the causes of errors that are not a task's or a Fail state's. */
function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== 'object') return value;
  const error = value.Error ?? value.error;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(/^cause$/i.test(name) && /^States\./.test(error)))
      .map(([name, member]) => [name, comparable(member)]),
  );
}

async function main() {
  const interpreter = new Interpreter(positionals[0]);
  const seen = {};
  let differences = 0;
  const first = Number(flags.seed);
  for (let seed = first; seed < first + Number(flags.machines); ++seed) {
    const made = makeCase(new Random(seed));
    const [ours, theirs] = await Promise.all([interpreter.ask(made), runPeer(made)]);
    for (const [, {Type}] of statesOf(made.definition)) seen[Type] = (seen[Type] ?? 0) + 1;
    seen[ours.status] = (seen[ours.status] ?? 0) + 1;
    if (isDeepStrictEqual(comparable(ours), comparable(theirs))) continue;
    console.log(`\nDIFFERENCE (--seed=${seed} --machines=1)`);
    console.log(JSON.stringify({definition: made.definition, tasks: made.tasks}));
    console.log(`Byoshin:                 ${JSON.stringify(ours)}`);
    console.log(`aws-local-stepfunctions: ${JSON.stringify(theirs)}`);
    if (++differences >= Number(flags.differences)) break;
  }
  interpreter.close();
  console.log(`${differences} differences; states and ends: ${JSON.stringify(seen)}`);
  process.exitCode = differences === 0 ? 0 : 1;
}

main();
