// Random schemas and documents here and on npm's graphql: both accept and refuse the same, at the same place, give the
// same data, arguments and paths of errors, and the same introspection.
//
//   node graphql_test.js EXECUTOR [--seed=N] [--schemas=N] [--differences=N]
//
// What differs on purpose, as AppSync or the specification of October 2021 has it:
// - AppSync has scalars and directives of its own; the other side gets them declared.
// - graphql 16 does not check the default values of a schema, though the specification asks for it.
// - graphql 16 runs out of stack when a default value has an object of the type that it is in, so no such are generated.
// - graphql 16 has @oneOf and deprecated arguments, which are newer than that specification.
// - graphql 16 reads descriptions of operations, fragments and variables, which are newer, too.
// - Variables and results are converted more freely (the text "5" is an Int), as graphql-java does; so are no such values
//   generated, but for texts that are no numbers.
// - Messages are those of AppSync, so only places and paths are compared. If several errors lead to the same null further
//   out, which of them are reported depends on the order of the resolvers: such errors are only compared by being there.
'use strict';

const {spawn} = require('node:child_process');
const readline = require('node:readline');
const {isDeepStrictEqual, parseArgs} = require('node:util');
const graphql = require('graphql');
const {Random} = require('../random');
const {DocumentMaker} = require('./documents');

const {values: flags, positionals} = parseArgs({
  args: [...process.argv.slice(2), ...(process.env.BYOSHIN_DIFFERENTIAL ?? '').split(' ').filter(Boolean)],
  allowPositionals: true,
  options: {
    seed: {type: 'string', default: '1'},
    schemas: {type: 'string', default: '100'},
    differences: {type: 'string', default: '3'},
  },
});

const AWS = `
${['Date', 'Time', 'DateTime', 'Timestamp', 'Email', 'JSON', 'URL', 'Phone', 'IPAddress'].map((n) => `scalar AWS${n}`).join('\n')}
directive @aws_subscribe(mutations: [String]) on FIELD_DEFINITION
directive @aws_publish(subscriptions: [String]) on FIELD_DEFINITION
${['api_key', 'iam', 'oidc', 'lambda'].map((n) => `directive @aws_${n} on OBJECT | FIELD_DEFINITION`).join('\n')}
directive @aws_cognito_user_pools(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
directive @aws_auth(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
`;

class Executor {
  constructor(path) {
    this.child = spawn(path, [], {stdio: ['pipe', 'pipe', 'inherit']});
    this.waiting = [];
    readline.createInterface({input: this.child.stdout}).on('line', (line) => this.waiting.shift().resolve(line));
    this.child.on('close', (code, signal) => {
      for (const {reject} of this.waiting) reject(new Error(`the executor has ended: ${signal ?? code}`));
    });
  }

  async ask(request) {
    const line = await new Promise((resolve, reject) => {
      this.waiting.push({resolve, reject});
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
    return JSON.parse(line);
  }
}

const seen = {};
let differences = 0;

function compare(what, seed, input, ours, theirs) {
  seen[what] = (seen[what] ?? 0) + 1;
  if (isDeepStrictEqual(ours, theirs)) return;
  ++differences;
  console.log(`\nDIFFERENCE in ${what} (--seed=${seed} --schemas=1)\n${input}`);
  console.log(`Byoshin: ${JSON.stringify(ours)}\ngraphql: ${JSON.stringify(theirs)}`);
}

function parsed(text) {
  try {
    graphql.parse(text, {noLocation: true});
    return {ok: true};
  } catch (error) {
    return error.locations[0];
  }
}

/** Whether Byoshin refuses a description that only the other side reads. */
function hasNewDescription({message}) {
  return /^Syntax Error: (Unexpected description|Expected "\$", found (Block)?String)/.test(message);
}

function built(sdl) {
  try {
    const schema = graphql.buildSchema(AWS + sdl);
    return graphql.validateSchema(schema).length === 0 ? schema : null;
  } catch {
    return null;
  }
}

/** The result of introspection in an order of names, without what AppSync or the specification has differently. */
function comparable(schema) {
  const sorted = graphql.lexicographicSortSchema(schema);
  const {__schema: result} = graphql.introspectionFromSchema(sorted, {specifiedByUrl: false, directiveIsRepeatable: false, schemaDescription: false, inputValueDeprecation: false});
  const own = (name) => !name.startsWith('__');
  result.directives = result.directives.filter(({name}) => !['oneOf', 'deprecated'].includes(name));
  for (const directive of result.directives) {
    if (directive.name.startsWith('aws') || ['include', 'skip', 'specifiedBy'].includes(directive.name)) directive.description = null;
    for (const arg of directive.args) if (!directive.name.startsWith('d')) arg.description = null;
  }
  // The other side leaves out scalars that are not used.
  result.types = result.types.filter(({name, kind}) => own(name) && kind !== 'SCALAR');
  return result;
}

const fieldResolver = async (source, args, context, info) => {
  const path = [];
  for (let at = info.path; at; at = at.prev) path.unshift(at.key);
  context[JSON.stringify(path)] = JSON.parse(JSON.stringify(args));
  const value = source?.[info.fieldName];
  if (value?.__error) throw new Error(value.__error);
  return value;
};

async function executed(schema, document, root, variableValues) {
  const contextValue = {};
  const first = document.definitions.find(({kind}) => kind === 'OperationDefinition');
  const operationName = first.name?.value;
  const result = await graphql.execute({schema, document, operationName, rootValue: root, contextValue, variableValues, fieldResolver, typeResolver: (v) => v.__typename});
  return {
    data: JSON.parse(JSON.stringify(result.data ?? null)),
    paths: (result.errors ?? []).map(({path}) => JSON.stringify(path ?? null)),
    calls: contextValue,
  };
}

/** Whether the null that an error led to is where the error was. */
function isVisible(path, data) {
  let at = data;
  for (const element of path) {
    if (at === null || at === undefined) return false;
    at = at[element];
  }
  return at === null;
}

function answered({response, calls}) {
  return {data: response.data ?? null, paths: (response.errors ?? []).map(({path}) => JSON.stringify(path)), calls};
}

async function checkExecution(executor, maker, schema, text, seed, wrong) {
  const root = maker.root(wrong);
  const variables = maker.variableValues();
  const document = graphql.parse(text);
  const theirs = await executed(schema, document, root, variables);
  const request = {execute: text, variables, root, resolvers: wrong > 0 || seed % 2 ? 'all' : 'root'};
  const ours = answered(await executor.ask(request));
  const input = `${maker.sdl}\n${text}\n${JSON.stringify({root, variables})}`;
  compare('data', seed, `${input}\n${ours.paths} ${theirs.paths}`, ours.data, theirs.data);
  // Which fields within what becomes null are still resolved depends on the order.
  const common = Object.keys(ours.calls).filter((path) => path in theirs.calls);
  const callsOf = ({calls}) => Object.fromEntries(common.map((path) => [path, calls[path]]));
  compare('arguments', seed, input, callsOf(ours), callsOf(theirs));
  compare('errors', seed, input, ours.paths.length > 0, theirs.paths.length > 0);
  const visible = ({data, paths}) => [...new Set(paths.filter((path) => isVisible(JSON.parse(path), data)))].sort();
  compare('paths of errors', seed, input, visible(ours), visible(theirs));
}

async function checkSchema(executor, random, seed) {
  const maker = new DocumentMaker(random);
  const spoiledSdl = maker.spoiled(maker.sdl);
  const read = await executor.ask({parse: spoiledSdl});
  if (!hasNewDescription(read)) compare('parse of schemas', seed, spoiledSdl, read.ok ? {ok: true} : {line: read.line, column: read.column}, {...parsed(spoiledSdl)});
  const bad = await executor.ask({schema: spoiledSdl});
  // AppSync has no other scalars, and graphql 16 checks neither default values nor whether a type has a scalar's name.
  const unchecked = bad.errors?.every(({message}) => /^(The default value|There is already a scalar)/.test(message));
  if (!/scalar/.test(spoiledSdl) && !unchecked) compare('schemas', seed, `${spoiledSdl}\n${JSON.stringify(bad.errors)}`, !bad.errors, built(spoiledSdl) !== null);
  const schema = built(maker.sdl);
  const loaded = await executor.ask({schema: maker.sdl});
  compare('schemas', seed, `${maker.sdl}\n${JSON.stringify(loaded.errors)}`, !loaded.errors, schema !== null);
  if (!schema || loaded.errors) return;
  compare('introspection', seed, maker.sdl, comparable(graphql.buildClientSchema(loaded.introspection.data)), comparable(schema));
  compare('printed schemas', seed, loaded.sdl, comparable(graphql.buildSchema(AWS + loaded.sdl)), comparable(schema));
  for (let i = 0; i < 30; ++i) {
    let text = maker.document();
    if (random.chance(0.3)) text = maker.spoiled(text);
    if (random.chance(0.1)) text = maker.spoiled(text);
    const theirs = parsed(text);
    const ours = await executor.ask({parse: text});
    if (!hasNewDescription(ours)) compare('parse', seed, `${text}\n${ours.message}`, ours.ok ? {ok: true} : {line: ours.line, column: ours.column}, {...theirs});
    if (!theirs.ok || !ours.ok) continue;
    const document = graphql.parse(text);
    const errors = graphql.validate(schema, document);
    const found = await executor.ask({validate: text});
    compare(errors.length ? 'invalid' : 'valid', seed, `${maker.sdl}\n${text}\n${found.errors.map(({message}) => message)}\n${errors}`, found.errors.length === 0, errors.length === 0);
    if (errors.length || found.errors.length) continue;
    const first = document.definitions.find(({kind}) => kind === 'OperationDefinition');
    if (first.operation === 'subscription') continue;
    if (Object.keys(maker.variables).length && !first.variableDefinitions.length) continue;
    await checkExecution(executor, maker, schema, text, seed, random.oneOf([0, 0.05, 0.2]));
  }
}

// When an element of a list fails at once, graphql does not wait for those before it, which may fail later.
process.on('unhandledRejection', (error) => {
  if (!Array.isArray(error.path)) throw error;
});

async function main() {
  const executor = new Executor(positionals[0]);
  const first = Number(flags.seed);
  for (let seed = first; seed < first + Number(flags.schemas) && differences < Number(flags.differences); ++seed) {
    await checkSchema(executor, new Random(seed), seed);
  }
  executor.child.stdin.end();
  console.log(`${differences} differences; compared: ${JSON.stringify(seen)}`);
  process.exitCode = differences === 0 ? 0 : 1;
}

main();
