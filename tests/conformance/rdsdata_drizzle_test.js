// drizzle-orm's driver for the Data API does its basics.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {drizzle} = require('drizzle-orm/aws-data-api/pg');
const {
  boolean, date, integer, jsonb, numeric, pgEnum, pgTable, serial, text, time, timestamp, uuid,
} = require('drizzle-orm/pg-core');
const {and, asc, count, eq, gt, inArray, sql, TransactionRollbackError} = require('drizzle-orm');
const {database, useDatabase} = require('./rdsdata_cloud');

const mood = pgEnum('mood', ['sad', 'ok', 'happy']);
const goals = pgTable('goals', {
  id: uuid('id').primaryKey().defaultRandom(),
  number: serial('number'),
  title: text('title').notNull(),
  done: boolean('done').notNull().default(false),
  points: integer('points'),
  price: numeric('price', {precision: 8, scale: 2}),
  details: jsonb('details'),
  tags: text('tags').array(),
  day: date('day'),
  clock: time('clock'),
  createdAt: timestamp('created_at').notNull().defaultNow(),
  updatedAt: timestamp('updated_at', {withTimezone: true}),
  exact: timestamp('exact', {mode: 'string', precision: 6}),
  mood: mood('mood'),
});
let db;

useDatabase(async () => {
  db = drizzle(database.client, database.target);
  await db.execute(sql`create type mood as enum ('sad', 'ok', 'happy')`);
  await db.execute(sql`create table goals (
    id uuid primary key default gen_random_uuid(), number serial, title text not null,
    done boolean not null default false, points integer, price numeric(8, 2), details jsonb, tags text[],
    day date, clock time, created_at timestamp not null default now(), updated_at timestamptz,
    exact timestamp(6), mood mood)`);
});

test('inserted values come back, with what the database adds', async () => {
  const [goal] = await db.insert(goals).values({title: 'Learn', points: 3}).returning();
  assert.match(goal.id, /^[0-9a-f-]{36}$/);
  assert.equal(typeof goal.number, 'number');
  assert.ok(goal.createdAt instanceof Date);
  assert.deepEqual({title: goal.title, points: goal.points, done: goal.done, details: goal.details},
    {title: 'Learn', points: 3, done: false, details: null});
});

test('every type of column keeps its value', async () => {
  const values = {
    id: '8476a536-e9f4-41e8-9739-2dfe598c3fcd',
    title: "it's :not $1 a parameter",
    price: '12.50',
    details: {list: [1, 'two', null], nested: {truth: true}},
    tags: ['a', 'b "c"'],
    day: '2024-02-29',
    clock: '23:59:01.5',
    createdAt: new Date('2024-02-29T12:34:56.789Z'),
    updatedAt: new Date('2024-02-29T12:34:56.000Z'),
    exact: '2024-02-29 12:34:56.123456',
  };
  await db.insert(goals).values(values);
  const [goal] = await db.select().from(goals).where(eq(goals.id, values.id));
  for (const [name, value] of Object.entries(values)) assert.deepEqual(goal[name], value, name);
});

test('rows are selected, updated and deleted', async () => {
  await db.insert(goals).values([1, 2, 3].map((points) => ({title: 'Counted', points, tags: [`t${points}`]})));
  const counted = eq(goals.title, 'Counted');
  const list = await db.select({points: goals.points}).from(goals)
    .where(and(counted, gt(goals.points, 1))).orderBy(asc(goals.points));
  assert.deepEqual(list, [{points: 2}, {points: 3}]);
  assert.deepEqual(await db.select({points: goals.points}).from(goals)
    .where(and(counted, inArray(goals.points, [1, 3]))).orderBy(goals.points), [{points: 1}, {points: 3}]);
  const updated = await db.update(goals).set({done: true, details: {by: 'test'}})
    .where(and(counted, eq(goals.points, 2))).returning({done: goals.done, details: goals.details});
  assert.deepEqual(updated, [{done: true, details: {by: 'test'}}]);
  await db.delete(goals).where(and(counted, eq(goals.points, 1)));
  assert.deepEqual(await db.select({n: count()}).from(goals).where(counted), [{n: 2}]);
});

test('raw SQL gives rows by the names of their columns', async () => {
  const {rows} = await db.execute(sql`select ${1}::int as one, ${'x'} as text, null as nothing`);
  assert.deepEqual(rows, [{one: 1, text: 'x', nothing: null}]);
});

test('conflicts are resolved', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  await db.insert(goals).values({id, title: 'First'});
  await db.insert(goals).values({id, title: 'Second'}).onConflictDoUpdate({target: goals.id, set: {title: 'Merged'}});
  await db.insert(goals).values({id, title: 'Third'}).onConflictDoNothing();
  assert.deepEqual(await db.select({title: goals.title}).from(goals).where(eq(goals.id, id)), [{title: 'Merged'}]);
});

test('a transaction is committed', async () => {
  await db.transaction(async (tx) => {
    await tx.insert(goals).values({title: 'In a transaction'});
    await tx.update(goals).set({points: 9}).where(eq(goals.title, 'In a transaction'));
  });
  assert.deepEqual(
    await db.select({points: goals.points}).from(goals).where(eq(goals.title, 'In a transaction')), [{points: 9}]);
});

test('a transaction is rolled back', async () => {
  await assert.rejects(db.transaction(async (tx) => {
    await tx.insert(goals).values({title: 'Rolled back'});
    tx.rollback();
  }), TransactionRollbackError);
  assert.deepEqual(await db.select().from(goals).where(eq(goals.title, 'Rolled back')), []);
});

test('a nested transaction is rolled back alone', async () => {
  await db.transaction(async (tx) => {
    await tx.insert(goals).values({title: 'Outer'});
    await assert.rejects(tx.transaction(async (inner) => {
      await inner.insert(goals).values({title: 'Inner'});
      inner.rollback();
    }), TransactionRollbackError);
  });
  const titles = await db.select({title: goals.title}).from(goals).where(inArray(goals.title, ['Outer', 'Inner']));
  assert.deepEqual(titles, [{title: 'Outer'}]);
});
