// Tables for tests that are about something else.
'use strict';

const {CreateTableCommand, waitUntilTableExists} = require('@aws-sdk/client-dynamodb');
const {cloud, freshName} = require('./cloud');

/** Keys as {name: type}, the hash key first. More members of the request in `rest`. */
async function makeTable(keys, rest = {}) {
  const TableName = freshName('Table');
  const attributes = {...keys, ...rest.attributes};
  const {attributes: _, ...members} = rest;
  await cloud.dynamodb.send(
    new CreateTableCommand({
      TableName,
      KeySchema: Object.keys(keys).map((AttributeName, i) => ({AttributeName, KeyType: i ? 'RANGE' : 'HASH'})),
      AttributeDefinitions: Object.entries(attributes).map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      BillingMode: 'PAY_PER_REQUEST',
      ...members,
    }),
  );
  await waitUntilTableExists({client: cloud.dynamodb, maxWaitTime: 20, minDelay: 1, maxDelay: 1}, {TableName});
  return TableName;
}

module.exports = {makeTable};
