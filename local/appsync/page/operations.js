// Operations of a GraphQL schema, as introspection describes it: which there are, and how one of them is written.

const ROOTS = [['query', 'queryType'], ['mutation', 'mutationType'], ['subscription', 'subscriptionType']];
const LEAVES = new Set(['SCALAR', 'ENUM']);
// Objects within objects, as deep as an example goes.
const DEPTH = 3;

/** `[String!]!` of a type. */
export function typeText(type) {
  if (type.kind === 'NON_NULL') return `${typeText(type.ofType)}!`;
  if (type.kind === 'LIST') return `[${typeText(type.ofType)}]`;
  return type.name;
}

function named(type) {
  return type.ofType ? named(type.ofType) : type;
}

/** The fields of the root types: { operation, field }, in the schema's order. */
export function listOperations({ __schema: schema }) {
  return ROOTS.flatMap(([operation, root]) => {
    const type = schema.types.find(({ name }) => name === schema[root]?.name);
    return (type?.fields ?? []).map((field) => ({ operation, field }));
  });
}

function selection(schema, type, depth, indent) {
  const { name, kind } = named(type);
  if (LEAVES.has(kind)) return '';
  const fields = schema.types.find((one) => one.name === name)?.fields ?? [];
  const lines = fields.flatMap((field) => {
    if (field.args.some(({ type: { kind: argument } }) => argument === 'NON_NULL')) return [];
    if (LEAVES.has(named(field.type).kind)) return [`${indent}  ${field.name}`];
    if (depth === 0) return [];
    return [`${indent}  ${field.name}${selection(schema, field.type, depth - 1, `${indent}  `)}`];
  });
  return ` {\n${(lines.length > 0 ? lines : [`${indent}  __typename`]).join('\n')}\n${indent}}`;
}

/** An operation that asks for everything of a field, and variables to fill in. */
export function example({ __schema: schema }, { operation, field }) {
  const declared = field.args.map(({ name, type }) => `$${name}: ${typeText(type)}`).join(', ');
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const head = `${operation} ${field.name[0].toUpperCase()}${field.name.slice(1)}${declared ? `(${declared})` : ''}`;
  const body = `  ${field.name}${passed ? `(${passed})` : ''}${selection(schema, field.type, DEPTH, '  ')}`;
  const variables = Object.fromEntries(field.args.map(({ name, type }) => [name, blank(type)]));
  return { query: `${head} {\n${body}\n}`, variables: JSON.stringify(variables, null, 2) };
}

function blank(type) {
  if (type.kind === 'NON_NULL') return blank(type.ofType);
  if (type.kind === 'LIST') return [];
  return { Int: 0, Float: 0, AWSTimestamp: 0, Boolean: false, String: '', ID: '' }[type.name] ?? (type.kind === 'INPUT_OBJECT' ? {} : null);
}

/** 'query', 'mutation' or 'subscription' of a document, as far as a glance tells. */
export function kindOf(query) {
  const code = query.replace(/#[^\n]*/g, '').trimStart();
  return /^(mutation|subscription)\b/.exec(code)?.[1] ?? 'query';
}
