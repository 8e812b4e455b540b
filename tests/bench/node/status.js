// The StatusCheckHandler as a team would write it for Node.js 20 with the AWS SDK.
'use strict';

const { RDSDataClient, ExecuteStatementCommand } = require('@aws-sdk/client-rds-data');
const { log } = require('./log');

const ESTIMATES = { SUBGOAL_GENERATION: 60, ACTION_GENERATION: 180, TASK_GENERATION: 120 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const COLUMNS = [
  'id', 'origin_id', 'user_id', 'type', 'status', 'target_id', 'progress', 'error', 'retry_count', 'created_at',
  'updated_at', 'completed_at', 'execution_arn', 'params', 'result',
];

// Made once, outside the handler, so that its connections live on.
const client = new RDSDataClient({});

function answer(statusCode, body) {
  return {
    statusCode,
    headers: {
      'Access-Control-Allow-Origin': process.env.ALLOWED_ORIGIN ?? '*',
      'Access-Control-Allow-Headers': 'Content-Type,Authorization',
      'Access-Control-Allow-Methods': 'GET,POST,OPTIONS',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}

function refuse(statusCode, code, message) {
  return answer(statusCode, { success: false, error: { code, message, retryable: false } });
}

function iso8601(text) {
  return new Date(`${text.replace(' ', 'T')}Z`).toISOString().replace(/\.\d+Z$/, 'Z');
}

async function find(id) {
  const result = await client.send(new ExecuteStatementCommand({
    resourceArn: process.env.DATABASE_CLUSTER_ARN,
    secretArn: process.env.DATABASE_SECRET_ARN,
    database: process.env.DATABASE_NAME,
    sql: `SELECT ${COLUMNS.join(', ')} FROM processing_states WHERE id = :id`,
    parameters: [{ name: 'id', value: { stringValue: id }, typeHint: 'UUID' }],
  }));
  const record = result.records?.[0];
  if (!record) return undefined;
  return Object.fromEntries(COLUMNS.map((name, i) => [name, record[i].stringValue ?? record[i].longValue]));
}

exports.handler = async (event, context) => {
  const user = event.requestContext?.authorizer?.claims?.sub;
  const id = event.pathParameters?.processId ?? '';
  if (!UUID.test(id)) return refuse(400, 'INVALID_UUID', 'IDの形式が正しくありません');
  const row = await find(id);
  if (!row || row.user_id !== user) {
    return refuse(403, 'FORBIDDEN', 'この処理にアクセスする権限がありません');
  }
  const data = {
    processId: row.id,
    status: row.status,
    type: row.type,
    progress: row.progress,
    retryCount: row.retry_count,
    targetId: row.target_id,
    createdAt: iso8601(row.created_at),
    updatedAt: iso8601(row.updated_at),
    estimatedCompletionTime: iso8601(
      new Date(Date.parse(`${row.created_at.replace(' ', 'T')}Z`) + ESTIMATES[row.type] * 1000)
        .toISOString().replace('T', ' ').replace('Z', ''),
    ),
  };
  if (row.completed_at) data.completedAt = iso8601(row.completed_at);
  if (row.status === 'COMPLETED' && row.result) data.result = JSON.parse(row.result);
  log('INFO', context.awsRequestId, 'request served', { resource: event.resource, status: 200 });
  return answer(200, { success: true, data });
};
