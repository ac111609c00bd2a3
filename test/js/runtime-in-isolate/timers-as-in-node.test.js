'use strict';

// Node's main thread and isolates: what becomes of a handle that is cleared, has
// fired, or is started again.

const { answersAsInNode } = require('./as-in-node-support.js');

const PROGRAMS = {
  'refresh() of what was cleared': async () => {
    const log = [];
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const waiting = setTimeout(() => log.push('cleared while it waited'), 1);
    clearTimeout(waiting);
    log.push(waiting.refresh() === waiting);
    const within = setTimeout(() => {
      log.push('once');
      clearTimeout(within);
      within.refresh();
    }, 1);
    const interval = setInterval(() => {
      log.push('interval');
      clearInterval(interval);
      interval.refresh();
    }, 1);
    const fired = setTimeout(() => log.push('fired'), 1);
    await wait(20);
    clearTimeout(fired);
    fired.refresh();
    const disposed = setInterval(() => log.push('disposed'), 1);
    disposed.close();
    disposed.refresh();
    await wait(20);
    return log;
  },

  'refresh() of what has fired': async () => {
    const log = [];
    let left = 2;
    await new Promise((resolve) => {
      const timer = setTimeout(() => {
        log.push([left, timer._destroyed, timer._idleTimeout]);
        left -= 1;
        if (left > 0) timer.refresh();
        else setTimeout(resolve, 5);
      }, 2);
    });
    return log;
  },

  'what a handle says of itself': async () => {
    const log = [];
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const say = (timer) =>
      log.push([
        timer._destroyed,
        timer._idleTimeout,
        typeof timer._onTimeout === 'function',
        timer._repeat,
        timer.hasRef(),
      ]);
    const once = setTimeout(() => say(once), 3);
    say(once);
    await wait(10);
    say(once);
    say(once.refresh());
    await wait(10);
    say(once.unref());
    say(once.refresh());
    clearTimeout(once);
    say(once);
    let left = 2;
    const often = setInterval(() => {
      say(often);
      left -= 1;
      if (left === 0) clearInterval(often);
    }, 3);
    say(often);
    await wait(30);
    say(often);
    return log;
  },

  'an interval that its callback changes': async () => {
    const log = [];
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const stopped = setInterval(() => {
      log.push('stopped');
      stopped._repeat = null;
    }, 1);
    const slower = setInterval(() => {
      log.push('slower');
      slower._repeat = 10_000;
    }, 1);
    await wait(20);
    log.push(stopped._destroyed, slower._destroyed, slower._idleTimeout);
    clearInterval(slower);
    const again = setTimeout(() => {
      log.push('again');
      again._repeat = log.includes('more') ? null : 1;
      log.push('more');
    }, 1);
    await wait(20);
    log.push(again._destroyed);
    return log;
  },

  'util.promisify': async () => {
    const { promisify } = await import('node:util');
    const promises = await import('node:timers/promises');
    return [
      promisify(setTimeout) === promises.setTimeout,
      promisify(setImmediate) === promises.setImmediate,
      Object.getOwnPropertyDescriptor(setTimeout, promisify.custom).enumerable,
    ];
  },
};

answersAsInNode(PROGRAMS);
