// updateGroupTTL, of renewHeartbeat: the group is alive for five more intervals of its host, but not beyond its end.
import { util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain, hostId } = ctx.args;
  const group = ctx.stash.group;
  if (hostId !== group.hostId) util.error(ONLY_HOST_RENEWS_MESSAGE, UNAUTHORIZED);
  const now = util.time.nowEpochSeconds();
  const deadline = Math.min(now + HEARTBEAT_FACTOR * HOST_INTERVAL_SECONDS, group.expiresAt);
  return {
    operation: 'UpdateItem',
    key: util.dynamodb.toMapValues({
      pk: DOMAIN_PREFIX + domain,
      sk: GROUP_PREFIX + groupId + GROUP_SUFFIX,
    }),
    update: {
      expression: 'SET #ttl = :deadline',
      expressionNames: { '#ttl': TTL_ATTRIBUTE },
      expressionValues: util.dynamodb.toMapValues({ ':deadline': deadline }),
    },
    // A group that is being dissolved is over, and stays so.
    condition: {
      expression: 'attribute_exists(pk) AND #ttl >= :now',
      expressionNames: { '#ttl': TTL_ATTRIBUTE },
      expressionValues: util.dynamodb.toMapValues({ ':now': now }),
    },
  };
}

export function response(ctx) {
  const { groupId, domain } = ctx.args;
  if (ctx.error) {
    if (ctx.error.type === CONDITION_FAILED) {
      util.error(
        GROUP_NOT_FOUND_MESSAGE + groupId + DOMAIN_SEPARATOR + domain + HEARTBEAT_EXPIRED_SUFFIX,
        GROUP_NOT_FOUND,
      );
    }
    util.error(ctx.error.message, ctx.error.type);
  }
  return {
    groupId,
    domain,
    expiresAt: util.time.epochMilliSecondsToISO8601(ctx.stash.group.expiresAt * 1000),
    heartbeatIntervalSeconds: HOST_INTERVAL_SECONDS,
  };
}
