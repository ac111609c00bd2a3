'use strict';

/** Choices that one seed decides (mulberry32). */
class Random {
  #at;

  constructor(seed) {
    this.#at = Math.imul(seed, 0x9e3779b1) | 0;
  }

  /** @returns {number} from 0 to below 1 */
  next() {
    this.#at = (this.#at + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#at ^ (this.#at >>> 15), 1 | this.#at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @returns {number} an integer from 0 to below `count` */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** @returns {boolean} true in `percent` of the calls */
  chance(percent) {
    return this.next() * 100 < percent;
  }

  of(list) {
    return list[this.below(list.length)];
  }

  /** @returns {unknown} a value of `[weight, value]` pairs */
  weighed(pairs) {
    let sum = 0;
    for (const [weight] of pairs) sum += weight;
    let at = this.next() * sum;
    for (const [weight, value] of pairs) {
      at -= weight;
      if (at < 0) return value;
    }
    return pairs.at(-1)[1];
  }
}

module.exports = { Random };
