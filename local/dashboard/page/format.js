// Numbers and times as people read them. All times are UTC, like everything that Byoshin stores.

const whole = new Intl.NumberFormat('en');

export const number = (n) => (n === null || n === undefined ? '–' : whole.format(Math.round(n * 100) / 100));

const rounded = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits;

/** As precise as people want it: 0.42 ms, 12 ms, 3.1 s, 4 min 5 s, 32 min, 1.5 h, 2.3 d. DurationText() in C++ does the same. */
export function duration(ms) {
  if (ms === null || ms === undefined) return '–';
  if (ms < 0) return `-${duration(-ms)}`;
  if (ms < 9.95) return `${rounded(ms, ms < 0.95 ? 2 : 1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${rounded(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 600) return exactDuration(ms);
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_220) return `${rounded(seconds / 3600, 1)} h`;
  return `${rounded(seconds / 86_400, 1)} d`;
}

/** To the second: 5 s, 21 min 40 s. */
export function exactDuration(ms) {
  const seconds = Math.round(ms / 1000);
  const parts = [[Math.floor(seconds / 60), 'min'], [seconds % 60, 's']];
  return parts.filter(([n]) => n > 0).map((part) => part.join(' ')).join(' ');
}

/** For axes, where room is short: 100 s, 17 min. */
export function roundDuration(ms) {
  if (ms < 1000) return `${+ms.toFixed(1)} ms`;
  if (ms < 600_000) return `${+(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** "Collector" of "stack-Collector-1ABCDEFGHIJK", which is how CloudFormation names what a template leaves unnamed. */
export const shortName = (name) => /^.+-([A-Za-z0-9]+)-[A-Z0-9]{12}$/.exec(name)?.[1] ?? name;

const iso = (ms) => new Date(ms).toISOString();
export const time = (ms) => iso(ms).slice(11, 19);
export const dateTime = (ms) => `${iso(ms).slice(0, 10)} ${time(ms)}`;

export function range(from, to) {
  const sameDay = iso(from).slice(0, 10) === iso(to).slice(0, 10);
  return `${dateTime(from)} – ${sameDay ? time(to) : dateTime(to)} UTC`;
}

export const percent = (part, of) =>
  (of ? `${(Math.floor((part / of) * 10_000) / 100).toFixed(part === of ? 0 : 2)} %` : '–');
