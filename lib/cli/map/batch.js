'use strict';

/**
 * Records that travel to an isolate together. Positions are byte offsets in
 * the input: `positions[i]` is where record `i` starts, `positions[count]`
 * where the last one ends.
 */
class Batch {
  /**
   * @param {string[] | null} records their texts; null for a refused one
   * @param {number[]} positions one more than there are records
   * @param {number} index of the first record in the input, from 0
   * @param {{ name: string, message: string }} [refusal] reason why the record
   *   cannot be read
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

  /** @returns {string} the text of a record for its dead letter */
  textOf(at) {
    return this.records === null ? '' : this.records[at];
  }
}

module.exports = { Batch };
