// The legacy parameters from before expressions, at random. What dynalite gets wrong is left out: see
// known_differences.md.
'use strict';

const {ATTRIBUTES, typeOf} = require('./values');

// As both sides keep them: dynalite compares the digits of those in a list of values.
const PLAIN = {N: ['0', '1', '-1', '2', '3', '10', '0.5', '-0.5'], NS: ['0', '1', '-1', '2.5', '100', '7']};

const SCALARS = ['S', 'N', 'B'];
// What an operator takes: types, and the number of values.
const OPERATORS = {
  EQ: [[...SCALARS, 'SS', 'NS', 'BS'], 1],
  NE: [[...SCALARS, 'SS', 'NS', 'BS'], 1],
  LE: [SCALARS, 1],
  LT: [SCALARS, 1],
  GE: [SCALARS, 1],
  GT: [SCALARS, 1],
  CONTAINS: [SCALARS, 1],
  BEGINS_WITH: [['S', 'B'], 1],
  IN: [SCALARS, 3],
  BETWEEN: [SCALARS, 2],
  NULL: [SCALARS, 0],
  NOT_NULL: [SCALARS, 0],
};
const KEY_OPERATORS = ['EQ', 'LE', 'LT', 'GE', 'GT', 'BETWEEN', 'BEGINS_WITH'];

class LegacyWriter {
  constructor(random, values) {
    this.random = random;
    this.values = values;
  }

  value(type) {
    if (type === 'N') return {N: this.random.oneOf(PLAIN.N)};
    if (type === 'NS') return {NS: this.random.some(PLAIN.NS, 1, 3)};
    return this.values.ofType(type);
  }

  /** Mostly of the attribute's type. */
  condition(attribute) {
    const {random} = this;
    const ComparisonOperator = random.oneOf(Object.keys(OPERATORS));
    const [types, most] = OPERATORS[ComparisonOperator];
    const own = typeOf(attribute);
    const type = types.includes(own) && random.chance(0.9) ? own : random.oneOf(types);
    const count = ComparisonOperator === 'IN' ? 1 + random.below(most) : most;
    // Now and then, one value too many.
    const length = count + (random.chance(0.02) ? 1 : 0);
    const AttributeValueList = Array.from({length}, () => this.value(type));
    return length || random.chance(0.5) ? {ComparisonOperator, AttributeValueList} : {ComparisonOperator};
  }

  names(least, most) {
    const names = Object.values(ATTRIBUTES).flat().filter((name) => !['L', 'M', 'BOOL', 'NULL'].includes(typeOf(name)));
    return this.random.some(names, least, most);
  }

  /** QueryFilter or ScanFilter. */
  filter() {
    return Object.fromEntries(this.names(1, 2).map((name) => [name, this.condition(name)]));
  }

  expected() {
    const {random} = this;
    return Object.fromEntries(
      this.names(1, 2).map((name) => [
        name,
        random.weighted([
          [4, () => this.condition(name)],
          [2, () => ({Exists: false})],
          [2, () => ({Value: this.value(typeOf(name))})],
          [0.2, () => ({Exists: true})],
          [0.2, () => ({Exists: false, Value: {S: 'a'}})],
          [0.1, () => ({ComparisonOperator: 'EQ', Value: {S: 'a'}, AttributeValueList: [{S: 'a'}]})],
          [0.1, () => ({ComparisonOperator: 'EQ'})],
        ])(),
      ]),
    );
  }

  /** With ConditionalOperator, where it may be. */
  joined(name, conditions) {
    const several = Object.keys(conditions).length > 1;
    return {[name]: conditions, ...(several && this.random.chance(0.2) ? {ConditionalOperator: 'AND'} : {})};
  }

  updates() {
    const {random} = this;
    const names = random.some(Object.values(ATTRIBUTES).flat(), 1, 4);
    const updates = Object.fromEntries(names.map((name) => [name, this.update(name)]));
    // dynalite would make an item from deletions alone.
    if (Object.values(updates).every(({Action}) => Action === 'DELETE')) updates.made = {Value: {S: 'by update'}};
    return updates;
  }

  update(name) {
    const {random} = this;
    const type = typeOf(name);
    const value = () => (['N', 'NS'].includes(type) ? this.value(type) : this.values.ofType(type));
    const isSet = ['SS', 'NS', 'BS'].includes(type);
    return random.weighted([
      [4, () => ({Action: 'PUT', Value: this.values.of(name)})],
      [1, () => ({Value: this.values.of(name)})],
      [1.5, () => ({Action: 'DELETE'})],
      [isSet || type === 'N' || type === 'L' ? 3 : 0.2, () => ({Action: 'ADD', Value: value()})],
      [isSet ? 2 : 0.1, () => ({Action: 'DELETE', Value: value()})],
      [0.1, () => ({Action: 'ADD'})],
    ])();
  }

  /** `range` is undefined or [name, type], as `hash`. */
  keyConditions([hash, hashType], range) {
    const {random} = this;
    const conditions = {[hash]: {ComparisonOperator: 'EQ', AttributeValueList: [this.values.key(hashType)]}};
    if (!range || random.chance(0.35)) return conditions;
    const [name, type] = range;
    const ComparisonOperator = random.oneOf(KEY_OPERATORS.filter((op) => type !== 'N' || op !== 'BEGINS_WITH'));
    const length = ComparisonOperator === 'BETWEEN' ? 2 : 1;
    conditions[name] = {ComparisonOperator, AttributeValueList: Array.from({length}, () => this.values.key(type))};
    if (random.chance(0.02)) conditions[name].ComparisonOperator = 'NE';
    return conditions;
  }

  attributesToGet() {
    const names = this.random.some([...Object.values(ATTRIBUTES).flat(), 'h', 'c.d', 'none'], 1, 5);
    return this.random.chance(0.03) ? [...names, names[0]] : names;
  }
}

module.exports = {LegacyWriter};
