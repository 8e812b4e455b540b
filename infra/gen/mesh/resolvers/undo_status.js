// undoStatus, the last of reportDataByNode: removes the status of a report that came too late from its group, and
// answers why. Otherwise it is skipped.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  if (!ctx.stash.rejection) runtime.earlyReturn(ctx.prev.result);
  const { nodeId, groupId, domain, timestamp } = ctx.stash.status;
  return {
    operation: 'DeleteItem',
    key: util.dynamodb.toMapValues({
      pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
      sk: STATUS_PREFIX + nodeId,
    }),
    condition: {
      expression: '#timestamp = :timestamp',
      expressionNames: { '#timestamp': 'timestamp' },
      expressionValues: util.dynamodb.toMapValues({ ':timestamp': timestamp }),
    },
  };
}

export function response(ctx) {
  if (ctx.error && ctx.error.type !== CONDITION_FAILED) util.error(ctx.error.message, ctx.error.type);
  util.error(ctx.stash.rejection.message, ctx.stash.rejection.type);
}
