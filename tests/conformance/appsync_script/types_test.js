// Whether the runtime has everything that the types in @aws-appsync/utils declare: walks them with TypeScript's
// compiler and asks the runtime for the type of each member.
//   types_test.js PROGRAM
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const ts = require('typescript');
const {evaluateAll} = require('./evaluate.js');

const [program] = process.argv.slice(2);
const PACKAGE = '@aws-appsync/utils';
// By the name that scripts import, its file of declarations. There are at least this many functions in it.
const MODULES = [
  {name: PACKAGE, file: 'lib/index.d.ts', functions: 57},
  {name: `${PACKAGE}/dynamodb`, file: 'dynamodb.d.ts', functions: 23},
  {name: `${PACKAGE}/rds`, file: 'rds.d.ts', functions: 24},
  {name: `${PACKAGE}/ai`, file: 'ai.d.ts', functions: 2},
];

const folder = path.dirname(require.resolve(`${PACKAGE}/package.json`));
const files = MODULES.map(({file}) => path.join(folder, file));
const compiler = ts.createProgram(files, {strict: true, target: ts.ScriptTarget.ES2022, noEmit: true});
const checker = compiler.getTypeChecker();

// The paths of functions below `type`, such as "util.time.nowISO8601".
function functionsOf(type, name, node) {
  if (type.getCallSignatures().length > 0) return [name];
  return type.getProperties().flatMap((property) =>
    functionsOf(checker.getTypeOfSymbolAtLocation(property, node), `${name}.${property.getName()}`, node));
}

function declaredFunctions(file) {
  const source = compiler.getSourceFile(file);
  assert.ok(source, `${file} is missing`);
  return checker.getExportsOfModule(checker.getSymbolAtLocation(source)).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if ((target.flags & ts.SymbolFlags.Value) === 0) return [];
    return functionsOf(checker.getTypeOfSymbolAtLocation(target, source), symbol.getName(), source);
  });
}

for (const [i, {name, functions}] of MODULES.entries()) {
  const declared = [...new Set(declaredFunctions(files[i]))];
  assert.ok(declared.length >= functions, `only ${declared.length} functions were found in ${name}: ${declared}`);
  const types = declared.map((member) => `${JSON.stringify(member)}: typeof m.${member.replaceAll('.', '?.')}`);
  const code = `import * as m from '${name}';\nexport const request = () => ({${types.join(', ')}});\n`;
  // Importing each by its name is checked when the code is saved.
  const names = [...new Set(declared.map((member) => member.split('.')[0]))];
  const named = `import {${names.join(', ')}} from '${name}';\nexport const request = () => 1;\n`;
  const [answer, imported] = evaluateAll(program, [code, named]);
  assert.ok(answer.evaluationResult, JSON.stringify(answer));
  const found = JSON.parse(answer.evaluationResult);
  const missing = declared.filter((member) => found[member] !== 'function');
  assert.deepStrictEqual(missing, [], `missing in ${name}`);
  assert.strictEqual(imported.evaluationResult, '1', JSON.stringify(imported));
  console.log(`${name}: ${declared.length} functions`);
}

// The members of the context.
const context = checker.getExportsOfModule(checker.getSymbolAtLocation(compiler.getSourceFile(files[0])))
  .find((symbol) => symbol.getName() === 'Context');
const members = checker.getDeclaredTypeOfSymbol(
  context.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(context) : context)
  .getProperties().map((property) => property.getName()).sort();
assert.deepStrictEqual(members,
  ['args', 'arguments', 'env', 'error', 'identity', 'info', 'prev', 'request', 'result', 'source', 'stash'],
  'the context has members that the runtime was not written for');
