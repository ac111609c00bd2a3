'use strict';

/**
 * The part of the input that is done: all up to `position`, and ranges beyond
 * it that were faster. There are never more ranges than batches under way.
 */
class DoneRanges {
  /** @param {{ position: number, index: number, ahead: object[] }} [state] */
  constructor({ position = 0, index = 0, ahead = [] } = {}) {
    this.position = position;
    this.index = index;
    this.ahead = ahead;
  }

  /**
   * @param {{ start: number, end: number, index: number }} range positions,
   *   and the number of the first record after it
   */
  add(range) {
    if (range.start === range.end) return;
    this.ahead.push(range);
    this.ahead.sort((a, b) => a.start - b.start);
    while (this.ahead[0]?.start === this.position) {
      const { end, index } = this.ahead.shift();
      this.position = end;
      this.index = index;
    }
  }

  /**
   * @returns {{ start: number, end?: number, index: number }[]} the ranges that
   *   are not done
   */
  gaps() {
    const gaps = [];
    let { position: start, index } = this;
    for (const range of this.ahead) {
      gaps.push({ start, end: range.start, index });
      start = range.end;
      index = range.index;
    }
    gaps.push({ start, end: undefined, index });
    return gaps;
  }

  toJSON() {
    const { position, index, ahead } = this;
    return { position, index, ahead };
  }
}

module.exports = { DoneRanges };
