'use strict';
// Memory that a thread and its owner share, and values that they seal.

const { closeSync, openSync } = require('node:fs');

const {
  AheadOfTurn,
} = require('../../../../lib/executors/owned/ahead-of-turn.js');
const {
  AheadQueue,
} = require('../../../../lib/executors/owned/ahead-queue.js');
const {
  AheadWords,
} = require('../../../../lib/executors/owned/ahead-words.js');
const {
  openWords,
} = require('../../../../lib/executors/process/opened-words.js');
const {
  OUT_OF_MEMORY,
  outOfMemory,
  resourceLimits,
} = require('../../../../lib/executors/thread/heap-limit.js');
const {
  Sealing,
  createCodec,
} = require('../../../../lib/executors/thread/sealing.js');
const { Packed } = require('../../../../lib/executors/owned/packed.js');

describe('copies of jobs that were sent ahead', () => {
  const MIB = 2 ** 20;

  function open(concurrent = 1) {
    const ahead = new AheadWords(AheadWords.room(concurrent));
    const sent = [];
    const send = (message) => sent.push(message);
    const line = { ahead, mostAhead: 64 * MIB, send };
    const queue = new AheadQueue(new AheadWords(ahead.memory));
    queue.serve(() => 0);
    return { owner: new AheadOfTurn(line), queue, sent };
  }

  test('one that was taken back is kept nowhere', () => {
    const { owner, queue, sent } = open();
    const job = { bytes: MIB };
    const copy = { seq: 7, slot: owner.offer(job, 7), input: 'large' };
    queue.came(copy);
    expect(copy.input).toBe('large');
    expect(owner.end(job)).toBe(undefined);
    expect(sent).toEqual([{ letGo: true }]);
    queue.letGo();
    expect(copy.input).toBe(undefined);
  });

  test('one that was taken back before it came is let go then', () => {
    const { owner, queue } = open();
    const job = { bytes: MIB };
    const copy = { seq: 7, slot: owner.offer(job, 7), input: 'large' };
    owner.end(job);
    queue.came(copy);
    expect(copy.input).toBe(undefined);
  });

  test('no other large one while the thread has not read it', () => {
    const { owner, queue } = open();
    const job = { bytes: 8 * MIB };
    expect(owner.takes(job.bytes, 0)).toBe(true);
    const copy = { seq: 7, slot: owner.offer(job, 7), input: 'large' };
    owner.end(job);
    expect(owner.takes(MIB, 0)).toBe(false);
    queue.came(copy);
    expect(owner.takes(job.bytes, 0)).toBe(true);
  });

  test('small ones up to a mebibyte for each slot, and one more', () => {
    const { owner } = open(2);
    for (let seq = 1; seq < 6; seq++) {
      expect(owner.takes(MIB / 2, 0)).toBe(true);
      const job = { bytes: MIB / 2 };
      owner.offer(job, seq);
      owner.end(job);
    }
    expect(owner.takes(MIB / 2, 0)).toBe(false);
  });

  test('large ones where the jobs take as long', () => {
    const { owner, queue } = open();
    expect(owner.takes(64 * MIB, 0)).toBe(true);
    expect(owner.takes(64 * MIB + 1, 0)).toBe(false);
    queue.ends(12);
    owner.jobEnded();
    expect(owner.takes(4 * MIB, 0)).toBe(true);
    expect(owner.takes(4 * MIB + 1, 0)).toBe(false);
    // Or the present one does.
    expect(owner.takes(4 * MIB + 1, 30)).toBe(true);
  });
});

describe('the words about jobs that were sent ahead', () => {
  function open() {
    const owner = new AheadWords(AheadWords.room(2));
    return { owner, thread: new AheadWords(owner.memory) };
  }

  test('the thread begins it, and the owner cannot take it back', () => {
    const { owner, thread } = open();
    owner.offer(1, 7);
    expect(thread.begin(1, 7, 123n)).toBe(true);
    expect(owner.takeBack(1, 7)).toBe(false);
    expect(owner.begunAt(1)).toBe(123n);
    expect(thread.begin(1, 7, 124n)).toBe(false);
  });

  test('the owner takes it back, and the thread cannot begin it', () => {
    const { owner, thread } = open();
    owner.offer(1, 7);
    expect(owner.takeBack(1, 6)).toBe(false);
    expect(owner.takeBack(1, 7)).toBe(true);
    expect(thread.begin(1, 7, 1n)).toBe(false);
    owner.offer(1, 8);
    expect(thread.begin(1, 7, 2n)).toBe(false);
    expect(thread.begin(1, 8, 3n)).toBe(true);
  });

  test('the begin of the present job, until a later one begins', () => {
    const { owner, thread } = open();
    expect(owner.presentBegunAt(7)).toBe(undefined);
    owner.offer(0, 9);
    owner.offer(1, 8);
    thread.presentBegins(7, 123n);
    expect(owner.presentBegunAt(7)).toBe(123n);
    expect(thread.begin(1, 8, 5n)).toBe(true);
    expect(owner.begunAt(1)).toBe(5n);
    expect(owner.presentBegunAt(7)).toBe(123n);
    thread.presentBegins(8, 124n);
    expect(owner.presentBegunAt(7)).toBe(undefined);
    expect(owner.presentBegunAt(8)).toBe(124n);
    expect(owner.takeBack(0, 9)).toBe(true);
  });

  test('without common memory the owner has to be told of a begin', () => {
    const bytes = AheadWords.bytesFor(1);
    const file = openSync(__filename);
    const words = openWords('/is/not/there', file, bytes);
    expect(new AheadQueue(words).runBegins(7, 123n)).toBe(false);
    expect(() => closeSync(file)).toThrow('EBADF');
    const common = new AheadWords(AheadWords.room(1));
    expect(new AheadQueue(common).runBegins(7, 123n)).toBe(true);
    // One of two may begin before the other has ended.
    expect(new AheadQueue(open().thread).runBegins(7, 123n)).toBe(false);
    expect(open().owner.showsPresent).toBe(false);
  });

  test('how long the last job took, in 31 bits', () => {
    const { owner, thread } = open();
    expect(owner.lastMs).toBe(0);
    thread.ended(5);
    expect(owner.lastMs).toBe(5);
    thread.ended(2 ** 40);
    expect(owner.lastMs).toBe(2 ** 31 - 1);
    expect(owner.begunAt(1)).toBe(0n);
  });
});

test("the heap's limits", () => {
  const { maxOldGenerationSizeMb: old, maxYoungGenerationSizeMb: young } =
    resourceLimits(40);
  expect([old, young]).toEqual([40, 40]);
  expect(resourceLimits(64).maxYoungGenerationSizeMb).toBe(48);
  expect(resourceLimits(64).maxOldGenerationSizeMb).toBe(64);
  expect(outOfMemory()).toMatchObject({ code: OUT_OF_MEMORY });
});

describe('sealed values', () => {
  // Small ones are copies, because a thread's messages are cloned.
  const many = (make) => Array.from({ length: 500 }, (_, id) => make(id));
  const rows = many((id) => ({ id, name: 'ä€' }));
  function packed(codec, value) {
    const { text } = codec.encode(value, Infinity);
    expect(text).toBeInstanceOf(Packed);
    return text;
  }
  const throughPort = (message) => structuredClone(message);

  test.each(['input', 'value'])('an %s arrives, with its shapes', (of) => {
    const codec = createCodec();
    const [here, there] = [new Sealing(), new Sealing()];
    for (const value of [rows, many((n) => ({ other: n })), rows]) {
      const message = { seq: 1, [of]: packed(codec, value), more: 'x' };
      const sealed = here.seal(message);
      expect(sealed[of]).toBeUndefined();
      expect(sealed.sealed.of).toBe(of);
      // No more of Node's slab than its own bytes.
      const { bytes } = sealed.sealed;
      expect(bytes.buffer.byteLength).toBe(bytes.length);
      const opened = there.open(throughPort(sealed));
      expect(opened).toMatchObject({ seq: 1, more: 'x' });
      expect(opened[of]).toEqual(value);
    }
  });

  test('others stay as they are', () => {
    const [here, there] = [new Sealing(), new Sealing()];
    for (const message of [{ seq: 1, input: 'x' }, { value: [1] }, {}]) {
      expect(here.seal(message)).toBe(message);
      expect(there.open(message)).toBe(message);
    }
  });
});
