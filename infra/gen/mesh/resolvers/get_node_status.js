// getNodeStatus: what the node reported last, in whatever group, until that group's end.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { nodeId } = ctx.args;
  if (nodeId.length > MAX_ID_CHARACTERS) runtime.earlyReturn(null);
  return {
    operation: 'GetItem',
    key: util.dynamodb.toMapValues({ pk: NODE_PREFIX + nodeId, sk: LATEST_STATUS }),
    consistentRead: true,
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const status = ctx.result;
  if (!status || util.time.nowEpochSeconds() > status.ttl) return null;
  const { nodeId, groupId, domain, data, timestamp } = status;
  return { nodeId, groupId, domain, data, timestamp };
}
