// listGroupStatuses: the latest status of every member that is alive, and of the host.
import { util } from '@aws-appsync/utils';

export function request() {
  return {};
}

export function response(ctx) {
  if (ctx.stash.nextToken) util.error('The group has too many statuses for one answer', TOO_MANY_STATUSES);
  const now = util.time.nowEpochSeconds();
  // With a prefix, so that no id is the name of something that every object has.
  const members = { [NODE_PREFIX + ctx.stash.group.hostId]: true };
  for (const item of ctx.stash.items) {
    if (item.sk.startsWith(NODE_PREFIX) && now <= item.ttl) members[item.sk] = true;
  }
  return ctx.stash.items
    .filter((item) => item.sk.startsWith(STATUS_PREFIX) && members[NODE_PREFIX + item.nodeId])
    .map(({ nodeId, groupId, domain, data, timestamp }) => ({ nodeId, groupId, domain, data, timestamp }));
}
