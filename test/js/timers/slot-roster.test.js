'use strict';

const assert = require('node:assert/strict');

const fc = require('fast-check');

const { SlotRoster } = require('../../../lib/timers/slot-roster.js');

/** A table of slots, of which each holds the number of who has it, or 0. */
class Table {
  serials = [];
  last = 0;

  serialOf(slot) {
    return this.serials[slot];
  }

  take(slot) {
    this.last += 1;
    this.serials[slot] = this.last;
    return this.last;
  }
}

test('who stays is there in the order in which it joined, whatever is used again', () => {
  const step = fc.record({
    joins: fc.nat(700),
    leaves: fc.array(fc.nat(2000), { maxLength: 700 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const table = new Table();
      const roster = new SlotRoster(table);
      const members = [];
      const free = [];
      let slots = 0;
      const leave = (index) => {
        const [slot] = members.splice(index, 1);
        table.serials[slot] = 0;
        roster.leave();
        free.push(slot);
      };
      for (const { joins, leaves } of steps) {
        for (let n = 0; n < joins; n += 1) {
          const slot = free.pop() ?? slots++;
          roster.join(slot, table.take(slot));
          members.push(slot);
        }
        for (const index of leaves) if (index < members.length) leave(index);
        assert.equal(roster.size, members.length);
        if (members.length > 0) assert.equal(roster.first(), members[0]);
      }
      while (members.length > 0) {
        // Jest's expect is slow beside what it would be called for here.
        assert.equal(roster.first(), members[0]);
        leave(0);
      }
      assert.equal(roster.size, 0);
    }),
    { numRuns: 50 },
  );
});
