// Holds exchanges to an OpenAPI document: each must be declared, and each declared answer and error code must occur.
//
//   node check_openapi.js openapi.yaml exchanges.json
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');

const {readDocument, validate} = require('../../integration/openapi_document.js');

const METHODS = ['get', 'post', 'options'];

function templateOf(document, path) {
  const [bare] = path.split('?');
  return Object.keys(document.paths).find(
      (template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare));
}

// Checks an exchange and returns which declared answer it is.
function check(document, exchange) {
  const template = templateOf(document, exchange.path);
  assert(template, 'the path is not declared');
  const method = exchange.method.toLowerCase();
  const declared = document.paths[template][method]?.responses[exchange.status];
  assert(declared, `${exchange.status} is not declared: ${JSON.stringify(exchange.body)}`);
  for (const [name, header] of Object.entries(declared.headers ?? {})) {
    const value = exchange.headers[name.toLowerCase()];
    assert(value !== undefined, `the header ${name} is missing`);
    validate(header.schema, value);
  }
  if (declared.content) {
    assert.match(exchange.headers['content-type'], /^application\/json/);
    validate(declared.content['application/json'].schema, exchange.body);
  }
  return `${method} ${template} ${exchange.status}`;
}

const [documentFile, exchangesFile] = process.argv.slice(2);
const document = readDocument(documentFile);
const exchanges = JSON.parse(fs.readFileSync(exchangesFile, 'utf8'));
const seen = new Set();
const codes = new Set();
let failures = 0;
const fail = (text) => {
  ++failures;
  console.log(`FAILED ${text}`);
};
for (const exchange of exchanges) {
  try {
    seen.add(check(document, exchange));
    codes.add(exchange.body?.error?.code);
  } catch (error) {
    fail(`${exchange.method} ${exchange.path}: ${error.message}`);
  }
}
let declared = 0;
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of METHODS.filter((name) => name in item)) {
    for (const status of Object.keys(item[method].responses)) {
      ++declared;
      if (!seen.has(`${method} ${path} ${status}`)) fail(`${method} ${path} was never answered with ${status}`);
    }
  }
}
for (const code of document.components.schemas.ErrorCode.enum) {
  if (!codes.has(code)) fail(`the code ${code} did not occur`);
}
console.log(`${exchanges.length} exchanges, ${declared} declared answers, ${failures} failures`);
process.exitCode = failures === 0 && exchanges.length > 0 ? 0 : 1;
