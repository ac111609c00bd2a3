'use strict';

const { getEventListeners } = require('node:events');
const {
  InvalidDeadlineError,
  Time,
  TimerDisposedError,
} = require('../../../lib/time.js');
const { settleMicrotasks } = require('../support/promises.js');

let clock;

async function advance(ms) {
  clock.advanceBy(ms);
  await settleMicrotasks();
}

beforeEach(() => {
  clock = Time.fakeClock({ now: 1_000_000 });
});

const wallMs = () => clock.now().getTime();

describe.each([
  ['Time.interval', (interval, options) => Time.interval(interval, options)],
  [
    'Time.every',
    (interval, options) => Time.every(interval, () => {}, options),
  ],
])('%s arguments', (_, create) => {
  test.each([
    0,
    -1,
    NaN,
    Infinity,
    2 ** 32,
    null,
    undefined,
    '',
    '5',
    's',
    '5 s',
    '5d',
    '-5s',
    '0ms',
    '.5s',
    '1e3ms',
    '2000h',
    {},
  ])('refuses the interval %p', (interval) => {
    expect(() => create(interval, { clock })).toThrow(InvalidDeadlineError);
  });

  test.each([[[]], [{ signal: 1 }], [{ clock: {} }]])(
    'refuses the options %p',
    (options) => {
      expect(() => create(5, options)).toThrow(TypeError);
    },
  );
});

describe('Time.interval', () => {
  test.each([
    [5, 5],
    [0.5, 1],
    ['500ms', 500],
    ['5s', 5000],
    ['2.5m', 150_000],
    ['1h', 3_600_000],
    [0xffffffff, 0xffffffff],
  ])('%p is %p ms', async (interval, ms) => {
    const ticks = Time.interval(interval, { clock });
    const tick = ticks.next();
    let ticked = false;
    tick.then(() => {
      ticked = true;
    });
    await advance(ms - 1);
    expect(ticked).toBe(false);
    await advance(1);
    expect(ticked).toBe(true);
    ticks.stop();
  });

  test('ticks are frozen, numbered from 1, and do not drift', async () => {
    const start = wallMs();
    const ticks = Time.interval(10, { clock });
    expect(Object.isFrozen(ticks)).toBe(true);
    for (let index = 1; index <= 3; index += 1) {
      const tick = ticks.next();
      await advance(index === 2 ? 14 : index === 3 ? 6 : 10);
      const { value, done } = await tick;
      expect(done).toBe(false);
      expect(Object.isFrozen(value)).toBe(true);
      expect(value.index).toBe(index);
      expect(value.scheduledAt.getTime()).toBe(start + index * 10);
      expect(value.at.getTime()).toBe(wallMs());
    }
    ticks.stop();
  });

  test('a late consumer gets one tick for all it missed', async () => {
    const start = wallMs();
    const ticks = Time.interval(10, { clock });
    await advance(35);
    const first = (await ticks.next()).value;
    expect(first.scheduledAt.getTime()).toBe(start + 10);
    expect(first.at.getTime()).toBe(start + 35);
    const second = ticks.next();
    await advance(5);
    expect((await second).value.scheduledAt.getTime()).toBe(start + 40);
    ticks.stop();
  });

  test('immediate ticks at once, maxTicks ends the loop', async () => {
    const seen = [];
    const loop = (async () => {
      const options = { clock, immediate: true, maxTicks: 3 };
      for await (const { index, at } of Time.interval(10, options)) {
        seen.push([index, at.getTime() - 1_000_000]);
      }
    })();
    await settleMicrotasks();
    await advance(10);
    await advance(10);
    await loop;
    expect(seen).toEqual([
      [1, 0],
      [2, 10],
      [3, 20],
    ]);
  });

  test.each([0, -1, 1.5, '3', null])('maxTicks %p is refused', (maxTicks) => {
    expect(() => Time.interval(5, { maxTicks })).toThrow(
      new TypeError('Time.interval maxTicks must be a positive integer.'),
    );
  });

  test('overlapping next() rejects and does not harm the pending one', async () => {
    const ticks = Time.interval(10, { clock });
    const pending = ticks.next();
    await expect(ticks.next()).rejects.toThrow('already pending');
    await advance(10);
    expect((await pending).value.index).toBe(1);
    ticks.stop();
  });

  test('stop() ends a pending next(), and is idempotent', async () => {
    const ticks = Time.interval(10, { clock });
    const pending = ticks.next();
    ticks.stop();
    ticks.stop();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await ticks.next()).toEqual({ done: true, value: undefined });
  });

  test('return() ends it with a value', async () => {
    const ticks = Time.interval(10, { clock });
    expect(await ticks.return('end')).toEqual({ done: true, value: 'end' });
    expect((await ticks.next()).done).toBe(true);
  });

  test('leaving a loop lets go of the signal', async () => {
    const { signal } = new AbortController();
    for await (const _ of Time.interval(1, { signal, immediate: true })) break;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('a cancelled signal ends the iteration without throwing', async () => {
    const controller = new AbortController();
    const ticks = Time.interval(10, { clock, signal: controller.signal });
    const pending = ticks.next();
    controller.abort();
    expect((await pending).done).toBe(true);
    expect(
      (await Time.interval(5, { signal: controller.signal }).next()).done,
    ).toBe(true);
  });

  test('reports the end of its clock', async () => {
    const pending = Time.interval(10, { clock }).next();
    clock.dispose();
    await expect(pending).rejects.toBeInstanceOf(TimerDisposedError);
  });
});
