'use strict';

/** A repeatable source of random choices (mulberry32). */
class Random {
  constructor(seed) {
    this.seed = seed | 0;
  }

  next() {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let t = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(n) {
    return Math.floor(this.next() * n);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(share) {
    return this.next() < share;
  }
}

module.exports = { Random };
