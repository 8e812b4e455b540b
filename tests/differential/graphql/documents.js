// Random schemas, documents and values for them.
//
//   const maker = new DocumentMaker(new Random(7));
//   maker.sdl; maker.document(); maker.root();
'use strict';

const SCALARS = ['ID', 'Int', 'Float', 'String', 'Boolean'];
const NAMES = ['a', 'b', 'c', 'd'];
const ROOTS = {query: 'Query', mutation: 'Mutation', subscription: 'Subscription'};
// What belongs into a schema.
const DEFINITIONS = ['type Extra { a: Int }', 'extend type A { z: Int }', 'directive @x on FIELD', 'schema { query: Query }',
  'enum Extra { X }', 'input Extra { a: Int }', 'interface Extra { a: Int }', 'union Extra = A', 'extend schema @x'];

class DocumentMaker {
  constructor(random) {
    this.random = random;
    this.types = {};
    this.shared = '';
    this.makeTypes();
    this.sdl = this.printTypes();
  }

  wrap(name, mayBeNull = true) {
    const {random} = this;
    const inner = random.chance(0.25) ? `${name}!` : name;
    const list = random.chance(0.25) ? `[${inner}]` : inner;
    return list.endsWith('!') || !mayBeNull || !random.chance(0.15) ? list : `${list}!`;
  }

  argument() {
    const {random} = this;
    const type = this.wrap(random.oneOf([...SCALARS, 'E', 'In', 'Other']));
    const value = random.chance(0.3) ? this.literal(type) : undefined;
    return {type, value};
  }

  field() {
    const {random} = this;
    const type = this.wrap(random.oneOf([...SCALARS, 'E', 'A', 'B', 'A', 'B', 'I', 'U']));
    const args = random.chance(0.3) ? {x: this.argument(), ...(random.chance(0.5) ? {y: this.argument()} : {})} : {};
    return {type, args};
  }

  makeInputs() {
    const {random} = this;
    this.inputs = {
      In: {p: {type: this.wrap('Int')}, q: {type: this.wrap('String')}, r: {type: 'In'}, s: {type: '[In!]'}, t: {type: this.wrap('Other')}},
      Other: {m: {type: this.wrap('Int')}, n: {type: this.wrap('E')}, o: {type: '[Other!]'}},
    };
    // One after another: a default value may leave out what has one already.
    for (const field of random.shuffled(Object.values(this.inputs).flatMap((fields) => Object.values(fields)))) {
      if (!random.chance(0.4)) continue;
      const recursive = ['In', '[In!]', '[Other!]'].includes(field.type);
      field.value = recursive ? random.oneOf(['null', field.type.startsWith('[') ? '[]' : 'null']) : this.literal(field.type);
    }
  }

  isRequired({type, value}) {
    return type.endsWith('!') && value === undefined;
  }

  makeTypes() {
    const {random} = this;
    this.makeInputs();
    const shared = {id: {type: this.wrap('String'), args: {}}, link: {type: random.oneOf(['I', 'A']), args: {}}};
    const fields = () => Object.fromEntries(random.some(NAMES, 2, 4).map((name) => [name, this.field()]));
    this.types = {
      Query: {...fields(), i: {type: 'I', args: {}}, u: {type: '[U]', args: {}}},
      Mutation: fields(),
      Subscription: fields(),
      I: shared,
      A: {...fields(), ...shared},
      B: {...fields(), ...shared},
    };
  }

  printInput([name, {type, value}]) {
    return `${name}: ${type}${value === undefined ? '' : ` = ${value}`}`;
  }

  printField([name, {type, args}]) {
    const list = Object.entries(args).map((argument) => this.printInput(argument));
    return `  ${name}${list.length ? `(${list.join(', ')})` : ''}: ${type}`;
  }

  printTypes() {
    const {random} = this;
    const texts = Object.entries(this.types).map(([name, fields]) => {
      const keyword = name === 'I' ? 'interface' : 'type';
      const suffix = name === 'A' || name === 'B' ? ' implements I' : '';
      return `${keyword} ${name}${suffix} {\n${Object.entries(fields).map((f) => this.printField(f)).join('\n')}\n}`;
    });
    texts.push(`union U = A | B`, `enum E { X Y @deprecated(reason: "old") Z }`);
    for (const [name, fields] of Object.entries(this.inputs)) {
      texts.push(`input ${name} {\n${Object.entries(fields).map((field) => `  ${this.printInput(field)}`).join('\n')}\n}`);
    }
    texts.push(`extend type Query { extra: Int @deprecated }`);
    texts.push(`"""\nA directive\n"""\ndirective @d(n: Int = 1) repeatable on FIELD | QUERY`);
    return random.shuffled(texts).join('\n\n');
  }

  literal(type, depth = 0) {
    const {random} = this;
    if (type.endsWith('!')) return this.literal(type.slice(0, -1), depth + 100);
    if (depth < 100 && random.chance(0.1)) return 'null';
    const level = depth % 100;
    if (type.startsWith('[')) {
      if (level > 2) return '[]';
      return random.chance(0.2) ? this.literal(`${type.slice(1, -1).replace(/!$/, '')}!`, level + 1)
        : `[${Array.from({length: random.below(3)}, () => this.literal(type.slice(1, -1), level + 1)).join(', ')}]`;
    }
    switch (type) {
      case 'Int': return String(random.below(100) - 50);
      case 'Float': return random.oneOf(['1', '2.5', '-1e3']);
      case 'String': return random.oneOf(['"s"', '"é \\u00e9 \\n"', '"""block"""']);
      case 'ID': return random.oneOf(['"id"', '7']);
      case 'Boolean': return random.oneOf(['true', 'false']);
      case 'E': return random.oneOf(['X', 'Y']);
      default: {
        const members = Object.entries(this.inputs[type])
          .filter(([, input]) => this.isRequired(input) || (level < 2 && random.chance(0.4)))
          .map(([name, input]) => `${name}: ${this.literal(input.type, level + 1)}`);
        return `{${members.join(', ')}}`;
      }
    }
  }

  named(type) {
    return type.replace(/[[\]!]/g, '');
  }

  /** An operation, whose fragments are added to those of the document. */
  operation(name) {
    const {random} = this;
    this.variables = {};
    const kind = random.weighted([[8, 'query'], [2, 'mutation'], [0.7, 'subscription']]);
    const root = ROOTS[kind];
    this.rootType = root;
    const one = kind === 'subscription' && random.chance(0.6);
    const body = one ? `{ ${this.fieldText(root, 0)} }` : this.selections(root, 0);
    const variables = Object.entries(this.variables).map(([variable, type]) => `$${variable}: ${type}`);
    if (kind === 'query' && !variables.length && random.chance(0.1)) return body;
    return `${kind}${random.chance(0.1) ? '' : ` ${name}`}${variables.length ? `(${variables.join(', ')})` : ''} ${body}`;
  }

  /** A document, mostly valid, whose first operation is meant. */
  document() {
    const {random} = this;
    this.fragments = [];
    const others = Array.from({length: random.weighted([[9, 0], [1, 1], [0.3, 2]])}, (_, i) => this.operation(random.chance(0.05) ? 'Q' : `R${i}`));
    // A fragment may be of several operations.
    this.shared = this.fragments.length && random.chance(0.5) ? `F${random.below(this.fragments.length)}` : '';
    const first = this.operation('Q');
    const definitions = random.chance(0.02) ? [random.oneOf(DEFINITIONS)] : [];
    return [first, ...random.shuffled([...others, ...this.fragments, ...definitions])].join('\n');
  }

  variable(type) {
    const {random} = this;
    const same = Object.keys(this.variables).find((name) => this.variables[name] === type);
    if (same && random.chance(0.5)) return `$${same}`;
    const name = `v${Object.keys(this.variables).length}`;
    this.variables[name] = random.chance(0.2) ? `${type.replace(/!$/, '')}!` : type;
    if (random.chance(0.15) && !type.endsWith('!')) this.variables[name] += ` = ${this.literal(type)}`;
    return `$${name}`;
  }

  argumentsText(args) {
    const {random} = this;
    const given = Object.entries(args)
      .filter(([, argument]) => this.isRequired(argument) || random.chance(0.6))
      .map(([name, {type}]) => `${name}: ${random.chance(0.3) ? this.variable(type) : this.literal(type)}`);
    return given.length ? `(${given.join(', ')})` : '';
  }

  conditionText() {
    const {random} = this;
    // graphql throws while it validates a subscription whose root field has a variable condition.
    if (this.rootType === 'Subscription') return '';
    if (!random.chance(0.1)) return random.chance(0.05) ? ' @d @d(n: 2)' : '';
    const value = random.chance(0.4) ? this.variable('Boolean!') : random.oneOf(['true', 'false']);
    const condition = ` @${random.oneOf(['include', 'skip'])}(if: ${value})`;
    return random.chance(0.05) ? condition + condition : condition;
  }

  fieldText(parent, depth) {
    const {random} = this;
    if (random.chance(parent === 'Subscription' ? 0.02 : 0.1)) return `${random.chance(0.3) ? 't: ' : ''}__typename`;
    if (parent === 'U') return '__typename';
    const entries = Object.entries(this.types[parent]);
    const [name, {type, args}] = random.oneOf(entries);
    const composite = this.types[this.named(type)] || this.named(type) === 'U';
    const alias = random.chance(0.5) ? `${random.oneOf([...NAMES, 'k1', 'k2', 'k3', 'k4', 'k5'])}: ` : '';
    const body = composite ? ` ${this.selections(this.named(type), depth + 1)}` : '';
    return `${alias}${name}${this.argumentsText(args)}${this.conditionText()}${body}`;
  }

  selections(parent, depth) {
    const {random} = this;
    if (depth > 4) return '{ __typename }';
    const count = 1 + random.below(depth === 0 ? 4 : 3);
    const parts = Array.from({length: count}, () => {
      if (this.shared && this.rootType !== 'Subscription' && random.chance(0.1)) return `...${this.shared}`;
      if (!random.chance(0.2)) return this.fieldText(parent, depth);
      const types = this.types[parent] && !['I', 'A', 'B'].includes(parent) ? [parent] : ['A', 'B', 'I', parent];
      const type = random.oneOf(types);
      const possible = (t) => (t === 'I' || t === 'U' ? ['A', 'B'] : [t]);
      const fits = possible(type).some((t) => possible(parent).includes(t));
      const target = fits ? type : parent;
      const body = this.selections(target, depth + 1);
      if (random.chance(0.5)) return `...${random.chance(0.2) && target === parent ? '' : ` on ${target}`}${this.conditionText()} ${body}`;
      const name = `F${this.fragments.length}`;
      this.fragments.push(`fragment ${name} on ${target} ${body}`);
      return `...${name}`;
    });
    return `{ ${parts.join(' ')} }`;
  }

  /** A change that likely makes `text` wrong. */
  spoiled(text) {
    const {random} = this;
    const at = random.below(text.length);
    const end = at + 1 + random.below(3);
    const tokens = text.split(/\b/);
    return random.oneOf([
      () => text.slice(0, at) + text.slice(end),
      () => text.slice(0, at) + random.oneOf(['{', '}', '(', '"', '"""', '$', '!', '...', '@x', '#', '\\u00', '\n', 'é', '1.', '01', '-', '&', ':', 'on ', 'null ']) + text.slice(at),
      () => text.slice(0, at),
      () => { tokens[random.below(tokens.length)] = random.oneOf(['a', 'A', 'In', 'x', 'zz', 'F0', 'v0', 'Int', '1', 'true', 'skip', 'on']); return tokens.join(''); },
      () => { tokens[random.below(tokens.length)] = random.oneOf(tokens); return tokens.join(''); },
    ])();
  }

  /** A value that resolvers give for a type. */
  value(type, depth, wrong) {
    const {random} = this;
    if (random.chance(wrong / 2)) return {__error: 'failed'};
    const nullable = !type.endsWith('!');
    const inner = nullable ? type : type.slice(0, -1);
    if (random.chance(nullable ? 0.1 : wrong / 2)) return null;
    if (inner.startsWith('[')) {
      if (random.chance(wrong)) return 'text';
      return Array.from({length: random.below(4)}, () => {
        const element = this.value(inner.slice(1, -1), depth + 1, wrong);
        return element && element.__error ? null : element;
      });
    }
    switch (inner) {
      case 'Int': return random.chance(wrong) ? 'text' : random.below(1000);
      case 'Float': return random.chance(wrong) ? 'text' : random.below(100) / 4;
      case 'Boolean': return random.chance(0.5);
      case 'String': case 'ID': return random.oneOf(['t', 'u', '']);
      case 'E': return random.chance(wrong) ? 'W' : random.oneOf(['X', 'Y', 'Z']);
      default: {
        if (depth > 5) return null;
        const name = this.types[inner] && inner !== 'I' ? inner : random.oneOf(['A', 'B']);
        const members = Object.entries(this.types[name]).map(([field, {type: t}]) => [field, this.value(t, depth + 1, wrong)]);
        const shown = random.chance(wrong) ? 'Query' : name;
        return Object.fromEntries([['__typename', shown], ...members]);
      }
    }
  }

  /** What the resolvers of the last document's operation give; `wrong` is the probability of mistakes. */
  root(wrong) {
    const fields = this.rootType === 'Query' ? {...this.types.Query, extra: {type: 'Int'}} : this.types[this.rootType];
    return Object.fromEntries(Object.entries(fields).map(([name, {type}]) => [name, this.value(type, 0, wrong)]));
  }

  /** Values of the variables that the last document declares. */
  variableValues() {
    const plain = (type) => {
      if (type.endsWith('!')) return plain(type.slice(0, -1));
      if (type.startsWith('[')) return [plain(type.slice(1, -1))];
      if (!this.inputs[type]) return {Int: 5, Float: 1.5, String: 's', ID: 'i', Boolean: this.random.chance(0.5), E: 'X'}[type];
      const required = Object.entries(this.inputs[type]).filter(([, input]) => this.isRequired(input));
      return Object.fromEntries(required.map(([name, input]) => [name, plain(input.type)]));
    };
    const given = Object.entries(this.variables)
      .filter(([, type]) => type.split(' ')[0].endsWith('!') || this.random.chance(0.7))
      .map(([name, type]) => [name, plain(type.split(' = ')[0])]);
    return Object.fromEntries(given);
  }
}

module.exports = {DocumentMaker};
