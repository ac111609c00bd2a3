'use strict';

// A process of its own, in which nobody minds rejected promises: runs random
// functions that are taken for closed, and looks whether one has changed a
// built-in object of its realm. Prints how many have run, and which of those
// that do change one were seen to.

const assert = require('node:assert/strict');
const vm = require('node:vm');
const fc = require('fast-check');

const { isClosed } = require('../../../lib/entries/closed-function.js');

// Far more than any of these functions takes on a busy machine.
const ENDLESS_MS = 10_000;

const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

// Properties that are to stay of each object that the realm's globals reach.
function recordOf(roots) {
  const record = new Map();
  const open = [];
  const meet = (value) => {
    if (!isObject(value) || record.has(value)) return;
    record.set(value, []);
    open.push(value);
  };
  for (const root of roots) meet(root);
  while (open.length > 0) {
    const object = open.pop();
    const facts = record.get(object);
    const prototype = Reflect.getPrototypeOf(object);
    meet(prototype);
    facts.push(prototype, Reflect.isExtensible(object));
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set, ...flags } = Reflect.getOwnPropertyDescriptor(
        object,
        key,
      );
      for (const each of [value, get, set]) meet(each);
      facts.push(key, value, get, set, Object.values(flags).join());
    }
  }
  return record;
}

function isSame(before, after) {
  if (before.size !== after.size) return false;
  for (const [object, facts] of before) {
    const now = after.get(object);
    if (now?.length !== facts.length) return false;
    if (!facts.every((fact, i) => Object.is(fact, now[i]))) return false;
  }
  return true;
}

class Realm {
  constructor() {
    this.context = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
    this.global = vm.runInContext('globalThis', this.context);
    this.names = Object.getOwnPropertyNames(this.global).filter(
      (name) => name !== 'globalThis',
    );
    this.run('(() => 1)');
    // Objects that syntax alone leads to.
    this.others = vm.runInContext(
      '[[].values(), ""[Symbol.iterator](), function* () {}, async () => {}, ' +
        'async function* () {}, "".matchAll(/x/g)].map(Object.getPrototypeOf)',
      this.context,
    );
    this.values = this.names.map((name) => this.global[name]);
    this.record = this.#record();
  }

  /** @returns {boolean} it has run, whatever it came to */
  run(source) {
    let script;
    try {
      script = new vm.Script(`${source}({ input: 'text' })`);
    } catch {
      return false;
    }
    try {
      script.runInContext(this.context, { timeout: ENDLESS_MS });
    } catch {
      // An error that it throws changes nothing.
    }
    return true;
  }

  isAsItWas() {
    const now = this.names.map((name) => this.global[name]);
    return (
      now.every((value, i) => Object.is(value, this.values[i])) &&
      isSame(this.record, this.#record())
    );
  }

  #record() {
    return recordOf([...this.values, ...this.others]);
  }
}

// --- random functions --------------------------------------------------------

const OWN = ['a', 'b', 'f', 'g', 'input'];
const MEMBERS = ['then', 'call', 'apply', 'bind', 'name', 'length', 'caller'];
const MORE = [
  'next',
  'push',
  'replace',
  'raw',
  'finally',
  'get',
  'of',
  'async',
];
const DOUBTFUL = [
  'constructor',
  'toString',
  'valueOf',
  'isNaN',
  'Math',
  'this',
];

const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...OWN) },
  { weight: 6, arbitrary: fc.constantFrom(...MEMBERS, ...MORE) },
  { weight: 1, arbitrary: fc.constantFrom(...DOUBTFUL) },
);

const { body } = fc.letrec((tie) => {
  const x = tie('expression');
  const s = tie('statement');
  const text = (parts, ...values) =>
    fc.tuple(...values).map((of) => String.raw({ raw: parts }, ...of));
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'x' },
      name,
      fc.constantFrom(
        '1',
        "'text'",
        '""',
        '2n',
        '/x/',
        'null',
        'async () => 1',
      ),
      text`${x} + ${x}`,
      text`${x} ? ${x} : ${x}`,
      text`(${x})`,
      text`${name}(${x})`,
      text`(${x})(${x})`,
      text`Math.abs(${x})`,
      text`${name} = ${x}`,
      text`({ ${name}: ${x}, ${name} })`,
      text`({ ${name}(${name}, ${name}) { ${s} } })`,
      text`({ get ${name}() { return ${x} } })`,
      text`({ ${name} } = ${x})`,
      text`(${name}) => ${x}`,
      text`async (${name}) => ${x}`,
      text`(function* () { return ${x} })()`,
      text`${x}.${name}`,
    ),
    statement: fc.oneof(
      { maxDepth: 4, depthIdentifier: 's' },
      text`const { ${name}: ${name} } = ${x};`,
      text`const { ${name} } = ${x};`,
      text`let ${name} = ${x};`,
      text`${x};`,
      text`({ ${name}: ${name} } = ${x});`,
      text`if (${x}) { ${s} }`,
      text`try { ${s} } catch (${name}) { ${s} }`,
      text`for (const ${name} of ${x}) { ${s} }`,
      text`function ${name}(${name}) { ${s} }`,
      text`return ${x};`,
      text`throw ${x};`,
    ),
    body: fc.array(s, { minLength: 1, maxLength: 5 }),
  };
});

const CHANGES = [
  '(() => { Object.x = 1 })',
  '(() => { isNaN = 1 })',
  '(() => { Object.setPrototypeOf(Map.prototype.get, null) })',
  '(() => { (() => 1).constructor.prototype.call = 1 })',
  '(() => { Object.freeze([].values().__proto__) })',
];

function isSeen(source) {
  const realm = new Realm();
  assert(realm.isAsItWas());
  assert(realm.run(source));
  return !realm.isAsItWas();
}

const realm = new Realm();
let ran = 0;
fc.assert(
  fc.property(body, (statements) => {
    const source = `(({ input }) => { ${statements.join(' ')} })`;
    if (!isClosed(source) || !realm.run(source)) return;
    ran += 1;
    assert(realm.isAsItWas());
  }),
  { numRuns: 3000 },
);
console.log(JSON.stringify({ ran, seen: CHANGES.map(isSeen) }));
