// Work that is requested more often than it can be done.

/**
 * A function that calls `work` with its argument, one call at a time. While one runs, only the newest of the arguments that
 * follow is kept. The promise resolves when there is nothing left to do. `work` must not throw.
 *
 *   const load = latest(async (range) => show(await get('series', range)));
 */
export function latest(work) {
  let running = null;
  let next = null;
  const run = async () => {
    while (next) {
      const { argument } = next;
      next = null;
      await work(argument);
    }
    running = null;
  };
  return (argument) => {
    next = { argument };
    running ??= run();
    return running;
  };
}
