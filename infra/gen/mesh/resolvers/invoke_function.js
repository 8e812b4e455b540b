// Resolves a field by a function, which gets the part of the usual event that it reads: not the headers, which have the
// API key. An error that the client has caused comes as an answer with a type.
import { util } from '@aws-appsync/utils';

export function request(ctx) {
  const { fieldName, parentTypeName } = ctx.info;
  return {
    operation: 'Invoke',
    payload: {
      arguments: ctx.args,
      info: { fieldName, parentTypeName },
      // So that functions and resolvers agree on what is over.
      now: util.time.nowEpochMilliSeconds(),
    },
  };
}

export function response(ctx) {
  if (ctx.error) util.error(ctx.error.message, ctx.error.type);
  const { data, error } = ctx.result;
  if (error) util.error(error.message, error.type);
  return data;
}
