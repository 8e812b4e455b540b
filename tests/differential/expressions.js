// Expressions at random, with the placeholders they need.
//
//   const writer = new ExpressionWriter(random, values);
//   const condition = writer.condition();
//   const input = {ConditionExpression: condition, ...writer.placeholders(condition)};
'use strict';

const {ATTRIBUTES, ODD_NAMES, typeOf} = require('./values');

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='];
const TYPES = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M'];

/** As DynamoDB sorts the few values that are made here. */
const order = ({S, N, B}) => (N === undefined ? S ?? Buffer.from(B, 'base64').toString('latin1') : Number(N));

/** Whether an UpdateExpression makes no item that is not there: see known_differences.md. */
const onlyTakesAway = (update) => !/\b(SET|ADD)\b/i.test(update);

class ExpressionWriter {
  constructor(random, values) {
    this.random = random;
    this.values = values;
    this.names = {};
    this.operands = {};
  }

  /** The members of a request that `expressions`, written by this, need. Seldom one too many. */
  placeholders(...expressions) {
    const used = new Set(expressions.filter(Boolean).flatMap((text) => text.match(/[#:]\w+/g) ?? []));
    const needed = (all) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name) || this.random.chance(0.002)));
    const members = {ExpressionAttributeNames: needed(this.names), ExpressionAttributeValues: needed(this.operands)};
    for (const name of Object.keys(members)) {
      if (!Object.keys(members[name]).length) delete members[name];
    }
    return members;
  }

  name(attribute) {
    if (!ODD_NAMES[attribute] && this.random.chance(0.8)) return attribute;
    const placeholder = '#' + attribute.replace(/[^a-z0-9]/gi, '_');
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value) {
    const placeholder = `:v${Object.keys(this.operands).length}`;
    this.operands[placeholder] = value;
    return placeholder;
  }

  /** A document path and the type that is likely there: {text, type, head}. */
  path(types = TYPES) {
    const nested = this.random.chance(0.3);
    if (nested) {
      const candidates = this.nestedPaths().filter(({type}) => types.includes(type));
      if (candidates.length) return this.random.oneOf(candidates).make();
    }
    const attribute = this.random.oneOf(types.flatMap((type) => ATTRIBUTES[type]));
    return {text: this.name(attribute), type: typeOf(attribute), head: attribute};
  }

  nestedPaths() {
    const path = (type, head, write) => ({type, make: () => ({text: write(), type, head})});
    const inner = ['s1', 'n1', 'ss', 'l1', 'm1'];
    return [
      ...inner.map((name) => path(typeOf(name), 'm1', () => `${this.name('m1')}.${this.name(name)}`)),
      ...inner.map((name) => path(typeOf(name), 'm1', () => `m1.m1.${this.name(name)}`)),
      path('S', 'm1', () => `m1.${this.name('a-b')}`),
      ...['S', 'N'].map((type) => path(type, 'l1', () => `${this.name('l1')}[${this.random.below(4)}]`)),
      path('S', 'l1', () => `l1[${this.random.below(3)}].s1`),
      path('N', 'm1', () => `m1.l1[${this.random.below(3)}]`),
    ];
  }

  condition(depth = 0) {
    const random = this.random;
    if (depth < 3 && random.chance(0.35)) {
      const left = this.condition(depth + 1);
      // dynalite does not understand NOT NOT.
      const bare = random.chance(0.5) && !left.startsWith('NOT');
      if (random.chance(0.25)) return bare ? `NOT ${left}` : `NOT (${left})`;
      const joined = `${left} ${random.oneOf(['AND', 'OR', 'and', 'Or'])} ${this.condition(depth + 1)}`;
      return random.chance(0.5) ? `(${joined})` : joined;
    }
    return random.weighted([
      [6, () => this.comparison()],
      [2, () => this.between()],
      [2, () => this.inList()],
      [6, () => this.functionCall()],
    ])();
  }

  comparison() {
    const random = this.random;
    const comparator = random.oneOf(COMPARATORS);
    if (random.chance(0.15)) {
      // u1 has characters of every size.
      const text = random.chance(0.15) ? 'u1' : this.path(['SS', 'NS', 'BS', 'S', 'B', 'L', 'M']).text;
      return `size(${text}) ${comparator} ${this.value({N: String(random.below(5))})}`;
    }
    const {text, type} = this.path(['S', 'N', 'B', 'S', 'N', 'BOOL', 'NULL', 'SS', 'NS', 'BS']);
    if (random.chance(0.15) && ['S', 'N', 'B'].includes(type)) {
      // dynalite takes two attributes that are not there for equal.
      const other = this.path([type]);
      return `(attribute_exists(${text}) AND ${text} ${comparator} ${other.text})`;
    }
    const value = random.chance(0.9) ? this.values.ofType(type) : this.values.scalar();
    const operand = this.value(value);
    // Other types have no order, which dynalite does not mind.
    const ordered = ['S', 'N', 'B'].includes(Object.keys(value)[0]);
    const used = ordered ? comparator : random.oneOf(['=', '<>']);
    return random.chance(0.85) ? `${text} ${used} ${operand}` : `${operand} ${used} ${text}`;
  }

  between() {
    const type = this.random.oneOf(['S', 'N', 'B']);
    const {text} = this.path([type]);
    let bounds = [this.values.ofType(type), this.values.ofType(this.random.chance(0.95) ? type : 'N')];
    // The wrong way round is an error: seldom.
    if (this.random.chance(0.9)) bounds = bounds.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    const [low, high] = bounds.map((bound) => this.value(bound));
    return `${text} ${this.random.oneOf(['BETWEEN', 'between'])} ${low} AND ${high}`;
  }

  inList() {
    const type = this.random.oneOf(['S', 'N', 'B', 'SS']);
    const {text} = this.path([type]);
    const operands = Array.from({length: 1 + this.random.below(4)}, () => this.value(this.values.ofType(type)));
    return `${text} IN (${operands.join(', ')})`;
  }

  functionCall() {
    const random = this.random;
    return random.weighted([
      [4, () => `${random.oneOf(['attribute_exists', 'attribute_not_exists'])}(${this.path().text})`],
      [2, () => {
        const type = this.value({S: random.chance(0.95) ? random.oneOf(TYPES) : 'X'});
        // dynalite does not see the type of a false.
        return `attribute_type(${this.path(TYPES.filter((type) => type !== 'BOOL')).text}, ${type})`;
      }],
      [3, () => {
        const type = random.oneOf(['S', 'B']);
        return `begins_with(${this.path([type]).text}, ${this.value(this.values.ofType(type))})`;
      }],
      [4, () => {
        const [paths, type] = random.oneOf([
          [['S', 'SS', 'L'], 'S'],
          [['NS', 'L'], 'N'],
          [['B', 'BS', 'L'], 'B'],
        ]);
        return `contains(${this.path(paths).text}, ${this.value(this.values.ofType(type))})`;
      }],
    ])();
  }

  projection() {
    const heads = new Set();
    const texts = [];
    for (let i = 1 + this.random.below(4); i > 0; --i) {
      const {text, head} = this.path();
      // Two paths into the same attribute often overlap, which is an error of its own: seldom.
      if (heads.has(head) && this.random.chance(0.9)) continue;
      heads.add(head);
      texts.push(text);
    }
    return texts.join(', ');
  }

  /** `indexKeys` maps the attributes that indexes use to their types. */
  update(indexKeys) {
    const random = this.random;
    const sections = {SET: [], REMOVE: [], ADD: [], DELETE: []};
    const heads = new Set();
    for (let i = 1 + random.below(4); i > 0; --i) {
      const [section, head, clause, source] = this.updateClause(indexKeys);
      // What is copied and changed in one update is shared in dynalite, so that the copy changes too.
      if (source !== undefined && heads.has(source)) continue;
      if (source !== undefined) heads.add(source);
      // A second path into a list: dynalite counts from what the first has left of it.
      if (heads.has(head) && (['l1', 'm1'].includes(head) || random.chance(0.97))) continue;
      heads.add(head);
      sections[section].push(clause());
    }
    const words = random.shuffled(Object.keys(sections)).filter((word) => sections[word].length);
    return words
      .map((word) => `${random.chance(0.8) ? word : word.toLowerCase()} ${sections[word].join(', ')}`)
      .join(' ');
  }

  updateClause(indexKeys) {
    const random = this.random;
    const indexKey = random.oneOf([...Object.keys(indexKeys), '']);
    if (indexKey && random.chance(0.2)) {
      if (random.chance(0.3)) return ['REMOVE', indexKey, () => this.name(indexKey)];
      const value = random.chance(0.93) ? this.values.key(indexKeys[indexKey]) : this.values.scalar();
      return ['SET', indexKey, () => `${this.name(indexKey)} = ${this.value(value)}`];
    }
    return random.weighted([
      [5, () => this.setValue()],
      [3, () => this.setArithmetic()],
      [2, () => this.setList()],
      [3, () => this.remove()],
      [3, () => this.add()],
      [2, () => this.deleteFromSet()],
    ])();
  }

  setValue() {
    const random = this.random;
    const target = this.path();
    const value = this.value(this.values.ofType(target.type));
    const source = this.path(['S', 'N', 'B']);
    const [text, copied] = random.weighted([
      [6, () => [value]],
      [2, () => [`if_not_exists(${source.text}, ${value})`, source.head]],
      [2, () => [source.text, source.head]],
    ])();
    return ['SET', target.head, () => `${target.text} = ${text}`, copied];
  }

  setArithmetic() {
    const random = this.random;
    const target = this.path(['N']);
    const source = random.chance(0.6) ? target.text : this.path(['N']).text;
    const operand = this.value(random.chance(0.95) ? this.values.ofType('N') : this.values.scalar());
    const first = random.chance(0.5) ? `if_not_exists(${source}, ${this.value({N: '0'})})` : source;
    return ['SET', target.head, () => `${target.text} = ${first} ${random.oneOf(['+', '-'])} ${operand}`];
  }

  setList() {
    const random = this.random;
    const list = this.value({L: [this.values.scalar(), this.values.any(2)]});
    const first = random.chance(0.6) ? `if_not_exists(l1, ${this.value({L: []})})` : 'l1';
    const operands = random.chance(0.7) ? [first, list] : [list, first];
    return ['SET', 'l1', () => `l1 = list_append(${operands.join(', ')})`];
  }

  remove() {
    const target = this.path();
    return ['REMOVE', target.head, () => target.text];
  }

  add() {
    const target = this.path(['N', 'SS', 'NS', 'BS', 'N']);
    const value = this.value(
      this.random.chance(0.95) ? this.values.ofType(target.type) : this.values.ofType(this.random.oneOf(TYPES)),
    );
    return ['ADD', target.head, () => `${target.text} ${value}`];
  }

  deleteFromSet() {
    const target = this.path(['SS', 'NS', 'BS']);
    const value = this.value(
      this.random.chance(0.95) ? this.values.ofType(target.type) : this.values.ofType(this.random.oneOf(TYPES)),
    );
    return ['DELETE', target.head, () => `${target.text} ${value}`];
  }
}

module.exports = {ExpressionWriter, onlyTakesAway};
