// The local Step Functions and npm's asl-validator agree on which definitions
// are right.
//   asl_validator_test.js CHECK_DEFINITIONS
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const validate = require('asl-validator');
const { good, bad, overlooked } = require('./definitions');

// [what it is about, the definition, whether it is accepted here, whether asl-validator accepts it]
const cases = [
  ...good.map((c) => [...c, true, true]),
  ...bad.map((c) => [...c, false, false]),
  ...overlooked.map((c) => [...c, false, true]),
];
const lines = cases.map(([, definition]) => JSON.stringify(definition));
const run = spawnSync(process.argv[2], { input: lines.join('\n') + '\n', encoding: 'utf8' });
assert.strictEqual(run.status, 0, run.stderr);
const answers = run.stdout.trim().split('\n');
assert.strictEqual(answers.length, cases.length, run.stdout);

let failures = 0;
cases.forEach(([name, , here, there], i) => {
  const theirs = validate(JSON.parse(lines[i]));
  if ((answers[i] === 'ok') === here && theirs.isValid === there) return;
  failures += 1;
  console.error(`${name}: here: ${answers[i]}; asl-validator: ${JSON.stringify(theirs.errors)}`);
});
console.log(`${cases.length - failures} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
