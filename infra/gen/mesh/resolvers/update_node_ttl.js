// updateNodeTTL, of sendMemberHeartbeat: the node is alive for five more intervals. A node that is not there, or whose
// heartbeat was missing, must join again. The host has no node: its deadline is that of the group.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain, nodeId } = ctx.args;
  const now = util.time.nowEpochSeconds();
  if (nodeId === ctx.stash.group.hostId) {
    ctx.stash.deadline = ctx.stash.group.ttl;
    runtime.earlyReturn({});
  }
  if (nodeId.length > MAX_ID_CHARACTERS) util.error(NODE_NOT_FOUND_MESSAGE, NODE_NOT_FOUND);
  ctx.stash.deadline = now + HEARTBEAT_FACTOR * MEMBER_INTERVAL_SECONDS;
  return {
    operation: 'UpdateItem',
    key: util.dynamodb.toMapValues({
      pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
      sk: NODE_PREFIX + nodeId,
    }),
    update: {
      expression: 'SET #ttl = :deadline',
      expressionNames: { '#ttl': TTL_ATTRIBUTE },
      expressionValues: util.dynamodb.toMapValues({ ':deadline': ctx.stash.deadline }),
    },
    condition: {
      expression: 'attribute_exists(pk) AND #ttl >= :now',
      expressionNames: { '#ttl': TTL_ATTRIBUTE },
      expressionValues: util.dynamodb.toMapValues({ ':now': now }),
    },
  };
}

export function response(ctx) {
  if (ctx.error) {
    if (ctx.error.type === CONDITION_FAILED) util.error(NODE_NOT_FOUND_MESSAGE, NODE_NOT_FOUND);
    util.error(ctx.error.message, ctx.error.type);
  }
  return ctx.result;
}
