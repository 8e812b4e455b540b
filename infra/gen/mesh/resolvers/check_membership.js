// checkMembership: the node has joined the group and its heartbeat is not missing, or it is the host, which has no node.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain, nodeId } = ctx.args;
  if (nodeId === ctx.stash.group.hostId) runtime.earlyReturn({});
  if (nodeId.length > MAX_ID_CHARACTERS) util.error(NODE_NOT_FOUND_MESSAGE, NODE_NOT_FOUND);
  return {
    operation: 'GetItem',
    key: util.dynamodb.toMapValues({
      pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
      sk: NODE_PREFIX + nodeId,
    }),
    consistentRead: true,
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const node = ctx.result;
  if (!node || util.time.nowEpochSeconds() > node.ttl) util.error(NODE_NOT_FOUND_MESSAGE, NODE_NOT_FOUND);
  return node;
}
