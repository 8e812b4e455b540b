// The Sender as a team would write it for Node.js 20 with the AWS SDK.
'use strict';

const { SQSClient, SendMessageBatchCommand } = require('@aws-sdk/client-sqs');
const { log } = require('./log');

const INTERVAL_SECONDS = 5;
const MESSAGES_PER_MINUTE = 12;
const BATCH_SIZE = 10;

// Made once, outside the handler, so that its connections live on.
const client = new SQSClient({});

function iso8601(milliseconds) {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}

function plan(eventTime) {
  const base = Math.floor(Date.parse(eventTime) / 60000) * 60000;
  return Array.from({ length: MESSAGES_PER_MINUTE }, (_, i) => ({
    Id: String(i),
    DelaySeconds: i * INTERVAL_SECONDS,
    MessageBody: JSON.stringify({
      from: iso8601(base + i * INTERVAL_SECONDS * 1000),
      to: iso8601(base + (i + 1) * INTERVAL_SECONDS * 1000),
    }),
  }));
}

exports.handler = async (event, context) => {
  const entries = plan(event.time);
  const failed = [];
  for (let i = 0; i < entries.length; i += BATCH_SIZE) {
    const batch = entries.slice(i, i + BATCH_SIZE);
    const result = await client.send(
      new SendMessageBatchCommand({ QueueUrl: process.env.QUEUE_URL, Entries: batch }),
    );
    for (const sent of result.Successful ?? []) {
      const entry = entries[Number(sent.Id)];
      log('INFO', context.awsRequestId, 'message sent', {
        messageId: sent.MessageId,
        delaySeconds: entry.DelaySeconds,
        ...JSON.parse(entry.MessageBody),
      });
    }
    failed.push(...(result.Failed ?? []));
  }
  if (failed.length > 0) throw new Error(`not sent: ${failed.map((entry) => entry.Id).join(', ')}`);
  return {};
};
