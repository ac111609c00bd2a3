'use strict';

const { getEventListeners } = require('node:events');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');

const {
  CancelledError,
  InvalidDeadlineError,
  Time,
  TimerDisposedError,
} = require('../../../lib/time.js');
const { rejection, settleMicrotasks } = require('../support/promises.js');

afterEach(() => {
  jest.useRealTimers();
  expect(pendingTimers()).toBe(0);
});

describe('clocks', () => {
  test('the system clock', async () => {
    const clock = Time.systemClock();
    expect(clock).toBe(Time.systemClock());
    expect(Object.isFrozen(clock)).toBe(true);
    expect(clock.kind).toBe('system');
    const before = Date.now();
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
    const start = clock.monotonicNowMs();
    await clock.delay(2);
    expect(clock.monotonicNowMs() - start).toBeGreaterThanOrEqual(2);
    expect(
      await rejection(clock.delay(5, { signal: AbortSignal.abort() })),
    ).toBeInstanceOf(CancelledError);
    expect(() => clock.delay(-1)).toThrow(InvalidDeadlineError);
  });

  test('the fake clock starts where it is told and moves when told', () => {
    const clock = Time.fakeClock({ now: new Date(5000) });
    expect(clock.kind).toBe('fake');
    expect(Object.isFrozen(clock)).toBe(true);
    clock.advanceBy(0);
    expect(clock.now()).toEqual(new Date(5000));
    expect(clock.monotonicNowMs()).toBe(0);
    clock.advanceBy(250);
    expect(clock.now()).toEqual(new Date(5250));
    expect(clock.monotonicNowMs()).toBe(250);
    expect(Time.fakeClock({ now: 7 }).now().getTime()).toBe(7);
    expect(Time.fakeClock().now().getTime()).toBe(0);
  });

  test('set() forward is an advance, backward moves the wall clock only', async () => {
    const clock = Time.fakeClock({ now: 1000 });
    const delay = clock.delay(50);
    clock.set(500);
    expect(clock.now().getTime()).toBe(500);
    expect(clock.monotonicNowMs()).toBe(0);
    clock.set(new Date(550));
    await delay;
    expect(clock.monotonicNowMs()).toBe(50);
  });

  test('delays fire by due time, then start, each at its own time', async () => {
    const clock = Time.fakeClock();
    const fired = [];
    const start = (id, ms) => clock.delay(ms).then(() => fired.push(id));
    start('20', 20);
    start('10a', 10);
    start('10b', 9.5);
    start('30', 30);
    clock.advanceBy(25);
    await settleMicrotasks();
    expect(fired).toEqual(['10a', '10b', '20']);
    clock.advanceBy(5);
    await settleMicrotasks();
    expect(fired).toHaveLength(4);
  });

  test('a delay of 0 needs no advance', async () => {
    const { signal } = new AbortController();
    await Time.fakeClock().delay(0, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('a cancelled delay rejects and never fires', async () => {
    const clock = Time.fakeClock();
    const controller = new AbortController();
    const waiting = rejection(clock.delay(5, { signal: controller.signal }));
    controller.abort('why');
    expect((await waiting).reason).toBe('why');
    clock.advanceBy(5);
  });

  test('dispose rejects what is pending and what comes later', async () => {
    const clock = Time.fakeClock();
    const pending = rejection(clock.delay(5));
    clock.dispose();
    clock[Symbol.dispose]();
    expect(await pending).toBeInstanceOf(TimerDisposedError);
    expect(await rejection(clock.delay(5))).toBeInstanceOf(TimerDisposedError);
    expect(() => clock.advanceBy(1)).toThrow(TimerDisposedError);
    expect(() => clock.set(1)).toThrow(TimerDisposedError);
  });

  test.each([-1, NaN, Infinity, '5', undefined])(
    'advanceBy(%p) is refused',
    (ms) => {
      expect(() => Time.fakeClock().advanceBy(ms)).toThrow(
        InvalidDeadlineError,
      );
    },
  );

  test('using', () => {
    const clock = Time.fakeClock();
    clock[Symbol.dispose]();
    expect(() => clock.advanceBy(1)).toThrow(TimerDisposedError);
  });

  test('instants must be valid', () => {
    expect(() => Time.fakeClock({ now: 'soon' })).toThrow(InvalidDeadlineError);
    expect(() => Time.fakeClock().set(NaN)).toThrow(InvalidDeadlineError);
  });
});
