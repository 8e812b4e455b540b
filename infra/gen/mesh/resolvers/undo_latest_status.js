// undoLatestStatus, of reportDataByNode: removes the node's latest status if it is that of a report that came too late.
// Otherwise it is skipped.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  if (!ctx.stash.rejection) runtime.earlyReturn(ctx.prev.result);
  const { nodeId, groupId, domain, timestamp } = ctx.stash.status;
  return {
    operation: 'DeleteItem',
    key: util.dynamodb.toMapValues({ pk: NODE_PREFIX + nodeId, sk: LATEST_STATUS }),
    condition: {
      expression: 'groupId = :groupId AND #domain = :domain AND #timestamp = :timestamp',
      expressionNames: { '#domain': 'domain', '#timestamp': 'timestamp' },
      expressionValues: util.dynamodb.toMapValues({ ':groupId': groupId, ':domain': domain, ':timestamp': timestamp }),
    },
  };
}

export function response(ctx) {
  if (ctx.error && ctx.error.type !== CONDITION_FAILED) util.error(ctx.error.message, ctx.error.type);
  return {};
}
