// Random numbers that a seed repeats.
//
//   const random = new Random(7);
//   random.oneOf(['a', 'b']);
'use strict';

class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** In [0, 1). Mulberry32: small, and good enough to mix requests. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  chance(probability) {
    return this.next() < probability;
  }

  oneOf(items) {
    return items[this.below(items.length)];
  }

  /** `weighted` is [[weight, item], ...]. */
  weighted(weighted) {
    let left = this.next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of weighted) {
      left -= weight;
      if (left < 0) return item;
    }
    return weighted[weighted.length - 1][1];
  }

  shuffled(items) {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; --i) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  }

  /** At least `least`, at most `most` of them, each once. */
  some(items, least, most) {
    return this.shuffled(items).slice(0, least + this.below(most - least + 1));
  }
}

module.exports = {Random};
