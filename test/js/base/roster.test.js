'use strict';

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const fc = require('fast-check');

const { Roster } = require('../../../lib/base/roster.js');

class People extends Roster {
  has(person) {
    return person.roster === this;
  }

  add(rank) {
    const person = { rank, roster: this };
    this.join(person);
    return person;
  }

  remove(person) {
    person.roster = null;
    this.leave();
  }
}

/** @returns {number[]} the ranks of all members, oldest first */
function empty(people) {
  const ranks = [];
  while (people.size > 0) {
    const person = people.first();
    ranks.push(person.rank);
    people.remove(person);
  }
  return ranks;
}

test('any who stay are there in the order in which they joined', () => {
  // Steps of hundreds are taken, because places are tidied now and then.
  const step = fc.record({ join: fc.nat(600), leave: fc.nat(600) });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (steps, choices) => {
        const people = new People();
        const there = [];
        let joined = 0;
        for (const { join, leave } of steps) {
          for (let i = 0; i < join; i++) there.push(people.add(joined++));
          for (let i = 0; i < leave && there.length > 0; i++) {
            const at = choices.next().value % there.length;
            people.remove(there.splice(at, 1)[0]);
          }
          expect(people.size).toBe(there.length);
          if (there.length > 0) expect(people.first()).toBe(there[0]);
        }
        expect(empty(people)).toEqual(there.map(({ rank }) => rank));
      },
    ),
    { numRuns: 50 },
  );
});

test('the newest one moves before those whom it should be before', () => {
  const people = new People();
  const gone = people.add(1);
  for (const rank of [3, 5, 7]) people.add(rank);
  people.remove(gone);
  people.add(4);
  people.moveUp((a, b) => a.rank < b.rank);
  expect(empty(people)).toEqual([3, 4, 5, 7]);
});

test('those who left are forgotten once they are many, or all', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  const people = new People();
  const finalized = jest.fn();
  const registry = new FinalizationRegistry(finalized);
  const stays = people.add(0);
  const comeAndGo = (i) => {
    const person = people.add(i);
    registry.register(person, i);
    people.remove(person);
  };
  for (let i = 1; i <= 2000; i++) comeAndGo(i);
  const isForgotten = async (count) => {
    for (let i = 0; i < 50 && finalized.mock.calls.length < count; i++) {
      gc();
      await new Promise(setImmediate);
    }
    return finalized.mock.calls.length >= count;
  };
  expect(await isForgotten(1400)).toBe(true);
  people.remove(stays);
  expect(await isForgotten(2000)).toBe(true);
});
