// usage: node in-node.mjs <entry file> [pace]   What Node itself makes of a graph.
// A graph's short timers take `pace` times as long as they say (1).
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , entry, pace = '1'] = process.argv;
const { setTimeout } = globalThis;
// The wait for the graph's end is long: it keeps its length.
globalThis.setTimeout = (go, ms) =>
  setTimeout(go, ms < 10 ? ms * Number(pace) : ms);
const nameOf = (e) =>
  e === null || typeof e !== 'object' ? String(e) : (e.code ?? e.name);
let outcome = '["never"]';
// The text is made at once, because code that nobody awaits may go on to log.
const settle = (...what) => {
  outcome = JSON.stringify(what);
};
// V8 rejects a promise of its own where a graph that awaits needs a CommonJS
// file that throws.
process.on('unhandledRejection', () => {});
process.on('exit', () => {
  writeSync(1, `${outcome}\n`);
  process.exitCode = 0;
});
try {
  const space = await import(pathToFileURL(entry).href);
  const { f } = space;
  if (typeof f === 'function') settle('value', await f());
  else settle('error', 'no export');
} catch (error) {
  settle('error', nameOf(error));
}
