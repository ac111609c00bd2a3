// usage: node in-node.mjs <entry file>   What Node itself makes of a graph.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const entry = process.argv[2];
const nameOf = (e) =>
  e === null || typeof e !== 'object' ? String(e) : (e.code ?? e.name);
let outcome = ['never'];
process.on('exit', () => {
  writeSync(1, `${JSON.stringify(outcome)}\n`);
  process.exitCode = 0;
});
try {
  const space = await import(pathToFileURL(entry).href);
  const { f } = space;
  outcome =
    typeof f === 'function' ? ['value', await f()] : ['error', 'no export'];
} catch (error) {
  outcome = ['error', nameOf(error)];
}
