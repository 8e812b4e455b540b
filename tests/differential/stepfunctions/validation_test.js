// Good and bad definitions: npm's asl-validator finds each good or bad as Byoshin does.
//
//   node validation_test.js INTERPRETER
'use strict';

const assert = require('node:assert/strict');
const {test, after} = require('node:test');
const aslValidator = require('asl-validator');
const {definitions} = require('./definitions');
const {Interpreter} = require('./interpreter');

// Bad on AWS; asl-validator 4.0.0 does not check it.
const NOT_CHECKED = new Set([]);

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
