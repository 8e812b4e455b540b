// A pipeline whose result is that of its last function.
export function request() {
  return {};
}

export function response(ctx) {
  return ctx.prev.result;
}
