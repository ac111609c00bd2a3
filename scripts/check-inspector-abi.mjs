// Compares the virtual functions of V8's inspector in Node's executables with
// the table from which src/isolate/v8_inspector.h is written:
//
//   node scripts/check-inspector-abi.mjs [--write] [<node>...]
//
// Without paths, the running node. Each is a Linux executable with symbols, as
// nodejs.org gives them away. --write adds what is there to the table, for a
// new Node: then read what differs, and write the header.

import { openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { capture } from './lib/run.mjs';

const TABLE = join(root, 'scripts/lib/inspector-abi.json');
// The interfaces that call us or are called, by classes of Node's and of V8's
// that implement them.
const CLASSES = {
  V8InspectorClient: '_ZTVN4node9inspector19NodeInspectorClientE',
  V8Inspector: '_ZTVN12v8_inspector15V8InspectorImplE',
  V8InspectorSession: '_ZTVN12v8_inspector22V8InspectorSessionImplE',
};
const EXPORTS = [
  '_ZN12v8_inspector11V8Inspector6createEPN2v87IsolateEPNS_17V8InspectorClientE',
  '_ZN12v8_inspector12StringBuffer6createENS_10StringViewE',
];
// Up to those that the header declares.
const LAST = { V8Inspector: 'connect', V8InspectorSession: 'stop' };
const SECTION =
  /\[\s*\d+\]\s+\S+\s+(\S+)\s+([0-9a-f]+)\s+([0-9a-f]+)\s+([0-9a-f]+)/;
const POINTER = 8;
const OURS = /12v8_inspector|19NodeInspectorClient/;

function run(program, ...args) {
  const { status, output } = capture(program, args);
  if (status !== 0) throw new Problem(`${program} failed: ${output}`);
  return output;
}

function sectionsOf(file) {
  return run('readelf', '-SW', file)
    .split('\n')
    .map((line) => SECTION.exec(line))
    .filter((match) => match !== null && match[1] !== 'NOBITS')
    .map(([, , ...numbers]) =>
      numbers.map((text) => Number.parseInt(text, 16)),
    );
}

function readAt(file, sections, address, bytes) {
  const found = sections.find(
    ([begin, , size]) => address >= begin && address < begin + size,
  );
  if (found === undefined) throw new Problem(`nothing is at ${address}`);
  const data = Buffer.alloc(bytes);
  readSync(openSync(file), data, 0, bytes, found[1] + address - found[0]);
  return data;
}

/** The function's name, with its parameters, of a mangled one. */
function shortened(name) {
  const [plain] = run('c++filt', name).split('\n');
  return plain
    .replaceAll('v8_inspector::', '')
    .replace(/^(?:\w+::)+(~?\w+\()/, '$1');
}

function tableOf(file) {
  const vtables = new Map();
  const functions = new Map();
  const exported = new Set();
  for (const line of run('nm', '--defined-only', '-S', file).split('\n')) {
    const [address, size, kind, name] = line.split(' ');
    if (name === undefined || !OURS.test(name)) continue;
    const at = Number.parseInt(address, 16);
    if (name.startsWith('_ZTV'))
      vtables.set(name, [at, Number.parseInt(size, 16)]);
    // The linker may give several one address, if they do the same.
    if (/[tTwW]/.test(kind) && !functions.has(at)) functions.set(at, name);
    exported.add(name);
  }
  for (const name of EXPORTS) {
    if (!exported.has(name)) throw new Problem(`${file} has no ${name}`);
  }
  const sections = sectionsOf(file);
  const slotsOf = (owner) => {
    const [at, size] = vtables.get(CLASSES[owner]) ?? [];
    if (at === undefined) throw new Problem(`${file} has no ${CLASSES[owner]}`);
    const data = readAt(file, sections, at, size);
    const slots = [];
    // The name stands behind the offset and the type.
    for (let i = 2 * POINTER; i < size; i += POINTER) {
      const name = functions.get(Number(data.readBigUInt64LE(i)));
      slots.push(name === undefined ? '?' : shortened(name));
    }
    const last = slots.findIndex((name) => name.startsWith(`${LAST[owner]}(`));
    return last < 0 ? slots : slots.slice(0, last + 1);
  };
  return Object.fromEntries(
    Object.keys(CLASSES).map((owner) => [owner, slotsOf(owner)]),
  );
}

const v8Of = (file) =>
  run(file, '-p', 'process.versions.v8').split('.', 2).join('.');

await main(() => {
  const args = process.argv.slice(2);
  const writes = args[0] === '--write';
  const files = args.slice(writes ? 1 : 0);
  const known = JSON.parse(readFileSync(TABLE, 'utf8'));
  for (const file of files.length === 0 ? [process.execPath] : files) {
    const version = v8Of(file);
    const found = tableOf(file);
    if (writes) known[version] = found;
    for (const [owner, slots] of Object.entries(found)) {
      const expected = known[version]?.[owner] ?? [];
      const at = slots.findIndex((slot, i) => slot !== expected[i]);
      if (at >= 0 || slots.length !== expected.length) {
        throw new Problem(
          `V8 ${version}: ${owner}, slot ${at} is ${slots[at]}, ` +
            `not ${expected[at]}`,
        );
      }
    }
    console.log(`V8 ${version}: as in the table`);
  }
  if (writes) writeFileSync(TABLE, `${JSON.stringify(known, null, 2)}\n`);
});
