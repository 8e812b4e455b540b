// queryGroup, of listGroupStatuses: a page of the group's nodes and statuses. The pipeline has it several times, each
// for the page after the last; those that are not needed are skipped.
import { runtime, util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain } = ctx.args;
  if (ctx.stash.items && !ctx.stash.nextToken) runtime.earlyReturn({});
  return {
    operation: 'Query',
    query: {
      // Events come before nodes, and are left out.
      expression: 'pk = :group AND sk >= :nodes',
      expressionValues: util.dynamodb.toMapValues({
        ':group': GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain,
        ':nodes': NODE_PREFIX,
      }),
    },
    consistentRead: true,
    nextToken: ctx.stash.nextToken ?? null,
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  ctx.stash.items = [...(ctx.stash.items ?? []), ...ctx.result.items];
  ctx.stash.nextToken = ctx.result.nextToken;
  return {};
}
