'use strict';

// Stores and resources of node:async_hooks, as in Node. Numbers differ, because
// in Node all that is asynchronous has one.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'disable() within a run of another store': async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const [one, two, three] = [0, 0, 0].map(() => new AsyncLocalStorage());
    const log = [];
    const say = (where) =>
      log.push([where, one.getStore(), two.getStore(), three.getStore()]);
    three.enterWith('third');
    one.run('first', () => {
      two.run('second', () => {
        say('inside');
        one.disable();
        say('disabled');
      });
      say('after two');
    });
    say('after one');
    one.run('again', () => {
      two.run('second', () => two.run('deeper', () => three.disable()));
      say('three is off');
    });
    say('at the end');
    return log;
  },
  'which resource runs': async () => {
    const hooks = await import('node:async_hooks');
    const { AsyncResource, executionAsyncId, executionAsyncResource } = hooks;
    const mark = Symbol('mark');
    executionAsyncResource()[mark] = 1;
    const outer = new AsyncResource('outer');
    const inner = new AsyncResource('inner', { triggerAsyncId: 17 });
    const log = [executionAsyncResource()[mark]];
    const say = (resource) =>
      log.push([
        executionAsyncResource() === resource,
        executionAsyncId() === resource.asyncId(),
        hooks.triggerAsyncId() === resource.triggerAsyncId(),
      ]);
    outer.runInAsyncScope(() => {
      say(outer);
      inner.runInAsyncScope(say, null, inner);
      say(outer);
      const made = new AsyncResource('made');
      log.push(made.triggerAsyncId() === outer.asyncId());
      try {
        inner.runInAsyncScope(() => {
          throw new Error('thrown');
        });
      } catch ({ message }) {
        log.push(message);
      }
      say(outer);
    });
    const bound = AsyncResource.bind(() => executionAsyncId());
    log.push(bound() > 0, executionAsyncId() === outer.asyncId());
    log.push(
      inner.triggerAsyncId(),
      new AsyncResource('n', 5).triggerAsyncId(),
    );
    log.push(
      new AsyncResource('o', {}).triggerAsyncId() === executionAsyncId(),
    );
    for (const wrong of [-2, 1.5, { triggerAsyncId: null }]) {
      try {
        new AsyncResource('wrong', wrong);
      } catch ({ code, message }) {
        log.push([code, message]);
      }
    }
    return log;
  },
});
