// listNodesInGroup: the members whose heartbeat is not missing, by their ids. The host is not one of them.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain } = ctx.args;
  if (groupId.length > MAX_ID_CHARACTERS || domain.length > MAX_DOMAIN_CHARACTERS) runtime.earlyReturn([]);
  return {
    operation: 'Query',
    query: {
      expression: 'pk = :group AND begins_with(sk, :nodes)',
      expressionValues: util.dynamodb.toMapValues({
        ':group': GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
        ':nodes': NODE_PREFIX,
      }),
    },
    // DynamoDB removes late what is over. The names of two groups can make one key ("a@b" in "c", "a" in "b@c").
    filter: {
      expression: '#ttl >= :now AND expiresAt >= :now AND #domain = :domain',
      expressionNames: { '#ttl': TTL_ATTRIBUTE, '#domain': 'domain' },
      expressionValues: util.dynamodb.toMapValues({ ':now': util.time.nowEpochSeconds(), ':domain': domain }),
    },
    consistentRead: true,
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  return ctx.result.items.map(({ nodeId, name, groupId, domain, heartbeatIntervalSeconds }) => ({
    id: nodeId,
    name,
    groupId,
    domain,
    heartbeatIntervalSeconds,
  }));
}
