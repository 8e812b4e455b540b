// listGroupsByDomain: the groups that are alive, oldest first.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { domain } = ctx.args;
  if (domain.length > MAX_DOMAIN_CHARACTERS) runtime.earlyReturn([]);
  return {
    operation: 'Query',
    index: INDEX_NAME,
    query: {
      expression: '#partition = :domain AND begins_with(#sort, :groups)',
      expressionNames: { '#partition': INDEX_PARTITION_KEY, '#sort': INDEX_SORT_KEY },
      expressionValues: util.dynamodb.toMapValues({ ':domain': DOMAIN_PREFIX + domain, ':groups': GROUP_PREFIX }),
    },
    // DynamoDB removes late what is over. ttl is never after expiresAt.
    filter: {
      expression: '#ttl >= :now',
      expressionNames: { '#ttl': TTL_ATTRIBUTE },
      expressionValues: util.dynamodb.toMapValues({ ':now': util.time.nowEpochSeconds() }),
    },
    scanIndexForward: true,
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  return ctx.result.items.map((group) => ({
    id: group.groupId,
    domain: group.domain,
    fullId: group.groupId + DOMAIN_SEPARATOR + group.domain,
    name: group.name,
    hostId: group.hostId,
    createdAt: group.createdAt,
    expiresAt: util.time.epochMilliSecondsToISO8601(group.expiresAt * 1000),
  }));
}
