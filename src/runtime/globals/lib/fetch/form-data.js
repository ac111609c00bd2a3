'use strict';

const { wellFormed } = require('../usv-string.js');
const { enumerable, tag } = require('../webidl.js');
const { inspectable, withOptions } = require('./inspected.js');
const { pairIterable } = require('./pairs.js');
const { illegal, need, noBlob, wrong } = require('./refusals.js');

const { File, isBlob } = require('sw:blob');

function entryOf(args, where) {
  const [name, value] = args;
  // As in the library, more arguments are none.
  const filename = args.length === 3 ? args[2] : undefined;
  if (args.length === 3 && !isBlob(value)) throw noBlob(value, where);
  const key = wellFormed(`${name}`);
  if (!isBlob(value)) return [key, wellFormed(`${value}`)];
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
      throw wrong(
        'FormData constructor: Argument 1 could not be converted to: undefined.',
      );
    }
  }

  append(...args) {
    if (!(#entries in this)) throw illegal();
    need(2, args.length, 'FormData.append');
    this.#entries.push(entryOf(args, 'FormData.append'));
  }

  delete(name) {
    if (!(#entries in this)) throw illegal();
    need(1, arguments.length, 'FormData.delete');
    const key = wellFormed(`${name}`);
    this.#entries = this.#entries.filter(([other]) => other !== key);
  }

  get(name) {
    if (!(#entries in this)) throw illegal();
    need(1, arguments.length, 'FormData.get');
    const key = wellFormed(`${name}`);
    return this.#entries.find(([other]) => other === key)?.[1] ?? null;
  }

  getAll(name) {
    if (!(#entries in this)) throw illegal();
    need(1, arguments.length, 'FormData.getAll');
    const key = wellFormed(`${name}`);
    return this.#entries
      .filter(([other]) => other === key)
      .map(([, value]) => value);
  }

  has(name) {
    if (!(#entries in this)) throw illegal();
    need(1, arguments.length, 'FormData.has');
    const key = wellFormed(`${name}`);
    return this.#entries.some(([other]) => other === key);
  }

  set(...args) {
    if (!(#entries in this)) throw illegal();
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
    pairs(form) {
      if (!(#entries in form)) throw illegal();
      return form.#entries;
    },
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
inspectable(FormData, (form, depth, options) => {
  const shown = { __proto__: null };
  for (const [name, value] of pairs(form)) {
    const before = shown[name];
    if (!before) shown[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else shown[name] = [before, value];
  }
  options.depth ??= depth;
  options.colors ??= true;
  const text = withOptions(options, shown);
  // The class's name is in the place of the prototype's.
  return text.slice(text.indexOf(']') + 2);
});

module.exports = { FormData, formPairs: pairs, isFormData };
