// The Collector as a team would write it for Node.js 20 with the AWS SDK and the built-in fetch.
'use strict';

const { DynamoDBClient, PutItemCommand } = require('@aws-sdk/client-dynamodb');
const { log } = require('./log');

const API_TIMEOUT_MS = 10000;

// Made once, outside the handler, so that its connections live on.
const client = new DynamoDBClient({});

async function fetchCount({ from, to }) {
  const query = new URLSearchParams({ from, to });
  const response = await fetch(`${process.env.AI_API_BASE_URL}/response_count?${query}`, {
    signal: AbortSignal.timeout(API_TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`the API answered ${response.status}`);
  const answer = await response.json();
  if (answer.from !== from || answer.to !== to || !Number.isInteger(answer.count) || answer.count < 0) {
    throw new Error('the API answered something else');
  }
  return answer.count;
}

async function collect(record, requestId) {
  const window = JSON.parse(record.body);
  const count = await fetchCount(window);
  try {
    await client.send(
      new PutItemCommand({
        TableName: process.env.AI_METRICS_TABLE_NAME,
        Item: {
          metricName: { S: 'ai_response_count' },
          slotTime: { S: window.from },
          count: { N: String(count) },
        },
        ConditionExpression: 'attribute_not_exists(metricName)',
      }),
    );
    log('INFO', requestId, 'slot stored', { slotTime: window.from, count });
  } catch (error) {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
    log('INFO', requestId, 'slot already stored', { slotTime: window.from });
  }
}

exports.handler = async (event, context) => {
  const batchItemFailures = [];
  for (const record of event.Records) {
    try {
      await collect(record, context.awsRequestId);
    } catch (error) {
      log('ERROR', context.awsRequestId, 'slot not stored', { error: error.message });
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
};
