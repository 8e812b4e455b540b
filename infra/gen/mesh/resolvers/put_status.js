// putStatus, of reportDataByNode: replaces the node's status, under the node, for getNodeStatus, and under the group,
// for listGroupStatuses: there, nothing that a node of the same name does in another group can change it.
import { util } from '@aws-appsync/utils';

// The length of what subscribers get if all fields are selected, as clients select them: with __typename.
function messageBytes(status) {
  const data = status.data.map((entry) => ({ ...entry, __typename: 'SensorData' }));
  const message = { data: { onDataUpdateInGroup: { ...status, data, __typename: 'NodeStatus' } } };
  const base64 = util.base64Encode(JSON.stringify(message));
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

export function request(ctx) {
  const { groupId, domain, nodeId, data } = ctx.args;
  const status = { nodeId, groupId, domain, data, timestamp: util.time.nowISO8601() };
  const bytes = messageBytes(status);
  if (bytes > MAX_REALTIME_BYTES) {
    util.error(
      `the data has ${bytes} bytes as a message; at most ${MAX_REALTIME_BYTES} can be published at once`,
      VALIDATION_ERROR,
    );
  }
  ctx.stash.status = status;
  const item = { ...status, ttl: ctx.stash.group.expiresAt };
  return {
    operation: 'BatchPutItem',
    tables: {
      [TABLE_NAME]: [
        util.dynamodb.toMapValues({ pk: NODE_PREFIX + nodeId, sk: LATEST_STATUS, ...item }),
        util.dynamodb.toMapValues({
          pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
          sk: STATUS_PREFIX + nodeId,
          ...item,
        }),
      ],
    },
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const unprocessed = ctx.result.unprocessedItems?.[TABLE_NAME] ?? [];
  if (unprocessed.length > 0) util.error('The table is overloaded; report again', OVERLOADED);
  return ctx.stash.status;
}
