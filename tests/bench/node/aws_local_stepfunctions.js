// npm's aws-local-stepfunctions on Node.js 20: it is made for 22, of which it needs one function that 20 lacks.
'use strict';

Promise.withResolvers ??= function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, {resolve, reject}));
  return made;
};

module.exports = require('aws-local-stepfunctions');
