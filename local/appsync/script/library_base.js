// What the parts of the library share. The library is one function of `host`, whose members C++ provides; its parts
// are concatenated in the order of BUILD.

// The language's own objects and functions, of which scripts have fewer.
const {Array, Error, Function, JSON, Map, Math, Number, Object, RegExp, Set, String, Symbol, decodeURIComponent,
  encodeURIComponent, parseInt} = globalThis;
const {stringify: toJson, parse: fromJson} = JSON;
const {assign, defineProperty, entries, freeze, hasOwn, keys} = Object;
const {isArray} = Array;
const {fromCodePoint} = String;
const {floor, max, min} = Math;
const {isFinite} = Number;
const callable = (method) => Function.prototype.call.bind(method);
const nativeReplace = callable(String.prototype.replace);
const nativeCodePointAt = callable(String.prototype.codePointAt);
const nativeNormalize = callable(String.prototype.normalize);

// What an evaluation leaves besides its result, made when it is first needed. Made anew for each.
let state;

class State {
  constructor(ctx, places) {
    this.ctx = ctx;
    this.places = places;
    // What C++ reads; undefined for most evaluations.
    this.extras = undefined;
    this.headerBytes = 0;
  }

  more() {
    this.extras ??= {logs: [], appended: [], filter: undefined, invalidationFilter: undefined, invalidations: [],
      evictions: [], headers: []};
    return this.extras;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value);
const isNothing = (value) => value === null || value === undefined;
// As JSON, in which undefined is null.
const jsonOf = (value) => toJson(value) ?? 'null';

// Ends the evaluation; scripts can't catch it. `kind` as in ScriptError::Kind, or 'return'.
class Signal {
  constructor(kind, members) {
    this.kind = kind;
    assign(this, members);
  }
}

// Of `source`, those members that it has.
function pick(source, names) {
  const picked = {};
  for (const name of names) {
    if (source[name] !== undefined) picked[name] = source[name];
  }
  return picked;
}

// Each list of `left` followed by each of `right`.
const product = (left, right) => left.flatMap((head) => right.map((tail) => [...head, ...tail]));
