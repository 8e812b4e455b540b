// The aggregation that api.md describes under queue-series and scheduler/series, as its reference: plain rather than fast.
'use strict';

const SLOT_MS = 5000;
const GRACE_MS = 10_000;

/** The smallest value that at least the share `q` of `sorted` does not exceed. */
const quantile = (sorted, q) => (sorted.length ? sorted[Math.max(Math.ceil(q * sorted.length) - 1, 0)] : null);

function summarise(latenesses) {
  const sorted = Float64Array.from(latenesses).sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? null };
}

const most = (a, b) => (a === null ? b : Math.max(a, b));

/** The range of whole buckets that covers [from, to). */
function bucketsOf({ from, to, buckets }) {
  const slots = Math.max(Math.ceil(to / SLOT_MS) - Math.floor(from / SLOT_MS), 1);
  let perBucket = Math.ceil(slots / buckets);
  // Aligning the buckets may need one more of them at the edge.
  while (Math.ceil(to / (perBucket * SLOT_MS)) - Math.floor(from / (perBucket * SLOT_MS)) > buckets) ++perBucket;
  const bucketMs = perBucket * SLOT_MS;
  return { from: Math.floor(from / bucketMs) * bucketMs, to: Math.ceil(to / bucketMs) * bucketMs, bucketMs };
}

/** sample(at) answers what the queues were in the five seconds from `at` on, or null if they were not sampled. */
function aggregateQueues({ sample, ...range }) {
  const { from, to, bucketMs } = bucketsOf(range);
  const answer = { from, to, bucketMs, waiting: [], inFlight: [], retries: [], deadLetters: [] };
  for (let bucket = from; bucket < to; bucket += bucketMs) {
    const queue = { waiting: null, inFlight: null, retries: null, deadLetters: null };
    for (let at = bucket; at < bucket + bucketMs; at += SLOT_MS) {
      const state = sample(at);
      if (!state) continue;
      for (const name of ['waiting', 'inFlight', 'deadLetters']) queue[name] = most(queue[name], state[name]);
      queue.retries = (queue.retries ?? 0) + state.retries;
    }
    for (const [name, value] of Object.entries(queue)) answer[name].push(value);
  }
  return answer;
}

/** record(slot) answers null where there is none; `first` is the first slot that is expected, or null. */
function aggregateSlots({ now, first, record, ...range }) {
  const { from, to, bucketMs } = bucketsOf(range);
  const answer = {
    from, to, bucketMs, slotMs: SLOT_MS, count: { min: [], max: [], avg: [] }, stored: [], missing: [], lateness: { p50: [], p99: [], max: [] },
  };
  const total = { expected: 0, stored: 0, missing: 0, count: null, lateness: null };
  const allLate = [];
  let [lowest, highest, sumOfAll] = [Infinity, -Infinity, 0];
  for (let bucket = from; bucket < to; bucket += bucketMs) {
    let [stored, missing, min, max, sum] = [0, 0, Infinity, -Infinity, 0];
    const late = [];
    for (let slot = bucket; slot < bucket + bucketMs; slot += SLOT_MS) {
      const found = record(slot);
      const expected = first !== null && slot >= first && slot < now - GRACE_MS;
      if (found) {
        ++stored;
        min = Math.min(min, found.count);
        max = Math.max(max, found.count);
        sum += found.count;
        if (found.lateness !== null) late.push(found.lateness);
      } else if (expected) {
        ++missing;
      }
    }
    answer.stored.push(stored);
    answer.missing.push(missing);
    for (const [name, value] of Object.entries({ min, max, avg: sum / stored })) answer.count[name].push(stored ? value : null);
    for (const [name, value] of Object.entries(summarise(late))) answer.lateness[name].push(value);
    total.stored += stored;
    total.missing += missing;
    sumOfAll += sum;
    lowest = Math.min(lowest, min);
    highest = Math.max(highest, max);
    for (const value of late) allLate.push(value);
  }
  total.expected = total.stored + total.missing;
  if (total.stored) total.count = { min: lowest, max: highest, avg: sumOfAll / total.stored };
  if (allLate.length) total.lateness = summarise(allLate);
  return { ...answer, summary: total };
}

module.exports = { aggregateQueues, aggregateSlots, SLOT_MS, GRACE_MS };
