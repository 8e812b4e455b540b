// Good and bad definitions: npm's asl-validator finds each good or bad as Byoshin does.
//
//   node validation_test.js INTERPRETER
'use strict';

const assert = require('node:assert/strict');
const {test, after} = require('node:test');
const aslValidator = require('asl-validator');
const {definitions} = require('./definitions');
const {Interpreter} = require('./interpreter');

// What asl-validator 4.0.0 does not check.
const NOT_CHECKED = new Set([
  'Retry of an empty list of errors',
  'a backoff rate below 1',
  'an unknown jitter',
  'a Choice with End',
  'a nested rule with Next',
  'a ResultPath into the context object',
]);

const interpreter = new Interpreter(process.argv[2]);
after(() => interpreter.close());

for (const {name, definition, valid} of definitions()) {
  test(`${name} is ${valid ? 'valid' : 'invalid'}`, async () => {
    const ours = await interpreter.ask({definition});
    assert.equal(ours.status, valid ? 'VALID' : 'INVALID', ours.diagnostics.join('\n'));
    const {isValid, errorsText} = aslValidator(definition);
    assert.equal(isValid, valid || NOT_CHECKED.has(name), `asl-validator: ${errorsText()}`);
  });
}
