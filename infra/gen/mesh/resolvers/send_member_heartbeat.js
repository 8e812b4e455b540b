// sendMemberHeartbeat: answers the node's new deadline, which updateNodeTTL has set.
import { util } from '@aws-appsync/utils';

export function request() {
  return {};
}

export function response(ctx) {
  const { groupId, domain, nodeId } = ctx.args;
  return {
    nodeId,
    groupId,
    domain,
    expiresAt: util.time.epochMilliSecondsToISO8601(ctx.stash.deadline * 1000),
    heartbeatIntervalSeconds: MEMBER_INTERVAL_SECONDS,
  };
}
