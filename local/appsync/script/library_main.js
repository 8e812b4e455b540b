// What scripts find in the global object, frozen; and how a handler is run.

const KEPT_GLOBALS = new Set(['Array', 'Boolean', 'Infinity', 'JSON', 'Math', 'NaN', 'Number', 'Object', 'String',
  'console', 'extensions', 'isFinite', 'isNaN', 'runtime', 'undefined', 'util']);
// Static members; constants of Math and Number stay as well.
const KEPT_STATICS = {
  Array: ['isArray', 'prototype'],
  JSON: ['parse', 'stringify'],
  Math: ['ceil', 'floor', 'max', 'min', 'random', 'round'],
  Number: ['isFinite', 'isNaN', 'prototype'],
  Object: ['assign', 'entries', 'hasOwn', 'keys', 'prototype', 'values'],
  String: ['prototype', 'raw'],
};
const REMOVED_METHODS = {
  Array: ['copyWithin', 'entries', 'keys', 'toLocaleString', 'values'],
  Function: ['apply', 'bind', 'call'],
  Object: ['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__', '__proto__',
    'toLocaleString'],
  String: ['anchor', 'big', 'blink', 'bold', 'charCodeAt', 'codePointAt', 'fixed', 'fontcolor', 'fontsize',
    'italics', 'link', 'localeCompare', 'match', 'matchAll', 'normalize', 'padEnd', 'padStart', 'repeat', 'search',
    'small', 'strike', 'sub', 'sup', 'toLocaleLowerCase', 'toLocaleUpperCase'],
};

const {getOwnPropertyDescriptor, getPrototypeOf} = Object;
const {ownKeys} = globalThis.Reflect ?? {
  ownKeys: (object) => [...Object.getOwnPropertyNames(object), ...Object.getOwnPropertySymbols(object)]};

function removeMembers(globals) {
  for (const type of keys(KEPT_STATICS)) {
    const owner = globals[type];
    for (const name of ownKeys(owner)) {
      if (!KEPT_STATICS[type].includes(name) && typeof owner[name] === 'function') delete owner[name];
    }
  }
  for (const type of keys(REMOVED_METHODS)) {
    for (const name of REMOVED_METHODS[type]) delete globals[type].prototype[name];
  }
  // Its value would make functions of text.
  delete Function.prototype.constructor;
  for (const name of ownKeys(globals)) {
    if (!KEPT_GLOBALS.has(name)) delete globals[name];
  }
}

// Scripts can't assign to a member of an object whose prototype has it frozen, unless it is an accessor.
function makeOverridable(prototype) {
  for (const name of ownKeys(prototype)) {
    const {value, enumerable, configurable} = getOwnPropertyDescriptor(prototype, name);
    if (!configurable || value === undefined) continue;
    defineProperty(prototype, name, {
      enumerable,
      configurable: false,
      get: () => value,
      set(own) {
        if (this === prototype) throw new Error('It is read-only');
        defineProperty(this, name, {value: own, writable: true, enumerable: true, configurable: true});
      },
    });
  }
}

// Freezes everything that can be reached from `roots`.
function harden(roots) {
  const seen = new Set();
  const pending = [...roots];
  while (pending.length > 0) {
    const object = pending.pop();
    if (object === null || (typeof object !== 'object' && typeof object !== 'function') || seen.has(object)) continue;
    seen.add(object);
    freeze(object);
    pending.push(getPrototypeOf(object));
    for (const name of ownKeys(object)) {
      const {value, get, set} = getOwnPropertyDescriptor(object, name);
      pending.push(value ?? null, get ?? null, set ?? null);
    }
  }
}

function prepareGlobals(globals) {
  const define = (owner, name, value) =>
    defineProperty(owner, name, {value, writable: true, enumerable: false, configurable: true});
  for (const [name, value] of entries({console, util, extensions, runtime})) define(globals, name, value);
  define(JSON, 'parse', (text) => {
    try {
      return fromJson(text);
    } catch (error) {
      return '';
    }
  });
  define(String.prototype, 'replace', {
    replace(pattern, replacement) { return javaReplace(`${this}`, pattern, replacement, ''); }}.replace);
  define(String.prototype, 'replaceAll', {
    replaceAll(pattern, replacement) { return javaReplace(`${this}`, pattern, replacement, 'g'); }}.replaceAll);
  // Objects that only the language's syntax makes.
  const hidden = [[][Symbol.iterator](), ''[Symbol.iterator](), new Map()[Symbol.iterator](), /x/, new Error(),
    function* () {}, async () => {}, async function* () {}, Symbol.prototype, RegExp, Error];
  removeMembers(globals);
  makeOverridable(Object.prototype);
  harden([globals, modules, ...hidden]);
}

// A member that is parsed when it is first read.
function defineLazily(object, name, text) {
  let value;
  let parsed = false;
  const get = () => {
    if (!parsed) value = fromJson(text);
    parsed = true;
    return value;
  };
  defineProperty(object, name, {get, enumerable: true, configurable: false});
}

// `info` and `request` are JSON texts, or null if the context has them.
function makeContext(context, info, request) {
  if (!isObject(context)) throw new Signal('raised', errorMembers('The context is not a JSON object.'));
  context.arguments ??= context.args ?? {};
  context.args = context.arguments;
  context.stash ??= {};
  context.env ??= {};
  if (!isArray(context.outErrors)) context.outErrors = [];
  if (info !== null) defineLazily(context, 'info', info);
  if (request !== null) defineLazily(context, 'request', request);
  return freeze(context);
}

// The error's class in front of its message, as AppSync has it for faults of the code itself. What functions of the
// library throw has none.
const STANDARD_ERRORS = new Set(['RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']);
function faultText(error) {
  if (!(error instanceof Error)) return isObject(error) ? `${error.message}` : `${error}`;
  const [callers] = `${error.stack}`.split('code.js:');
  const isOwn = STANDARD_ERRORS.has(error.name) && !callers.includes('library.js:');
  return isOwn ? `${error.name}: ${error.message}` : `${error.message}`;
}

// What `evaluate` returns for something that was thrown.
function failureOf(error) {
  // The engine can't be used any more, which C++ finds out.
  if (error instanceof Error && error.name === 'InternalError' && error.message === 'out of memory') throw error;
  if (error instanceof Signal && error.kind !== 'return') return error;
  const message = faultText(error);
  const place = placeIn(error?.stack);
  return new Signal('fault', errorMembers(place === undefined ? message : `${place}: ${message}`, 'Code'));
}

// Runs a handler of the module that `factory`, which checker.js wrote, makes.
function evaluate(factory, handler, context, info, request) {
  const outcome = {result: undefined, error: undefined, skipTo: undefined, stash: '{}', extras: undefined};
  try {
    state = new State(undefined, '');
    const ctx = makeContext(context, info, request);
    state = new State(ctx, factory.places);
    try {
      outcome.result = toJson(factory.make(modules)[handler](ctx));
    } catch (error) {
      if (!(error instanceof Signal) || error.kind !== 'return') throw error;
      outcome.skipTo = error.skipTo;
      outcome.result = toJson(error.value);
    }
    outcome.stash = toJson(ctx.stash);
  } catch (error) {
    outcome.error = failureOf(error);
    outcome.result = undefined;
    outcome.skipTo = undefined;
    outcome.stash = toJson(state.ctx?.stash ?? {});
  }
  outcome.extras = state.extras;
  state = undefined;
  return outcome;
}

prepareGlobals(globalThis);
return {evaluate, modules};
