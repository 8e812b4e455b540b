// confirmWrite, after putNode and putStatus: what was written stays only if the group is still alive and, for a status,
// the node still a member. Dissolving closes a group before it looks for what to remove, and leaving removes the node
// before its status; so a request that wrote too late for them sees it here. Then ctx.stash.rejection has the error,
// and the functions that follow remove what was written.
import { util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain, nodeId } = ctx.args;
  const keys = [{ pk: DOMAIN_PREFIX + domain, sk: GROUP_PREFIX + groupId + GROUP_SUFFIX }];
  // The host has no node.
  if (ctx.stash.status && nodeId !== ctx.stash.group.hostId) {
    keys.push({ pk: GROUP_PREFIX + groupId + DOMAIN_SEPARATOR + domain, sk: NODE_PREFIX + nodeId });
  }
  return {
    operation: 'BatchGetItem',
    tables: { [TABLE_NAME]: { keys: keys.map((key) => util.dynamodb.toMapValues(key)), consistentRead: true } },
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const unread = ctx.result.unprocessedKeys?.[TABLE_NAME] ?? [];
  if (unread.length > 0) util.error('The table is overloaded; try again', OVERLOADED);
  const fullId = ctx.args.groupId + DOMAIN_SEPARATOR + ctx.args.domain;
  const [group, ...nodes] = ctx.result.data[TABLE_NAME];
  if (!group) {
    ctx.stash.rejection = { message: GROUP_NOT_FOUND_MESSAGE + fullId, type: GROUP_NOT_FOUND };
  } else if (util.time.nowEpochSeconds() > group.ttl) {
    const message = GROUP_NOT_FOUND_MESSAGE + fullId + HEARTBEAT_EXPIRED_SUFFIX;
    ctx.stash.rejection = { message, type: GROUP_NOT_FOUND };
  } else if (nodes.some((node) => !node)) {
    ctx.stash.rejection = { message: NODE_NOT_FOUND_MESSAGE, type: NODE_NOT_FOUND };
  }
  return ctx.prev.result;
}
