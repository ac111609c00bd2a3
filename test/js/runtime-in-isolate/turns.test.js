'use strict';

// Callbacks that throw, messages and intervals come in the order of Node's
// loop: each program is run by a thread of this Node as well.

const { bothPlaces } = require('../support/both-places.js');

/** Each runs in a callback of its own, and has `log`. */
const PROGRAMS = {
  'a tick that throws leaves the others to the next callback': `
    setImmediate(() => {
      setImmediate(() => {
        log('immediate');
        process.nextTick(log, 'its tick');
      });
      process.nextTick(() => { throw new Error('one'); });
      process.nextTick(log, 'second');
      Promise.resolve().then(() => log('then'));
    });
    setImmediate(() => log('next immediate'));
    setImmediate(() => log('last immediate'));`,
  'two ticks that throw': `
    process.nextTick(() => { throw new Error('one'); });
    process.nextTick(() => { throw new Error('two'); });
    process.nextTick(log, 'tick');
    queueMicrotask(() => log('microtask'));
    setImmediate(() => log('immediate'));
    setImmediate(() => log('another'));`,
  'immediates that throw': `
    setImmediate(() => {
      process.nextTick(log, 'tick');
      Promise.resolve().then(() => log('then'));
      setImmediate(() => log('later'));
      throw new Error('one');
    });
    setImmediate(() => log('second'));
    setImmediate(() => {
      process.nextTick(log, 'last tick');
      setImmediate(() => log('soon'));
      throw new Error('two');
    });`,
  'timers that throw': `
    setTimeout(() => {
      process.nextTick(log, 'tick');
      Promise.resolve().then(() => log('then'));
      throw new Error('one');
    }, 1);
    setTimeout(() => log('second'), 1);
    setTimeout(() => {
      process.nextTick(log, 'last tick');
      setImmediate(() => log('immediate'));
      throw new Error('two');
    }, 1);
    // All of them are due in one turn.
    const end = Date.now() + 5;
    while (Date.now() < end);`,
  'microtasks that throw end nothing': `
    queueMicrotask(() => { throw new Error('one'); });
    queueMicrotask(() => {
      log('microtask');
      process.nextTick(log, 'tick');
    });
    setImmediate(() => log('immediate'));`,
  'listeners of an event target that throw': `
    const target = new EventTarget();
    target.addEventListener('a', () => { throw new Error('one'); });
    target.addEventListener('a', () => log('second'));
    target.dispatchEvent(new Event('a'));
    process.nextTick(log, 'tick');
    setImmediate(() => log('immediate'));`,
  'an interval comes behind what its callback makes': `
    let count = 0;
    const interval = setInterval(() => {
      log('interval');
      count += 1;
      setTimeout(() => log('made'), 1);
      if (count === 3) clearInterval(interval);
    }, 1);`,
  'messages come before immediates, by their ports': `
    const channels = [1, 2, 3].map((number) => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', (text) => {
        log(number + text);
        process.nextTick(log, 'tick');
        setImmediate(() => log('made by ' + number));
      });
      port1.on('close', () => log('closed ' + number));
      return { port1, port2 };
    });
    setImmediate(() => log('immediate'));
    channels[2].port2.postMessage('a');
    channels[0].port2.postMessage('b');
    channels[0].port2.postMessage('c');
    channels[1].port2.postMessage('d');
    channels[2].port2.postMessage('e');
    setTimeout(() => { for (const { port2 } of channels) port2.close(); }, 20);`,
  'ports that close': `
    const make = (name, then) => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', () => {
        log(name);
        then?.();
        port1.close();
      });
      port1.on('close', () => log(name + ' first'));
      port2.on('close', () => log(name + ' second'));
      port2.postMessage(0);
    };
    make('a', () => make('b'));
    make('c', () => make('d', () => make('e')));`,
  'a port that closes takes what is there': `
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (number) => {
      log(number);
      port1.close();
      setImmediate(() => log('immediate'));
    });
    port1.on('close', () => log('closed'));
    for (const number of [1, 2, 3]) port2.postMessage(number);
    port2.close(() => log('other'));`,
  'what a callback enters is left with it': `
    const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks');
    const store = new AsyncLocalStorage();
    const tell = (where) => log(where + store.getStore());
    store.run(0, () => {});
    queueMicrotask(() => store.enterWith('microtask'));
    queueMicrotask(() => tell('microtask '));
    process.nextTick(() => store.enterWith('tick'));
    process.nextTick(() => tell('tick '));
    setImmediate(() => store.enterWith('immediate'));
    setImmediate(() => tell('immediate '));
    setTimeout(() => {
      Promise.resolve().then(() => store.enterWith('then'));
    }, 5);
    setTimeout(() => tell('timer '), 50);`,
  'a listener to messages that throws': `
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (number) => {
      log(number);
      process.nextTick(log, 'tick');
      if (number === 1) throw new Error('one');
      if (number === 3) port1.close();
    });
    for (const number of [1, 2, 3]) port2.postMessage(number);
    setImmediate(() => log('immediate'));`,
};

const run = new Function(
  'given',
  `return (async ({ program }) => {
    const seen = [];
    const log = (what) => { seen.push(what); };
    const caught = (error) => log('caught ' + error.message);
    process.on('uncaughtException', caught);
    await new Promise((resolve) => setTimeout(() => {
      new Function('log', program)(log);
      resolve();
    }, 1));
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.off('uncaughtException', caught);
    return seen;
  })(given.input);`,
);

const places = bothPlaces();

test.each(Object.keys(PROGRAMS))('%s', async (name) => {
  const input = { program: PROGRAMS[name] };
  const seen = await places.isolates.run(run, { input });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual(await places.threads.run(run, { input }));
});
