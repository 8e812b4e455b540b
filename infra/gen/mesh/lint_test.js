// Lints the code of Mesh v2's resolvers, as the template has it, with AWS's linter for APPSYNC_JS, and finds constants
// that the generator does not know.
//
//   lint_test.js TEMPLATE
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {ESLint} = require('eslint');
const plugin = require('@aws-appsync/eslint-plugin');

const MAX_CODE_CHARACTERS = 32768;
const RESOLVER_TYPES = ['AWS::AppSync::Resolver', 'AWS::AppSync::FunctionConfiguration'];

// Code as CloudFormation makes it in production.
function evaluate(value) {
  if (typeof value === 'string') return value;
  if (value['Fn::Join']) return value['Fn::Join'][1].map(evaluate).join(value['Fn::Join'][0]);
  if (value['Fn::If']) return evaluate(value['Fn::If'][1]);
  if (value.Ref) return value.Ref;
  throw new Error(`unexpected in code: ${JSON.stringify(value)}`);
}

// The plugin's rules, which need files and their types, and that nothing is undefined: every constant is known.
function linter(folder) {
  const {plugins, languageOptions, rules} = plugin.configs.recommended;
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {allowJs: true, noEmit: true, target: 'es2022', module: 'es2022', types: []},
    include: ['*.js'],
  }));
  return new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [{
      files: ['**/*.js'],
      plugins,
      languageOptions: {
        ...languageOptions,
        globals: {JSON: 'readonly', Math: 'readonly'},
        parserOptions: {project: './tsconfig.json', tsconfigRootDir: folder},
      },
      rules: {...rules, 'no-undef': 'error', 'no-unused-vars': 'error'},
    }],
  });
}

// What no resolver may have, so that a linter that finds nothing would be noticed.
const BAD = 'export function request() { let a = 1; while (a < 3) { a++; } return [a, UNKNOWN_CONSTANT]; }';

async function main([template]) {
  const {Resources: resources} = JSON.parse(fs.readFileSync(template, 'utf8'));
  const folder = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? '/tmp', 'lint-'));
  const failures = [];
  let count = 0;
  fs.writeFileSync(path.join(folder, 'bad.js'), BAD);
  for (const [id, {Type: type, Properties: properties}] of Object.entries(resources)) {
    if (!RESOLVER_TYPES.includes(type)) continue;
    count += 1;
    const code = evaluate(properties.Code);
    if (code.length > MAX_CODE_CHARACTERS) failures.push(`${id}: the code has ${code.length} characters`);
    fs.writeFileSync(path.join(folder, `${id}.js`), code);
  }
  let complaints = [];
  for (const {filePath, messages} of await linter(folder).lintFiles(['*.js'])) {
    const name = path.basename(filePath);
    if (name === 'bad.js') {
      complaints = messages.map(({ruleId}) => ruleId);
      continue;
    }
    for (const {line, column, ruleId, message} of messages) {
      failures.push(`${name}:${line}:${column}: ${ruleId}: ${message}`);
    }
  }
  for (const rule of ['@aws-appsync/no-while', 'no-undef']) assert(complaints.includes(rule), `${complaints}`);
  assert(count > 20, `only ${count} resolvers`);
  for (const failure of failures) console.error(failure);
  console.log(`${count} resolvers, ${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
