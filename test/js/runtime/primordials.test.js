'use strict';
// The copies of the built-ins that Node's library works with: those that our
// build makes (scripts/lib/node-primordials.mjs) are held against those that
// Node's own text makes, each in a realm of its own.

const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const { modules: ABI } = process.versions;
const BASE = join(
  __dirname,
  `../../../src/runtime/gen/${ABI}/library-base.gen.js`,
);

const PRINT = `process.stdout.write(process.binding('natives')['internal/per_context/primordials'])`;
const nodesText = () =>
  execFileSync(process.execPath, ['--no-deprecation', '-e', PRINT], {
    encoding: 'utf8',
  });

function ours() {
  const context = vm.createContext(Object.create(null));
  const make = vm.runInContext(readFileSync(BASE, 'utf8'), context);
  const scope = vm.runInContext(
    '({ process: {}, primordials: { __proto__: null } })',
    context,
  );
  make(scope);
  return { context, primordials: scope.primordials, scope };
}

function nodes() {
  const context = vm.createContext(Object.create(null));
  const parameters = 'primordials, privateSymbols, perIsolateSymbols';
  const text = `(function (${parameters}) {${nodesText()}\n})`;
  const primordials = vm.runInContext('({})', context);
  vm.runInContext(text, context)(primordials, {}, {});
  return { context, primordials };
}

// An object's chain as it shows each key; `builtin` is the class whose members
// it has.
const SHOW = `(function (value, builtin) {
  if (typeof value !== 'function') return typeof value;
  const rows = { name: value.name, length: value.length };
  if (builtin === undefined) return rows;
  const shown = (found, own) => ({
    is: 'get' in found ? found.get === own?.get : found.value === own?.value,
    type: typeof (found.value ?? found.get),
    writable: found.writable,
    configurable: found.configurable,
  });
  const members = {};
  let depth = 0;
  for (let at = value.prototype; at !== null; at = Object.getPrototypeOf(at)) {
    if (!Object.isFrozen(at)) members.open = ++depth;
    for (const key of Reflect.ownKeys(at)) {
      if (key === 'constructor') {
        members.constructor = at.constructor === value;
        continue;
      }
      const own = Object.getOwnPropertyDescriptor(builtin.prototype, key);
      members[String(key)] ??= shown(Object.getOwnPropertyDescriptor(at, key), own);
    }
  }
  const species = Object.getOwnPropertyDescriptor(value, Symbol.species);
  return { ...rows, members, isFrozen: Object.isFrozen(value), species: species !== undefined };
})`;

const SAFE = [
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'FinalizationRegistry',
];

// Fails each use of what a job can replace.
const REPLACE = `
const Text = String;
const refuse = (what) => () => { throw new Error('replaced: ' + what); };
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const objects = [
  Array.prototype, Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype,
  Promise, Promise.prototype, String.prototype, RegExp.prototype, Object, Reflect,
  getPrototypeOf([][Symbol.iterator]()), getPrototypeOf(new Map().entries()),
  getPrototypeOf(new Set().values()), getPrototypeOf(''[Symbol.iterator]()),
];
for (let at = 0; at < objects.length; at += 1) {
  const keys = ownKeys(objects[at]);
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index];
    // Node's own copies of promises ask for a species.
    if (key === 'constructor' || key === 'prototype' || key === Symbol.species) continue;
    if (!getOwnPropertyDescriptor(objects[at], key).configurable) continue;
    const value = refuse(Text(key));
    kept(objects[at], key, { value, configurable: true, writable: true });
  }
}`;

const USE = `
const map = new p.SafeMap();
map.set(1, 'a');
map.set('b', 2);
const set = new p.SafeSet();
set.add(3);
const weak = new p.SafeWeakMap();
weak.set(map, 4);
const weakSet = new p.SafeWeakSet();
weakSet.add(map);
const all = [];
const put = (value) => { all[all.length] = value; };
const walk = (iterator) => {
  for (let step = iterator.next(); !step.done; step = iterator.next()) put(step.value);
};
const told = (value) => { put(value); };
const steps = [
  () => walk(map.entries()), () => walk(map.keys()), () => walk(map.values()),
  () => walk(set.values()), () => walk(set.keys()), () => walk(set.entries()),
  () => { for (const { 0: key, 1: value } of map) { put(key); put(value); } },
  () => { for (const value of set) put(value); },
  () => { for (const value of new p.SafeArrayIterator([5, 6])) put(value); },
  () => { for (const value of new p.SafeStringIterator('xy')) put(value); },
  () => map.forEach(put),
  () => put(map.size), () => put(set.size), () => put(map.get(1)), () => put(map.has('b')),
  () => put(map.delete('b')), () => put(map.size), () => put(weak.get(map)),
  () => put(weak.has(set)), () => put(weakSet.has(map)),
  () => put(new p.SafeWeakRef(map).deref() === map),
  () => put(p.ArrayPrototypeJoin([1, 2], '-')),
  () => put(p.ArrayPrototypeMap([1, 2], (one) => one * 2)[1]),
  () => put(p.StringPrototypeSlice('abc', 1)),
  () => put(p.RegExpPrototypeExec(/b/, 'abc').index),
  () => p.PromisePrototypeThen(p.SafePromiseAll([1, 2], (one) => p.PromiseResolve(one)),
    (list) => told(p.ArrayPrototypeJoin(list, '+')), (error) => told(error.message)),
  () => p.PromisePrototypeThen(p.SafePromisePrototypeFinally(p.PromiseResolve(7), () => told('last')),
    told, (error) => told(error.message)),
];
for (let at = 0; at < steps.length; at += 1) {
  try { steps[at](); } catch (error) { put(error.message); }
}
all`;

async function used({ context, primordials }) {
  context.p = primordials;
  context.kept = vm.runInContext('Object.defineProperty', context);
  vm.runInContext(REPLACE, context);
  const list = vm.runInContext(USE, context);
  // The promises' turns.
  for (let turn = 0; turn < 20; turn += 1) await undefined;
  await new Promise((resolve) => setImmediate(resolve));
  return Array.from({ length: list.length }, (_, at) =>
    typeof list[at] === 'object' ? Object.values(list[at]) : list[at],
  );
}

test('each copy is of the built-in that Node has copied', () => {
  const [here, there] = [ours(), nodes()];
  // Node 20 asks for its iterators' methods elsewhere.
  const names = Reflect.ownKeys(here.primordials).filter(
    (name) =>
      name in there.primordials ||
      !/^(Map|Set)IteratorPrototypeNext$/.test(name),
  );
  expect(names.length).toBeGreaterThan(150);
  const rowsOf = ({ context, primordials }) => {
    const show = vm.runInContext(SHOW, context);
    return Object.fromEntries(
      names.map((name) => [name, show(primordials[name])]),
    );
  };
  expect(rowsOf(here)).toEqual(rowsOf(there));
});

test.each(SAFE)('Safe%s has the members that Node gives it', (name) => {
  const rowsOf = ({ context, primordials }) => {
    const show = vm.runInContext(SHOW, context);
    return show(primordials[`Safe${name}`], vm.runInContext(name, context));
  };
  const rows = rowsOf(ours());
  expect(rows.members.open).toBe(undefined);
  expect(rows).toEqual(rowsOf(nodes()));
});

test('what replaces a built-in afterwards is called where Node calls it', async () => {
  // From 24 on Node's own copies call one method of iterators.
  const expected = await used(nodes());
  expect(expected).toEqual(expect.arrayContaining(['1+2', '1-2', 7]));
  expect(await used(ours())).toEqual(expected);
});

test('only ids that the library has are of a group', () => {
  const { groupOf } = ours().scope;
  expect(groupOf('events')).toBe('events');
  expect(groupOf('toString')).toBe(undefined);
});
