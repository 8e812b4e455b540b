// getGroup: the group if it is alive, otherwise null.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain } = ctx.args;
  if (groupId.length > MAX_ID_CHARACTERS || domain.length > MAX_DOMAIN_CHARACTERS) runtime.earlyReturn(null);
  return {
    operation: 'GetItem',
    key: util.dynamodb.toMapValues({
      pk: DOMAIN_PREFIX + domain,
      sk: GROUP_PREFIX + groupId + GROUP_SUFFIX,
    }),
    consistentRead: true,
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const group = ctx.result;
  // DynamoDB removes late what is over. ttl is never after expiresAt.
  if (!group || util.time.nowEpochSeconds() > group.ttl) return null;
  return {
    id: group.groupId,
    domain: group.domain,
    fullId: group.groupId + DOMAIN_SEPARATOR + group.domain,
    name: group.name,
    hostId: group.hostId,
    createdAt: group.createdAt,
    expiresAt: util.time.epochMilliSecondsToISO8601(group.expiresAt * 1000),
  };
}
