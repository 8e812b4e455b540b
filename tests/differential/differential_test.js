// Long random sequences of operations on the local cloud and on dynalite, an independent DynamoDB, side by side: the
// answers must be the same.
//
//   node differential_test.js SERVE [--seed=N] [--sequences=N] [--operations=N] [--differences=N]
//
// A difference is printed with the shortest sequence that still shows it, and with the seed that leads to it. It ends
// after --differences different ones. BYOSHIN_DIFFERENTIAL, in the environment, has flags for long runs of the test:
//
//   ./bazelw test //tests/differential:differential_test --test_env=BYOSHIN_DIFFERENTIAL="--seed=1000 --sequences=5000"
'use strict';

const {parseArgs} = require('node:util');
const dynalite = require('dynalite');
const {startServe} = require('../conformance/serve');
const {Client, DirectClient} = require('./client');
const {Random} = require('./random');
const {makeSchema, createTable, OperationMaker} = require('./operations');
const {perform, performOnDynalite} = require('./perform');
const {difference} = require('./compare');

const MAX_SHRINKING_RUNS = 80;

const READS = ['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems', 'DescribeTable'];

const {values: flags, positionals} = parseArgs({
  args: [...process.argv.slice(2), ...(process.env.BYOSHIN_DIFFERENTIAL ?? '').split(' ').filter(Boolean)],
  allowPositionals: true,
  options: {
    seed: {type: 'string', default: '1'},
    sequences: {type: 'string', default: '12'},
    operations: {type: 'string', default: '150'},
    differences: {type: 'string', default: '3'},
  },
});

let tables = 0;

/** Both sides, with a set of new tables. Each sequence, and each try to shorten one, has tables of its own. */
class Sides {
  constructor(ours, theirs) {
    this.ours = ours;
    this.theirs = theirs;
  }

  /** Puts this run's table names into a sequence written for any. */
  rename(json) {
    return JSON.parse(JSON.stringify(json).replaceAll('"Table-', `"Table-${this.run}-`));
  }

  async begin(setup, schemas) {
    this.run = ++tables;
    this.schemas = this.rename(schemas);
    for (const made of setup) {
      const found = await this.step(made, true);
      if (found) return found;
    }
    for (const {TableName} of this.schemas) {
      for (const client of [this.ours, this.theirs]) await untilActive(client, TableName);
    }
    return null;
  }

  /**
   * How the answers differ: null if they don't, or if they are known to and both sides still hold the same items.
   */
  async step(made, onlyStatus = false) {
    const operation = this.rename(made);
    const [ours, theirs] = await Promise.all([
      perform(this.ours, operation),
      performOnDynalite(this.theirs, operation),
    ]);
    if (onlyStatus) return ours.status === theirs.status ? null : {text: JSON.stringify([ours, theirs])};
    const found = difference(operation, this.schemas, ours, theirs);
    if (!found?.known) return found;
    return ours.status === theirs.status || READS.includes(made.operation) ? null : found;
  }

  async end() {
    for (const {TableName} of this.schemas) {
      for (const client of [this.ours, this.theirs]) await client.call('DeleteTable', {TableName});
    }
  }
}

async function untilActive(client, TableName) {
  for (;;) {
    const {body} = await client.call('DescribeTable', {TableName});
    if (body.Table?.TableStatus === 'ACTIVE') return;
    if (!body.Table) throw new Error(`DescribeTable: ${JSON.stringify(body)}`);
  }
}

/**
 * {compared, found}: how many operations were compared, and the first difference as {at, text}, with the index of its
 * operation; null if there is none.
 */
async function play(sides, {setup, schemas, operations}) {
  const refused = await sides.begin(setup, schemas);
  if (refused) return {compared: 0, found: {at: -1, ...refused}};
  try {
    for (let at = 0; at < operations.length; ++at) {
      const found = await sides.step(operations[at]);
      // From here on they may differ, and nobody could say why.
      if (found?.known) return {compared: at + 1, found: null};
      if (found) return {compared: at + 1, found: {at, ...found}};
    }
    return {compared: operations.length, found: null};
  } finally {
    await sides.end();
  }
}

function makeSequence(seed) {
  const random = new Random(seed);
  const schemas = ['Table-A', 'Table-B'].map((name) => makeSchema(random, name));
  const setup = schemas.map((schema) => createTable(schema, random));
  const maker = new OperationMaker(random, schemas);
  const operations = Array.from({length: Number(flags.operations)}, () => maker.make());
  // However it got there, both hold the same in the end.
  for (const {TableName} of schemas) operations.push({operation: 'Scan', input: {TableName}, drain: true});
  return {setup, schemas, operations};
}

/** The sequence with as many operations left out as can be, while some operation still differs. */
async function shrink(sides, sequence, at) {
  let {operations} = sequence;
  operations = operations.slice(0, at + 1);
  let runs = 0;
  let chunk = Math.ceil(operations.length / 2);
  while (chunk >= 1) {
    let removed = false;
    for (let start = 0; start < operations.length - 1 && runs < MAX_SHRINKING_RUNS; start += chunk) {
      const shorter = operations.filter((_, i) => i < start || i >= Math.min(start + chunk, operations.length - 1));
      ++runs;
      const {found} = await play(sides, {...sequence, operations: shorter});
      if (!found) continue;
      operations = shorter.slice(0, found.at + 1);
      removed = true;
      break;
    }
    if (runs >= MAX_SHRINKING_RUNS) break;
    if (!removed) chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2);
  }
  return {...sequence, operations};
}

/** What is left of a difference without the values that made it: the same text, the same difference. */
function signature(operation, text) {
  return operation + text.replace(/"(S|N|B|\w\d|Table-[^"]*)":?("[^"]*")?/g, '').replace(/\d+/g, '');
}

function report(seed, sequence, found) {
  console.log(`\nDIFFERENCE (--seed=${seed} --sequences=1 --operations=${flags.operations})`);
  for (const {input} of sequence.setup) console.log(`  CreateTable ${JSON.stringify(input)}`);
  for (const {operation, input, mistake} of sequence.operations) {
    console.log(`  ${operation} ${JSON.stringify(input)}${mistake ? `   (${mistake})` : ''}`);
  }
  console.log(found.text);
}

async function main() {
  const theirServer = dynalite({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0});
  const serve = await startServe(positionals[0]);
  const sides = new Sides(new Client(serve.url), new DirectClient(theirServer));

  const seen = new Set();
  let operations = 0;
  const first = Number(flags.seed);
  for (let seed = first; seed < first + Number(flags.sequences); ++seed) {
    const sequence = makeSequence(seed);
    const {compared, found} = await play(sides, sequence);
    operations += compared;
    if (!found) continue;
    const kind = signature(sequence.operations[found.at]?.operation, found.text);
    if (seen.has(kind)) continue;
    seen.add(kind);
    const shortest = await shrink(sides, sequence, found.at);
    report(seed, shortest, (await play(sides, shortest)).found ?? found);
    if (seen.size >= Number(flags.differences)) break;
  }

  sides.ours.close();
  sides.theirs.close();
  await serve.stop();
  console.log(`${operations} operations compared, ${seen.size} kinds of difference`);
  // Databases of dynalite may still have work to do, which nobody waits for.
  process.exit(seen.size === 0 ? 0 : 1);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
