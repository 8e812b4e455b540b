// putNode, of joinGroup: the node becomes a member, or stays one.
import { util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain, nodeId } = ctx.args;
  if (nodeId.length < 1 || nodeId.length > MAX_ID_CHARACTERS) {
    util.error(`nodeId must have 1 to ${MAX_ID_CHARACTERS} characters, not ${nodeId.length}`, VALIDATION_ERROR);
  }
  return {
    operation: 'PutItem',
    key: util.dynamodb.toMapValues({
      pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
      sk: NODE_PREFIX + nodeId,
    }),
    attributeValues: util.dynamodb.toMapValues({
      nodeId,
      name: NODE_NAME_PREFIX + nodeId,
      groupId,
      domain,
      heartbeatIntervalSeconds: MEMBER_INTERVAL_SECONDS,
      // When its group ends, for reads that don't look at the group.
      expiresAt: ctx.stash.group.expiresAt,
      ttl: util.time.nowEpochSeconds() + HEARTBEAT_FACTOR * MEMBER_INTERVAL_SECONDS,
    }),
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const { groupId, domain, nodeId } = ctx.args;
  return {
    id: nodeId,
    name: NODE_NAME_PREFIX + nodeId,
    groupId,
    domain,
    heartbeatIntervalSeconds: MEMBER_INTERVAL_SECONDS,
  };
}
