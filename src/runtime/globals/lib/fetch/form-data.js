'use strict';

const { wellFormed } = require('../usv-string.js');
const { enumerable, inspectSymbol, need, tag } = require('../webidl.js');
const { pairIterable } = require('./pairs.js');

const { File, isBlob } = require('sw:blob');

function entryOf(args, where) {
  const [name, value, filename] = args;
  const key = wellFormed(`${name}`);
  if (!isBlob(value)) {
    if (args.length > 2) throw new TypeError(`${where}: the value is no Blob`);
    return [key, wellFormed(`${value}`)];
  }
  const isFile = value instanceof File;
  if (isFile && filename === undefined) return [key, value];
  const shown = filename === undefined ? 'blob' : filename;
  const { type } = value;
  const init = isFile ? { type, lastModified: value.lastModified } : { type };
  return [key, new File([value], shown, init)];
}

class FormData {
  #entries = [];

  constructor(form = undefined) {
    if (form !== undefined) {
      throw new TypeError('FormData: there are no forms in a worker');
    }
  }

  append(...args) {
    need(2, args.length, 'FormData.append');
    this.#entries.push(entryOf(args, 'FormData.append'));
  }

  delete(name) {
    need(1, arguments.length, 'FormData.delete');
    const key = wellFormed(`${name}`);
    this.#entries = this.#entries.filter(([other]) => other !== key);
  }

  get(name) {
    need(1, arguments.length, 'FormData.get');
    const key = wellFormed(`${name}`);
    return this.#entries.find(([other]) => other === key)?.[1] ?? null;
  }

  getAll(name) {
    need(1, arguments.length, 'FormData.getAll');
    const key = wellFormed(`${name}`);
    return this.#entries
      .filter(([other]) => other === key)
      .map(([, value]) => value);
  }

  has(name) {
    need(1, arguments.length, 'FormData.has');
    const key = wellFormed(`${name}`);
    return this.#entries.some(([other]) => other === key);
  }

  set(...args) {
    need(2, args.length, 'FormData.set');
    const entry = entryOf(args, 'FormData.set');
    const at = this.#entries.findIndex(([other]) => other === entry[0]);
    if (at < 0) {
      this.#entries.push(entry);
      return;
    }
    this.#entries = this.#entries.filter(
      ([other], index) => index <= at || other !== entry[0],
    );
    this.#entries[at] = entry;
  }

  static internals = {
    isFormData: (value) =>
      typeof value === 'object' && value !== null && #entries in value,
    pairs: (form) => form.#entries,
  };
}
const { isFormData, pairs } = FormData.internals;
delete FormData.internals;
for (const [name, length] of [
  ['append', 2],
  ['set', 2],
]) {
  Object.defineProperty(FormData.prototype[name], 'length', { value: length });
}
enumerable(FormData, ['append', 'delete', 'get', 'getAll', 'has', 'set']);
pairIterable(FormData, pairs);
tag(FormData);
Object.defineProperty(FormData.prototype, inspectSymbol, {
  value(depth, options, inspect) {
    const shown = {};
    for (const [name, value] of pairs(this)) {
      const before = Object.hasOwn(shown, name) ? [shown[name]].flat() : [];
      shown[name] = before.length === 0 ? value : [...before, value];
    }
    return `FormData ${inspect(shown, { depth, ...options })}`;
  },
  configurable: true,
  writable: true,
});

module.exports = { FormData, formPairs: pairs, isFormData };
