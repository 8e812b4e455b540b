// Validates documents with @cfworker/json-schema, whose modules are in
// `packageModules` by their file names. Exports nothing: defines the globals
// `compileSchema`, `checkSchema` and `validateDocument`.
'use strict';

// As much of a URL as references between schemas need.
globalThis.URL = class URL {
  #base;
  #hash = '';

  constructor(reference, base) {
    const at = reference.indexOf('#');
    const path = at < 0 ? reference : reference.slice(0, at);
    this.hash = at < 0 ? '' : reference.slice(at + 1);
    const outer = base === undefined ? '' : base.split('#')[0];
    if (path === '') {
      this.#base = outer;
    } else if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
      this.#base = path;
    } else if (path.startsWith('/')) {
      this.#base = (/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(outer) ?? [''])[0] + path;
    } else {
      this.#base = outer.slice(0, outer.lastIndexOf('/') + 1) + path;
    }
    if (this.#base === '') throw new TypeError(`Invalid URL: ${reference}`);
  }

  get hash() {
    return this.#hash === '' ? '' : `#${this.#hash}`;
  }
  set hash(text) {
    this.#hash = text.startsWith('#') ? text.slice(1) : text;
  }
  get href() {
    return this.#base + this.hash;
  }
};

// Patterns that are only valid without the flag "u", such as \_, are valid in Java too.
const StrictRegExp = RegExp;
const patterns = new Map();
globalThis.RegExp = function RegExp(pattern, flags) {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  let compiled;
  try {
    compiled = new StrictRegExp(pattern, flags);
  } catch (error) {
    compiled = new StrictRegExp(pattern);
  }
  if (patterns.size >= 1000) patterns.clear();
  patterns.set(pattern, compiled);
  return compiled;
};

const loaded = new Map();
function require(file) {
  const name = file.replace('./', '');
  if (!loaded.has(name)) {
    const exports = {};
    loaded.set(name, exports);
    packageModules[name](exports, require);
  }
  return loaded.get(name);
}
const {Validator} = require('./validator.js');

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const DRAFT = '4';

// A validator of `text`, which may refer to the schemas in `others`: pairs of URI and text.
globalThis.compileSchema = (uri, text, others) => {
  const schema = JSON.parse(text);
  // The schema's own id would change what its references mean.
  const validator = new Validator({...schema, id: undefined, $id: uri}, DRAFT, false);
  for (const [otherUri, otherText] of others) {
    if (otherUri === uri) continue;
    const other = JSON.parse(otherText);
    if (isObject(other)) validator.addSchema({...other, id: undefined}, otherUri);
  }
  return validator;
};

// Throws if `text` is not a schema.
globalThis.checkSchema = (text) => {
  const schema = JSON.parse(text);
  if (!isObject(schema)) throw new Error('it is not an object');
  const visit = (part) => {
    if (Array.isArray(part)) return part.forEach(visit);
    if (!isObject(part)) return undefined;
    const expressions = [];
    if (typeof part.pattern === 'string') expressions.push(part.pattern);
    if (isObject(part.patternProperties)) expressions.push(...Object.keys(part.patternProperties));
    for (const expression of expressions) {
      try {
        RegExp(expression, 'u');
      } catch (error) {
        throw new Error(`the pattern ${JSON.stringify(expression)} is invalid: ${error.message}`);
      }
    }
    if (part.$ref !== undefined && typeof part.$ref !== 'string' && !isObject(part.$ref)) {
      throw new Error('a $ref is not text');
    }
    return Object.values(part).forEach(visit);
  };
  visit(schema);
  new Validator({...schema, id: undefined}, DRAFT);
};

function typeName(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

// What a JSON pointer such as "#/a/0" points to.
function at(document, pointer) {
  let found = document;
  for (const part of pointer.split('/').slice(1)) {
    found = found[decodeURI(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}

// The schema that the keyword is in. References are followed.
function schemaAt(validator, location) {
  let schema = validator.schema;
  for (const part of location.split('/').slice(1, -1)) {
    if (part === '$ref') {
      schema = validator.lookup[schema.__absolute_ref__ ?? schema.$ref];
    } else {
      schema = schema[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
  }
  return schema;
}

const list = (texts) => `[${texts.map((text) => JSON.stringify(text)).join(',')}]`;

// In the words of the Java library that AWS uses; undefined if they are not known.
const MESSAGES = {
  type: (schema, value) =>
    `instance type (${typeName(value)}) does not match any allowed primitive type (allowed: ${
      list([schema.type].flat().sort())})`,
  required: (schema, value) => `object has missing required properties (${
    list(schema.required.filter((name) => !Object.hasOwn(value, name)).sort())})`,
  enum: (schema, value) => `instance value (${JSON.stringify(value)}) not found in enum (possible values: ${
    JSON.stringify(schema.enum)})`,
  additionalProperties: (schema, value) => {
    const known = Object.keys(schema.properties ?? {});
    const extra = Object.keys(value).filter((name) => !known.includes(name) &&
      !Object.keys(schema.patternProperties ?? {}).some((pattern) => RegExp(pattern, 'u').test(name)));
    return schema.additionalProperties === false ?
      `object instance has properties which are not allowed by the schema: ${list(extra.sort())}` : undefined;
  },
  pattern: (schema, value) => `ECMA 262 regex ${JSON.stringify(schema.pattern)} does not match input string ${
    JSON.stringify(value)}`,
  format: (schema, value) => `string ${JSON.stringify(value)} is invalid against requested format ${
    JSON.stringify(schema.format)}`,
  minLength: (schema, value) => `string ${JSON.stringify(value)} is too short (length: ${
    [...value].length}, required minimum: ${schema.minLength})`,
  maxLength: (schema, value) => `string ${JSON.stringify(value)} is too long (length: ${
    [...value].length}, maximum allowed: ${schema.maxLength})`,
  minimum: (schema, value) => schema.exclusiveMinimum === true ?
    `numeric instance is not strictly greater than the required minimum ${schema.minimum}` :
    `numeric instance is lower than the required minimum (minimum: ${schema.minimum}, found: ${value})`,
  maximum: (schema, value) => schema.exclusiveMaximum === true ?
    `numeric instance is not strictly lower than the required maximum ${schema.maximum}` :
    `numeric instance is greater than the required maximum (maximum: ${schema.maximum}, found: ${value})`,
  multipleOf: (schema, value) =>
    `remainder of division is not zero (${value} / ${schema.multipleOf})`,
  minItems: (schema, value) =>
    `array is too short: must have at least ${schema.minItems} elements but instance has ${value.length} elements`,
  maxItems: (schema, value) =>
    `array is too long: must have at most ${schema.maxItems} elements but instance has ${value.length} elements`,
  minProperties: (schema, value) => `object has too few properties (found ${
    Object.keys(value).length} but schema requires at least ${schema.minProperties})`,
  maxProperties: (schema, value) => `object has too many properties (found ${
    Object.keys(value).length} but schema requires at most ${schema.maxProperties})`,
  uniqueItems: () => 'array must not contain duplicate elements',
  anyOf: (schema) => `instance failed to match at least one required schema among ${schema.anyOf.length}`,
  oneOf: (schema, value, error) => `instance failed to match exactly one schema (matched ${
    /\((\d+) match/.exec(error)?.[1] ?? 0} out of ${schema.oneOf.length})`,
  not: () => 'instance matched a schema which it should not have',
};
// Their cause is an error of its own.
const WRAPPERS = new Set(
  ['$ref', 'additionalItems', 'allOf', 'dependencies', 'false', 'items', 'patternProperties', 'properties']);
const MAX_FAULTS = 20;

globalThis.validateDocument = (validator, text) => {
  const document = JSON.parse(text);
  const {valid, errors} = validator.validate(document);
  if (valid) return [];
  const faults = new Set();
  for (const {keyword, keywordLocation, instanceLocation, error} of errors) {
    if (faults.size >= MAX_FAULTS) break;
    // What failed within alternatives is not an error by itself.
    if (WRAPPERS.has(keyword) || /\/(anyOf|oneOf|not)\/./.test(keywordLocation)) continue;
    let message;
    try {
      message = MESSAGES[keyword]?.(
        schemaAt(validator, keywordLocation), at(document, instanceLocation), error);
    } catch (failure) {
      // Then the library's own words will do.
    }
    faults.add(message ?? error);
  }
  return faults.size > 0 ? [...faults] : ['instance does not match the schema'];
};
