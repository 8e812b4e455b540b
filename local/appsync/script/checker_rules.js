// What code of AppSync's resolvers may not have. checker.js applies these rules.
//
// They are those of the linter @aws-appsync/eslint-plugin, with its messages, and what the guide says about statements
// and objects that are not supported.

const LINT_ERROR = 'LINT_ERROR';
const PARSER_ERROR = 'PARSER_ERROR';
const MAX_ERRORS = 100;

const MODULES = {
  '@aws-appsync/utils': ['util', 'extensions', 'runtime'],
  '@aws-appsync/utils/ai': ['invokeModel', 'converse'],
  '@aws-appsync/utils/dynamodb': [
    'query', 'scan', 'update', 'remove', 'put', 'get', 'sync', 'batchGet', 'batchPut', 'batchDelete', 'transactGet',
    'transactWrite', 'toStringSet', 'toNumberSet', 'toBinarySet', 'operations'],
  '@aws-appsync/utils/rds': [
    'select', 'insert', 'update', 'remove', 'createPgStatement', 'createMySQLStatement', 'sql', 'toJsonObject',
    'typeHint', 'agg'],
};

// Nodes that are refused wherever they are.
const REFUSED = {
  AwaitExpression: 'The `await` keyword is not supported',
  BreakStatement: (node) => node.label === null ? '' : 'Labeled statements are not supported.',
  ClassDeclaration: 'Class declarations are not supported.',
  ClassExpression: 'Class expressions are not supported.',
  ContinueStatement: 'Continue statements are not supported',
  DebuggerStatement: 'Debugger statements are not supported.',
  DoWhileStatement: 'do...while statements are not supported.',
  ExportAllDeclaration: 'Exporting all members of a module is not supported.',
  ForOfStatement: (node) => node.await ? 'The `await` keyword is not supported' : '',
  ForStatement: 'For statements are not supported.',
  ImportExpression: 'Dynamic imports are not supported.',
  LabeledStatement: 'Labeled statements are not supported.',
  MetaProperty: 'Meta properties are not supported.',
  NewExpression: (node) => node.callee.name === 'Promise' ? 'Promise is not supported' :
    'New expressions are not supported.',
  Super: 'Super is not supported.',
  ThisExpression: 'This expressions are not supported.',
  ThrowStatement: 'Throw statements are not supported. Use util.error().',
  TryStatement: 'Try statements are not supported.',
  UnaryExpression: (node) => node.operator === '~' ? `The operator ${node.operator} is not supported` : '',
  UpdateExpression: (node) => `The operator ${node.operator} is not supported`,
  WhileStatement: 'While statements are not supported.',
  YieldExpression: 'Yield statements are not supported',
  BinaryExpression: (node) => node.operator === 'in' ? 'in operator is not supported. Use Object.hasOwn().' :
    node.operator === 'instanceof' ? 'The operator instanceof is not supported' : '',
  Literal: (node) => node.regex !== undefined ? 'Regex literals are not supported.' :
    node.bigint !== undefined ? 'BigInt literals are not supported.' : '',
  Property: (node) => node.kind === 'init' ? '' : 'Getters and setters are not supported.',
};

// Of the objects that the language has; what is not listed is refused.
const STATIC_METHODS = {
  Array: ['isArray'],
  JSON: ['parse', 'stringify'],
  Math: ['random', 'min', 'max', 'round', 'floor', 'ceil'],
  Number: ['isFinite', 'isNaN'],
  Object: ['assign', 'entries', 'hasOwn', 'keys', 'values'],
  String: ['raw'],
  console: ['log', 'error'],
};
const REFUSED_GLOBALS = new Set([
  'AggregateError', 'ArrayBuffer', 'Atomics', 'BigInt', 'DataView', 'Date', 'Error', 'EvalError', 'Function', 'Intl',
  'Iterator', 'Map', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set', 'Symbol',
  'SyntaxError', 'TypeError', 'URIError', 'WeakMap', 'WeakRef', 'WeakSet', 'decodeURI', 'decodeURIComponent',
  'encodeURI', 'encodeURIComponent', 'escape', 'eval', 'fetch', 'globalThis', 'parseFloat', 'parseInt', 'process',
  'require', 'setImmediate', 'setInterval', 'setTimeout', 'structuredClone', 'unescape', 'window']);

// Refused on any value, since no other type has them.
const REFUSED_METHODS = {
  Array: ['copyWithin', 'group', 'groupToMap', 'toLocaleString'],
  Function: ['apply', 'bind', 'call'],
  String: ['charCodeAt', 'localeCompare', 'matchAll', 'padEnd', 'padStart', 'repeat',
    'toLocaleLowerCase', 'toLocaleUpperCase'],
};
// Refused on values that are known to be of the type.
const REFUSED_OF_TYPE = {
  Array: ['entries', 'keys', 'toString', 'values'],
  String: ['search', 'valueOf'],
};
const TYPE_OF_METHOD = new Map(Object.entries(REFUSED_METHODS)
  .flatMap(([type, names]) => names.map((name) => [name, type])));

// Array methods that take functions.
const TAKES_FUNCTION = new Set(['map', 'find', 'filter', 'findIndex', 'findLast', 'findLastIndex', 'forEach',
  'reduce', 'reduceRight', 'every', 'some', 'flatMap']);
const RETURNS_STRING = new Set(['charAt', 'join', 'normalize', 'replace', 'replaceAll', 'substring', 'toLowerCase',
  'toUpperCase', 'trim', 'trimEnd', 'trimStart', 'stringify', 'toString', 'toFixed']);
const RETURNS_ARRAY = new Set(['entries', 'filter', 'flat', 'flatMap', 'keys', 'map', 'reverse', 'sort', 'splice',
  'split', 'values']);
