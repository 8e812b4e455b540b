// Whether the runtime refuses what the linter @aws-appsync/eslint-plugin refuses, in the same place and words.
//   linter_test.js PROGRAM
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {ESLint} = require('eslint');
const plugin = require('@aws-appsync/eslint-plugin');
const {evaluateAll} = require('./evaluate.js');

const [program] = process.argv.slice(2);

// Bodies of a request handler.
const BODIES = [
  // Refused.
  'for (let i = 0; i < 3; i += 1) { ctx.stash.a = i; }',
  'while (ctx.args.a) { ctx.stash.a = 1; }',
  'do { ctx.stash.a = 1; } while (ctx.args.a);',
  'for (const a of [1]) { continue; }',
  'try { ctx.stash.a = 1; } catch (e) { ctx.stash.b = 1; }',
  'a: for (const b of [1]) { ctx.stash.b = b; }',
  'class A {}',
  'const f = async () => 1;',
  'const f = async () => { await ctx.args.a; };',
  'function* f() { yield 1; }',
  'return this.a;',
  'return /a/g;',
  'let a = 1; a++; --a; return a;',
  'return ~ctx.args.a;',
  'return "a" in ctx.args;',
  'return ctx.args instanceof Object;',
  'return new Promise((done) => done(1));',
  'ctx = 1;',
  'ctx.result = 1;',
  'ctx["result"] = 1;',
  'delete ctx.args;',
  'return () => 1;',
  'const f = () => 1; return f;',
  'const f = () => 1; const g = f; return g();',
  'const f = () => 1; let g; g = f; return g();',
  'const f = (g) => g; return f(() => 1);',
  'function f(g) { return g; } function h() { return 1; } return f(h);',
  'return [2, 1].sort((a, b) => a - b);',
  'function f(n) { return f(n - 1); } return f(1);',
  'const f = (n) => { return n > 0 ? f(n - 1) : 0; }; return f(1);',
  'function f(n) { return g(n); } function g(n) { return f(n); } return f(1);',
  'return "a".padStart(3);',
  'return "a".repeat(3);',
  'return "a".charCodeAt(0);',
  'return "a".localeCompare("b");',
  'const s = "abc"; return s.search("b");',
  'return [1].keys();',
  'return [1].entries();',
  'const list = [1]; return list.values();',
  'return Object.freeze({});',
  'return Object.defineProperty({}, "a", {});',
  'return Object.getOwnPropertyNames({});',
  // Accepted.
  'const { a, ...rest } = ctx.args; return { ...rest, b: [...[a]] };',
  'for (const a of [1, 2]) { if (a > 1) { break; } }',
  'for (const a in ctx.args) { ctx.stash[a] = 1; }',
  'switch (ctx.args.a) { case 1: return 1; default: return 2; }',
  'return ctx.args?.a ?? `b${ctx.args.c}`;',
  'const f = (n) => n + 1; return [1, 2].map(f).filter((n) => n).reduce((a, b) => a + b, 0);',
  'return Object.keys(ctx.args).concat(Object.values(ctx.args));',
  'return Object.hasOwn(ctx.args, "a") ? typeof ctx.args.a : void 0;',
  'ctx.stash.a = 1; ctx.args.b = 2; delete ctx.args.c; return null;',
  'return "a-b".split("-").map((s) => s.trim().toUpperCase()).sort().join();',
  'const g = (n) => n; const f = (n) => g(n); return f(1) + g(2);',
  'return Math.max(1, Math.round(1.5)) | 1 & 3 ^ (2 << 1);',
  'const copy = { ...ctx }; copy.result = 1; return copy;',
];
const MODULE = (body) => `export function request(ctx) {\n${body}\n}\n`;
// Which the linter words with a path of the functions.
const sameWords = (message) => message.replace(/ Detected cycle in .*/, '').replace('ObjectConstructor.', 'Object.')
  .replace(/^Method (Array|String)Constructor\./, 'Method $1.');

async function lintAll(codes) {
  const folder = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? '/tmp', 'lint-'));
  const files = codes.map((code, i) => {
    const file = path.join(folder, `code${i}.js`);
    fs.writeFileSync(file, code);
    return file;
  });
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {allowJs: true, noEmit: true, target: 'es2022', module: 'es2022', types: []}, include: ['*.js']}));
  const {plugins, languageOptions, rules} = plugin.configs.recommended;
  const linter = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [{
      files: ['**/*.js'], plugins, rules,
      languageOptions: {...languageOptions, parserOptions: {project: './tsconfig.json', tsconfigRootDir: folder}},
    }],
  });
  const byFile = new Map((await linter.lintFiles(files)).map(({filePath, messages}) => [filePath, messages]));
  return files.map((file) => byFile.get(file));
}

// Words and place, without repetitions.
const inOrder = (errors) => [...new Set(errors)].sort();

async function main() {
  const codes = BODIES.map(MODULE);
  const linted = await lintAll(codes);
  const answers = evaluateAll(program, codes);
  let refused = 0;
  const differences = [];
  codes.forEach((code, i) => {
    const fatal = linted[i].find((message) => message.fatal);
    assert.ok(!fatal, `the linter failed: ${JSON.stringify(fatal)} in ${code}`);
    const expected = inOrder(linted[i].map(({line, column, message}) => `${line}:${column} ${sameWords(message)}`));
    const found = inOrder((answers[i].error?.codeErrors ?? []).map(({value, location}) =>
      `${location.line}:${location.column} ${value}`));
    if (expected.length > 0) ++refused;
    if (JSON.stringify(expected) !== JSON.stringify(found)) differences.push({body: BODIES[i], expected, found});
  });
  assert.ok(refused >= 40, `the linter refused ${refused} only`);
  assert.deepStrictEqual(differences, []);
  console.log(`${codes.length} agree, ${refused} of them are refused`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
