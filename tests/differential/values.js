// Attribute values at random. An attribute's name says its type (s1 is a string, ns a set of numbers), so that
// conditions and updates mostly fit what is there; now and then one does not.
'use strict';

const base64 = (text) => Buffer.from(text, 'latin1').toString('base64');

const STRINGS = ['a', 'b', 'ab', 'abc', 'abcd', 'B', 'zz', 'a b', '0', '~'];
const UNICODE = ['é', 'éa', '秒', '😀', 'ﬀ', 'e\u0301', '\u0000', '\uffff'];
// Arithmetic stays exact with these, whatever is added up.
const NUMBERS = ['0', '1', '-1', '2', '3', '10', '-10', '0.5', '-0.5', '1.50', '007', '1e2', '25E-2', '-3.75', '100'];
const EXTREME_NUMBERS = [
  '0', '-0', '0.0', '1', '-1', '1E+125', '-1E+125', '1E-130', '-1E-130', '1e37', '1E38',
  '9.9999999999999999999999999999999999999E+125',
  '-9.9999999999999999999999999999999999999E+125',
  '12345678901234567890123456789012345678',
  '-12345678901234567890123456789012345678',
  '0.12345678901234567890123456789012345678',
  '1.2345678901234567890123456789012345678',
  '1.2345678901234567890123456789012345679',
  '123456789012345678901234567890.12345678',
  '100000000000000000000000000000000000000000',
  '0.00000000000000000000000000000000000000000001',
  '00000000000000000000000000000000000000000000000000001.50000000000000000000000000000000000000000000000',
];
// What base64 has of text and of every kind of byte.
const BINARIES = ['a', 'ab', 'abc', 'b', 'B', '~'].map(base64);
const BINARY_KEYS = [...BINARIES, ...['\x00', '\x00\x00', '\x00\x01', '\x7f', '\x80', '\xff', '\xff\x00', 'a\x00'].map(base64)];

const KEYS = {
  S: [...STRINGS, ...UNICODE, 'a'.repeat(200), 'a/b', 'a~b', '/'],
  N: [...NUMBERS, ...EXTREME_NUMBERS],
  B: BINARY_KEYS,
};

/** The attributes that are no key, by the type that they mostly have. */
const ATTRIBUTES = {
  S: ['s1', 's2', 'name'],
  N: ['n1', 'n2'],
  B: ['b1'],
  BOOL: ['bo'],
  NULL: ['nu'],
  SS: ['ss'],
  NS: ['ns'],
  BS: ['bs'],
  L: ['l1'],
  M: ['m1'],
};

// A name that expressions can't say without a placeholder, one that is reserved, and a plain one.
const ODD_NAMES = {name: true, 'a-b': true, 'c.d': true};

function typeOf(attribute) {
  return Object.keys(ATTRIBUTES).find((type) => ATTRIBUTES[type].includes(attribute));
}

class Values {
  constructor(random) {
    this.random = random;
  }

  key(type) {
    // Few, so that keys meet again.
    const pool = KEYS[type];
    return {[type]: this.random.chance(0.85) ? pool[this.random.below(3)] : this.random.oneOf(pool)};
  }

  ofType(type, depth = 0) {
    const random = this.random;
    switch (type) {
      case 'S':
        return {S: random.oneOf(STRINGS)};
      case 'N':
        return {N: random.oneOf(NUMBERS)};
      case 'B':
        return {B: random.oneOf(BINARIES)};
      case 'BOOL':
        return {BOOL: random.chance(0.5)};
      case 'NULL':
        return {NULL: true};
      case 'SS':
        return {SS: random.some(STRINGS, 1, 4)};
      case 'NS':
        // No two of them are the same number.
        return {NS: random.some(['0', '1', '-1', '2.50', '1e2', '7'], 1, 4)};
      case 'BS':
        return {BS: random.some(BINARIES, 1, 4)};
      case 'L':
        return {L: Array.from({length: random.below(5)}, () => this.any(depth + 1))};
      case 'M':
        return {M: this.map(depth + 1)};
      default:
        throw new Error(`no type ${type}`);
    }
  }

  any(depth = 0) {
    const nested = depth < 3 ? [[2, 'L'], [2, 'M']] : [];
    const flat = [[4, 'S'], [4, 'N'], [2, 'B'], [1, 'BOOL'], [1, 'NULL'], [1, 'SS'], [1, 'NS'], [1, 'BS']];
    return this.ofType(this.random.weighted([...flat, ...nested]), depth);
  }

  scalar() {
    return this.ofType(this.random.oneOf(['S', 'N', 'B', 'BOOL', 'NULL']));
  }

  /** Mostly of the attribute's own type. Scalar attributes stay scalar: dynalite can't compare lists and maps. */
  of(attribute, depth = 0) {
    const type = typeOf(attribute);
    if (!['L', 'M'].includes(type) && this.random.chance(0.04)) return this.scalar();
    return this.ofType(type, depth);
  }

  map(depth) {
    const names = ['s1', 'n1', 'ss', 'a-b', ...(depth < 3 ? ['l1', 'm1'] : [])];
    return Object.fromEntries(
      this.random.some(names, 1, 6).map((name) => [name, name === 'a-b' ? this.scalar() : this.of(name, depth)]),
    );
  }

  /** Everything of an item but its keys. */
  attributes() {
    const random = this.random;
    const item = {};
    for (const name of random.some(Object.values(ATTRIBUTES).flat(), 3, 13)) item[name] = this.of(name);
    if (random.chance(0.2)) item.u1 = {S: random.oneOf(UNICODE)};
    if (random.chance(0.2)) item.nx = {N: random.oneOf(EXTREME_NUMBERS)};
    if (random.chance(0.1)) item['c.d'] = this.scalar();
    if (random.chance(0.1)) item.empty = random.oneOf([{S: ''}, {B: ''}, {L: []}, {M: {}}]);
    if (random.chance(0.04)) item.big = {S: 'x'.repeat(900 + random.below(8000))};
    return item;
  }
}

module.exports = {Values, KEYS, ATTRIBUTES, ODD_NAMES, typeOf};
