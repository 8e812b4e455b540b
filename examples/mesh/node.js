// A node of Mesh v2 in JavaScript, on the npm package aws-appsync: prints what happens in a group.
//
//   npm install aws-appsync graphql-tag ws
//   node node.js URL KEY DOMAIN GROUP
'use strict';

global.WebSocket = global.WebSocket ?? require('ws');
const {AWSAppSyncClient} = require('aws-appsync');
const tag = require('graphql-tag');

const gql = tag.default ?? tag;
const [url, apiKey, domain, groupId] = process.argv.slice(2);

const client = new AWSAppSyncClient({
  url,
  region: 'us-east-1',
  auth: {type: 'API_KEY', apiKey},
  disableOffline: true,
});

// They start in this order: who hears of the others hears of the group's end, too.
const SUBSCRIPTIONS = {
  onGroupDissolve: '{ message }',
  onDataUpdateInGroup: '{ nodeId data { key value } }',
  onBatchEventInGroup: '{ firedByNodeId events { name payload } }',
};
const PRINT = {
  onDataUpdateInGroup: ({nodeId, data}) =>
    console.log(`${nodeId} ${data.map(({key, value}) => `${key}=${value}`).join(' ')}`),
  onBatchEventInGroup: ({firedByNodeId, events}) => {
    for (const {name, payload} of events) console.log(`${firedByNodeId} !${name} ${payload ?? ''}`);
  },
  onGroupDissolve: ({message}) => {
    console.log(message);
    process.exit(0);
  },
};

for (const [field, selection] of Object.entries(SUBSCRIPTIONS)) {
  client.subscribe({
    query: gql(`subscription ${field}($groupId: ID!, $domain: String!) {
      ${field}(groupId: $groupId, domain: $domain) ${selection}
    }`),
    variables: {groupId, domain},
  }).subscribe({
    next: ({data}) => PRINT[field](data[field]),
    error: (error) => {
      console.error(error);
      process.exit(1);
    },
  });
}
