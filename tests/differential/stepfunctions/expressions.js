// Random payload templates and conditions over the data that random machines have.
//
//   new Expressions(random).template();    // {"a.$": "States.ArrayLength($.xs)", "b": 3}
//   new Expressions(random).condition();   // {Variable: "$.n", NumericLessThan: 4}
//
// What aws-local-stepfunctions 3.0.0 does differently from AWS is left out:
// - A path with `..`, `[*]`, a slice or a filter that finds nothing is an error there; on AWS it is [].
// - An intrinsic function with a wrong argument ends in States.Runtime there; on AWS, in States.IntrinsicFailure, which
//   can be caught. Arguments are right here.
// - Backslashes are removed from the results of intrinsic functions, so that JSON in a string loses its escapes, and
//   escaped apostrophes and braces are lost.
// - Operators compare values of different types as JavaScript does; on AWS no comparison of a value with an operator of
//   another type holds. Variables have the operator's type here.
// - `IsNull: false` and the like are taken for true.
// - `?` in StringMatches stands for any character.
// - A comma in a path separates the arguments of an intrinsic function.
// - States.StringSplit takes several characters for one delimiter; on AWS, each of them is one. It also returns empty
//   parts, which AWS leaves out: no text here begins or ends with a delimiter, or has two in a row.
// - States.Base64Encode and States.Base64Decode take each byte for a character.
// - States.JsonMerge changes its first argument where it stands. That is a new object here.
// - States.ArrayUnique and States.ArrayContains compare objects by identity there. Elements are scalars here.
'use strict';

/** The input of every machine, which its states add to. */
const INPUT = {
  n: 3,
  m: -2,
  x: 2.5,
  s: 'a-b-c',
  w: 'Hello World',
  t: '2024-03-01T12:00:00Z',
  yes: true,
  no: false,
  none: null,
  xs: [3, 1, 2, 3],
  ys: ['a', 'b', 'a'],
  o: {k: 1, p: {q: 'z', k: [true]}},
  items: [
    {id: 'i1', price: 5, tags: ['new']},
    {id: 'i2', price: 12, tags: []},
    {id: 'i3', price: 20, tags: ['old', 'sale']},
  ],
};

const PATHS = {
  number: ['$.n', '$.m', '$.x', '$.xs[0]', '$.xs[3]', '$.o.k', '$.items[1].price', "$['n']"],
  integer: ['$.n', '$.m', '$.xs[1]', '$.o.k'],
  string: ['$.s', '$.w', '$.ys[1]', '$.o.p.q', '$.items[0].id', "$['o']['p']['q']"],
  boolean: ['$.yes', '$.no', '$.o.p.k[0]'],
  timestamp: ['$.t'],
  numbers: ['$.xs', '$.xs[*]', '$.xs[0:2]', '$.xs[1:]', '$.items[*].price', '$.items[?(@.price > 10)].price'],
  strings: ['$.ys', '$.items[*].id', '$..id', "$.items[?(@.price < 10)]['id']"],
  object: ['$.o', '$.o.p', '$.items[2]', '$'],
  any: ['$', '$.none', '$.o.p.k', '$.items', '$.items[*]', '$.items[0:1]', '$.items[*].tags', '$.items[2].tags[1]', '$.ys[0,1]'],
};

const TIMES = ['2024-03-01T12:00:00Z', '2024-03-01T11:59:59Z', '2025-01-01T00:00:00Z'];

class Expressions {
  constructor(random) {
    this.random = random;
  }

  /** A path that leads to something of the type. */
  path(type = this.random.oneOf(Object.keys(PATHS))) {
    return this.random.oneOf(PATHS[type]);
  }

  /** A scalar or structure. */
  literal(depth = 0) {
    const {random} = this;
    const scalars = [random.below(100), -1.5, 'text', '', true, false, null];
    if (depth > 1 || random.chance(0.7)) return random.oneOf(scalars);
    if (random.chance(0.5)) return Array.from({length: random.below(3)}, () => this.literal(depth + 1));
    return Object.fromEntries(random.some(['a', 'b', 'c'], 0, 3).map((name) => [name, this.literal(depth + 1)]));
  }

  template(depth = 0) {
    const {random} = this;
    const entries = random.some(['a', 'b', 'c', 'd'], 1, 3).map((name) => {
      const kind = random.below(8);
      if (kind < 3) return [`${name}.$`, this.path()];
      if (kind < 6) return [`${name}.$`, this.call()];
      if (kind < 7 && depth < 2) return [name, random.chance(0.7) ? this.template(depth + 1) : [this.template(depth + 1)]];
      return [name, this.literal()];
    });
    return Object.fromEntries(entries);
  }

  /** An intrinsic function's call. */
  call(depth = 0) {
    const {random} = this;
    return random.oneOf([
      () => `States.Format('{} and {}', ${this.string(depth)}, ${this.integer(depth)})`,
      () => `States.Array(${this.string(depth)}, ${this.integer(depth)}, ${this.path('object')})`,
      () => `States.ArrayPartition(${this.path('numbers')}, ${1 + random.below(3)})`,
      () => `States.ArrayContains(${this.path('numbers')}, ${this.integer(depth)})`,
      () => `States.ArrayContains(${this.path('strings')}, ${this.string(depth)})`,
      () => this.range(),
      () => `States.ArrayGetItem(${this.path('strings')}, 0)`,
      () => `States.ArrayUnique(${this.path(random.oneOf(['numbers', 'strings']))})`,
      () => `States.Base64Encode(${this.string(depth)})`,
      () => `States.MathAdd(${this.integer(depth)}, ${this.integer(depth)})`,
      () => `States.JsonMerge(States.StringToJson('{"a": 1, "q": 2}'), ${this.path('object')}, false)`,
      () => `States.StringSplit(${this.path('string')}, '${random.oneOf(['-', ' ', 'o'])}')`,
      () => `States.StringToJson('${random.oneOf(['[1, 2]', '{"a": null}', '3'])}')`,
      () => `States.JsonToString(${this.path('numbers')})`,
    ])();
  }

  range() {
    const from = this.random.below(5);
    return `States.ArrayRange(${from}, ${from + this.random.below(9)}, ${1 + this.random.below(3)})`;
  }

  /** An argument that is a string. */
  string(depth = 0) {
    const {random} = this;
    if (depth > 2) return this.path('string');
    return random.oneOf([
      () => this.path('string'),
      () => this.path('string'),
      () => `'${random.oneOf(['x', 'a, b', 'e (1)'])}'`,
      () => `States.Base64Encode(${this.string(depth + 1)})`,
      () => `States.Base64Decode('${random.oneOf(['aGVsbG8=', 'eCB5'])}')`,
      () => `States.Hash(${this.path('string')}, '${random.oneOf(['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])}')`,
      () => `States.Format('<{}>', ${this.string(depth + 1)})`,
    ])();
  }

  /** An argument that is an integer. */
  integer(depth = 0) {
    const {random} = this;
    if (depth > 2) return this.path('integer');
    return random.oneOf([
      () => this.path('integer'),
      () => `${random.below(20) - 10}`,
      () => `States.MathAdd(${this.integer(depth + 1)}, ${this.integer(depth + 1)})`,
      () => `States.ArrayLength(${this.path(random.oneOf(['numbers', 'strings']))})`,
    ])();
  }

  /** A rule of a Choice state, without its Next. */
  condition(depth = 0) {
    const {random} = this;
    if (depth < 2 && random.chance(0.3)) {
      const operator = random.oneOf(['And', 'Or', 'Not']);
      if (operator === 'Not') return {Not: this.condition(depth + 1)};
      return {[operator]: Array.from({length: 1 + random.below(3)}, () => this.condition(depth + 1))};
    }
    return random.oneOf([
      () => this.comparison('Numeric', 'number', [3, -2, 2.5, 0, 12]),
      () => this.comparison('String', 'string', ['a-b-c', 'b', 'z', 'Hello World', '']),
      () => this.comparison('Timestamp', 'timestamp', TIMES),
      () => ({Variable: this.path('string'), StringMatches: random.oneOf(['*', 'a*c', '*o W*', 'z'])}),
      () => ({Variable: this.path('boolean'), BooleanEquals: random.chance(0.5)}),
      () => ({Variable: this.path('boolean'), BooleanEqualsPath: this.path('boolean')}),
      () => ({Variable: random.oneOf(['$.n', '$.absent', '$.o.absent', '$.none']), IsPresent: true}),
      () => this.typeTest(),
    ])();
  }

  comparison(prefix, type, values) {
    const {random} = this;
    const relation = random.oneOf(['Equals', 'LessThan', 'GreaterThan', 'LessThanEquals', 'GreaterThanEquals']);
    return random.chance(0.3)
      ? {Variable: this.path(type), [`${prefix}${relation}Path`]: this.path(type)}
      : {Variable: this.path(type), [`${prefix}${relation}`]: random.oneOf(values)};
  }

  typeTest() {
    const {random} = this;
    const operator = random.oneOf(['IsNull', 'IsNumeric', 'IsString', 'IsBoolean', 'IsTimestamp']);
    return {Variable: random.oneOf(['$.n', '$.s', '$.t', '$.yes', '$.none', '$.o']), [operator]: true};
  }
}

module.exports = {INPUT, Expressions};
