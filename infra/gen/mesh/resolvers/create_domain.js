// createDomain: the caller's address, as AppSync's front end noted it first.
import { util } from '@aws-appsync/utils';

export function request(ctx) {
  const forwardedFor = ctx.request.headers['x-forwarded-for'];
  if (!forwardedFor) util.error('The request has no header x-forwarded-for', VALIDATION_ERROR);
  return { payload: forwardedFor.split(',')[0].trim() };
}

export function response(ctx) {
  return ctx.result;
}
