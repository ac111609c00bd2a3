'use strict';

// Callbacks are called in the AsyncLocalStorage of their message.

const { AsyncLocalStorage } = require('node:async_hooks');

const { pool, stopAll } = require('./support.js');

afterEach(stopAll);

const ECHO = { e: { text: 'finished({ no: message.no })' } };

test('many that wait at once, some of one store, some of none', async () => {
  const storage = new AsyncLocalStorage();
  const qoper8 = pool(ECHO);
  const seen = await new Promise((resolve) => {
    const stores = [];
    const send = (no) =>
      qoper8.message({ type: 'e', no }, () => {
        stores.push(storage.getStore());
        if (stores.length === 8) resolve(stores);
      });
    // Some come before anybody has used the storage, some after.
    send(0);
    send(1);
    storage.run('a', () => {
      send(2);
      send(3);
      storage.run('b', () => send(4));
      send(5);
    });
    send(6);
    storage.run('a', () => send(7));
  });
  const none = undefined;
  expect(seen).toEqual([none, none, 'a', 'a', 'b', 'a', none, 'a']);
});
