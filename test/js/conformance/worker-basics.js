'use strict';
// A module with functions of each kind, for tests of `Worker`.

const STALE = 'SLOPPY_E_WORKER_STALE_HANDLE: worker handle has been stopped';
const basics = `
  let calls = 0;
  export function add({ a, b }) { return a + b; }
  export async function later(value) { return value; }
  export const arrow = (value) => value;
  export const version = 3;
  export const count = () => { calls += 1; return calls; };
  export function sum(list) { return list.reduce((s, n) => s + add({ a: n, b: 0 }), 0); }
  export function fail() { throw new RangeError('worker text'); }
  export function spin() { for (;;); }
  export async function stick() {
    postMessage('stuck');
    await null;
    for (;;);
  }
  export function onMessage(message) { return { got: message }; }
  export const context = (payload, ctx) =>
    [payload, ctx.input, typeof ctx.signal.cancelled, typeof ctx.deadline, typeof ctx.emit];
`;

module.exports = { STALE, basics };
