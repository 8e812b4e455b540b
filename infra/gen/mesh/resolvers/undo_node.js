// undoNode, the last of joinGroup: removes a node that joined too late, and answers why. Otherwise it is skipped.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain, nodeId } = ctx.args;
  if (!ctx.stash.rejection) runtime.earlyReturn(ctx.prev.result);
  return {
    operation: 'DeleteItem',
    key: util.dynamodb.toMapValues({
      pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
      sk: NODE_PREFIX + nodeId,
    }),
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  util.error(ctx.stash.rejection.message, ctx.stash.rejection.type);
}
