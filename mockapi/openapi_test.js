// Holds the server to openapi.yaml: every path, method, declared response and example of the document is tried on the
// real server, and everything that the document does not declare must be refused.
//
//   node openapi_test.js openapi.yaml server
'use strict';

const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');
const http = require('node:http');
const path = require('node:path');
const readline = require('node:readline');

const {checkSchema, readDocument, validate} = require('../tests/integration/openapi_document.js');

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'];

let failures = 0;
let checks = 0;

// Runs one check; the others are run whatever comes of it.
async function check(name, body) {
  ++checks;
  try {
    await body();
  } catch (error) {
    ++failures;
    console.error(`FAILED ${name}\n  ${error.message.replaceAll('\n', '\n  ')}`);
  }
}

// Starts the server and resolves to it and where it listens.
async function start(binary) {
  const server = spawn(binary, {env: {PORT: '0'}, stdio: ['ignore', 'pipe', 'inherit']});
  const ended = new Promise((resolve) => server.on('exit', (code, signal) => resolve({code, signal})));
  const lines = readline.createInterface({input: server.stdout});
  const url = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const entry = JSON.parse(line);
      if (entry.message === 'listening') resolve(entry.url);
    });
    ended.then(({code}) => reject(new Error(`the server ended with ${code}`)));
  });
  return {server, ended, url};
}

const agent = new http.Agent({keepAlive: true});

function send(base, method, target) {
  return new Promise((resolve, reject) => {
    const request = http.request(base + target, {method: method.toUpperCase(), agent}, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        resolve({status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString()});
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
}

// That an answer is one that `declared`, a Response Object, describes.
function expectDeclared(answer, declared) {
  const [[type, content]] = Object.entries(declared.content);
  assert.equal(answer.headers['content-type'], type);
  const body = JSON.parse(answer.body);
  validate(content.schema, body);
  for (const [name, header] of Object.entries(declared.headers ?? {})) {
    const value = answer.headers[name.toLowerCase()];
    if (header.required) assert(value !== undefined, `the header ${name} is missing`);
    if (value !== undefined) validate(header.schema, value);
  }
  return body;
}

function examplesOf(response) {
  return Object.values(response.content ?? {}).flatMap((content) => Object.entries(content.examples ?? {}));
}

function parametersOf(item, operation) {
  return [...(item.parameters ?? []), ...(operation.parameters ?? [])];
}

// The request that the example of this name is about, as a target.
function targetOf(url, parameters, name, example) {
  if (example['x-query'] !== undefined) return `${url}?${example['x-query']}`;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    if (parameter.examples?.[name] !== undefined) query.append(parameter.name, parameter.examples[name].value);
  }
  return query.size > 0 ? `${url}?${query}` : url;
}

// Every example of an operation's answers, with the request it belongs to.
function* exchanges(url, item, operation) {
  const parameters = parametersOf(item, operation);
  for (const [status, response] of Object.entries(operation.responses)) {
    for (const [name, example] of examplesOf(response)) {
      yield {status: Number(status), response, name, example, target: targetOf(url, parameters, name, example)};
    }
  }
}

async function checkGet(base, url, item) {
  const statuses = new Set();
  for (const {status, response, name, example, target} of exchanges(url, item, item.get)) {
    statuses.add(status);
    await check(`GET ${url}: ${status}, example ${name}`, async () => {
      const answer = await send(base, 'get', target);
      assert.equal(answer.status, status, answer.body);
      assert.deepEqual(expectDeclared(answer, response), example.value);
    });
  }
  for (const status of Object.keys(item.get.responses)) {
    await check(`GET ${url}: an example of ${status}`, () => assert(statuses.has(Number(status))));
  }
}

async function checkHead(base, url, item) {
  const statuses = new Set();
  for (const {status, name, target} of exchanges(url, item, item.get)) {
    statuses.add(String(status));
    await check(`HEAD ${url}: ${status}, example ${name}`, async () => {
      const [get, head] = [await send(base, 'get', target), await send(base, 'head', target)];
      assert.equal(head.status, status);
      assert.equal(head.body, '');
      for (const header of ['content-type', 'content-length']) assert.equal(head.headers[header], get.headers[header]);
    });
  }
  await check(`HEAD ${url} declares what GET does`, () => {
    assert.deepEqual(Object.keys(item.head.responses), [...statuses]);
  });
}

// What the schemas of the parameters do not allow is refused, and the error names the parameter.
async function checkParameters(base, url, item) {
  const [good] = exchanges(url, item, item.get);
  const parameters = parametersOf(item, item.get);
  const attempt = (edit) => {
    const query = new URLSearchParams(good.target.split('?')[1]);
    edit(query);
    return send(base, 'get', `${url}?${query}`);
  };
  for (const {name, required} of parameters) {
    const edits = {empty: (query) => query.set(name, ''), 'no time': (query) => query.set(name, '1764671000'),
      twice: (query) => query.append(name, query.get(name))};
    if (required) edits.missing = (query) => query.delete(name);
    for (const [what, edit] of Object.entries(edits)) {
      await check(`GET ${url}: ${name} ${what}`, async () => {
        const answer = await attempt(edit);
        assert.equal(answer.status, 400);
        assert.match(expectDeclared(answer, item.get.responses['400']).error, new RegExp(`"${name}"`));
      });
    }
  }
  for (const [name, example] of parameters.flatMap((parameter) => Object.entries(parameter.examples ?? {}))) {
    await check(`${url}: the parameters' example ${name} belongs to an answer`, () => {
      assert(Object.values(item.get.responses).some((response) => examplesOf(response).some(([n]) => n === name)),
          JSON.stringify(example));
    });
  }
}

async function checkOtherMethods(base, url, item) {
  const declared = METHODS.filter((method) => item[method]);
  const refusal = item['x-other-methods'];
  for (const method of METHODS.filter((m) => !item[m])) {
    await check(`${method.toUpperCase()} ${url} is refused`, async () => {
      const answer = await send(base, method, url);
      assert.equal(answer.status, 405);
      const body = expectDeclared(answer, refusal);
      const example = refusal.content['application/json'].examples[method];
      if (example) assert.deepEqual(body, example.value);
      assert.deepEqual(answer.headers.allow.split(', '), declared.map((m) => m.toUpperCase()));
    });
  }
}

async function checkOtherPaths(base, document) {
  const unknown = ['/', '/nowhere', '/response_count/', '/RESPONSE_COUNT', '/response_count/x', '/healthz', '//health'];
  for (const url of unknown) {
    for (const method of METHODS.filter((m) => m !== 'head')) {
      await check(`${method.toUpperCase()} ${url} is unknown`, async () => {
        const answer = await send(base, method, url);
        assert.equal(answer.status, 404);
        const body = expectDeclared(answer, document['x-other-paths']);
        if (url === '/nowhere') {
          assert.deepEqual(body, document['x-other-paths'].content['application/json'].examples.unknownPath.value);
        }
      });
    }
  }
}

async function checkDocument(document) {
  const operations = Object.values(document.paths).flatMap((item) => METHODS.map((m) => item[m]).filter(Boolean));
  const ids = operations.map((operation) => operation.operationId);
  await check('operation ids are there and unique', () => {
    assert(ids.every(Boolean));
    assert.equal(new Set(ids).size, ids.length);
  });
  for (const [url, item] of Object.entries(document.paths)) {
    await check(`${url}: GET and HEAD go together`, () => assert(item.get && item.head));
    for (const [status, response] of Object.entries(item.get.responses)) {
      for (const [name, example] of examplesOf(response)) {
        await check(`${url}: ${status}, example ${name} fits its schema`, () => {
          validate(response.content['application/json'].schema, example.value);
        });
      }
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    await check(`schema ${name} is one`, () => checkSchema(schema));
    if (schema.example !== undefined) {
      await check(`schema ${name}: its example`, () => validate(schema, schema.example));
    }
  }
}

async function main([openapi, binary]) {
  const document = readDocument(openapi);
  const {server, ended, url: base} = await start(path.resolve(binary));
  await checkDocument(document);
  for (const [url, item] of Object.entries(document.paths)) {
    await checkGet(base, url, item);
    await checkHead(base, url, item);
    await checkParameters(base, url, item);
    await checkOtherMethods(base, url, item);
  }
  await checkOtherPaths(base, document);
  agent.destroy();
  server.kill('SIGTERM');
  await check('the server stops cleanly', async () => assert.deepEqual(await ended, {code: 0, signal: null}));
  console.log(`${checks - failures} of ${checks} checks passed`);
  process.exitCode = failures === 0 && checks > 50 ? 0 : 1;
}

main(process.argv.slice(2));
