'use strict';

/**
 * Records that travel to an isolate together. Positions are byte offsets in
 * the input: `positions[i]` is where record `i` starts, `positions[count]`
 * where the last one ends.
 */
class Batch {
  /**
   * @param {string[] | null} records their texts; null for the one refused
   * @param {number[]} positions one more than there are records
   * @param {number} index of the first record in the input, from 0
   * @param {{ name: string, message: string }} [refusal] why it cannot be read
   */
  constructor(records, positions, index, refusal = undefined) {
    this.records = records;
    this.positions = positions;
    this.index = index;
    this.refusal = refusal;
  }

  get count() {
    return this.positions.length - 1;
  }

  /** @returns {string} what a dead letter shows of a record */
  textOf(at) {
    return this.records === null ? '' : this.records[at];
  }
}

module.exports = { Batch };
