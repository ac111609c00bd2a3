'use strict';
// The second of two signals ends a command at once, unless it is the same key.

const { performance } = require('node:perf_hooks');

const { onStop } = require('../../../lib/cli/interrupt.js');

describe('a signal that comes twice', () => {
  const clock = jest.spyOn(performance, 'now');
  const exit = jest.spyOn(process, 'exit').mockReturnValue();
  const press = (at) => {
    clock.mockReturnValue(at);
    process.emit('SIGINT', 'SIGINT');
  };
  let stop;
  beforeEach(() => {
    stop = onStop();
  });
  afterEach(() => {
    stop.end();
    jest.clearAllMocks();
  });
  afterAll(() => jest.restoreAllMocks());

  test('at once, as from npx, is one Ctrl-C', () => {
    press(1000);
    expect([stop.exit, stop.signal.aborted]).toEqual([130, true]);
    press(1500);
    expect(exit).not.toHaveBeenCalled();
  });

  test('later is one that does not wait', () => {
    press(1000);
    press(1501);
    expect(exit.mock.calls).toEqual([[130]]);
  });

  test('is none for a command that is over', () => {
    stop.end();
    const ignored = jest.fn();
    process.once('SIGINT', ignored);
    press(1000);
    expect(stop.exit).toBeUndefined();
  });
});
