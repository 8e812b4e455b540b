// checkGroupExists: the checks that come before those of every operation on a group, in their order: it is there, has
// not reached its end, and has had its host's heartbeat. Later functions find it as ctx.stash.group.
import { util } from '@aws-appsync/utils';

export function request(ctx) {
  const { groupId, domain } = ctx.args;
  if (groupId.length > MAX_ID_CHARACTERS || domain.length > MAX_DOMAIN_CHARACTERS) {
    // Too long for a key: there is no such group.
    util.error(GROUP_NOT_FOUND_MESSAGE + groupId + DOMAIN_SEPARATOR + domain, GROUP_NOT_FOUND);
  }
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
  const fullId = ctx.args.groupId + DOMAIN_SEPARATOR + ctx.args.domain;
  const group = ctx.result;
  const now = util.time.nowEpochSeconds();
  if (!group) util.error(GROUP_NOT_FOUND_MESSAGE + fullId, GROUP_NOT_FOUND);
  if (now > group.expiresAt) {
    const expiresAt = util.time.epochMilliSecondsToISO8601(group.expiresAt * 1000);
    util.error(GROUP_EXPIRED_MESSAGE + fullId + EXPIRES_AT_BEFORE + expiresAt + EXPIRES_AT_AFTER, GROUP_NOT_FOUND);
  }
  if (now > group.ttl) {
    util.error(GROUP_NOT_FOUND_MESSAGE + fullId + HEARTBEAT_EXPIRED_SUFFIX, GROUP_NOT_FOUND);
  }
  ctx.stash.group = group;
  return group;
}
