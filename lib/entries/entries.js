'use strict';

const { bareList } = require('../base/bare.js');
const { hasHelpers } = require('./compiler-helpers.js');
const { functionName, functionSource } = require('./function-source.js');
const { reachOf } = require('./function-analysis.js');
const { seesParameter } = require('../protocol/sees-parameter.js');
const { ModulesReader } = require('./job-modules.js');
const { substring } = require('../protocol/codec/captured.js');
const {
  OwnMap,
  OwnWeakMap,
  findKey,
  textStartsWith,
} = require('../base/primordials.js');
const { EntryKind, Reach, Sees } = require('../protocol/wire.gen.js');

// Those that no job names: a job under way keeps its own beyond that.
const MAX_DEFINED = 1024;
// In characters of all their texts, because one may have a million.
const MAX_LENGTH = 2 ** 25;

// Of a source in parentheses; the realm finds out about methods in objects and
// functions with modules.
function seesContext(source) {
  const isPlain = textStartsWith(source, '(') && !textStartsWith(source, '({');
  if (!isPlain || hasHelpers(source)) return Sees.Unknown;
  const text = substring(source, 1, source.length - 2);
  return seesParameter(text, 0) ? Sees.Whole : Sees.Members;
}

// For the runtime. The bracket takes the place of the source's parenthesis, so
// that its columns stay.
function pairOf(source, list) {
  const item = textStartsWith(source, '({')
    ? source
    : substring(source, 1, source.length - 1);
  return `[${item},${list}]`;
}

/**
 * What the jobs of a pool call, by the number under which the addon knows it:
 * functions by their source, exports of the pool's module by name.
 */
class PoolEntries {
  #native;
  #poolName;
  #pool;
  #byFunction = new OwnWeakMap();
  #bySource = new OwnMap();
  #byExport = new OwnMap();
  #ready = null;
  // Each that the native side knows, by its number, oldest first. Whatever
  // else refers to an entry, this alone says that there is one to drop.
  #defined = new OwnMap();
  // Of the texts of those.
  #length = 0;
  // Asked for again and again while jobs are under way.
  #lastFunction = null;
  #lastEntry = null;
  // By the place in a script where a function is written.
  #byLiteral = bareList();
  #hasLiterals = false;
  #isDropped = false;
  #modules = new ModulesReader();
  #lastWithModules = { source: '', list: '', entry: null };

  /**
   * @param {object} native what defines and drops them
   * @param {string} poolName
   * @param {PoolExecutor} pool what jobs that call them belong to
   */
  constructor(native, poolName, pool) {
    this.#native = native;
    this.#poolName = poolName;
    this.#pool = pool;
  }

  /**
   * @param {Function} fn
   * @param {object} [modules] what it imports, see `ModulesReader`
   * @returns {object} its entry; functions of one source share it
   * @throws {SloppyWorkerError} see `functionSource`
   * @throws {TypeError} see `ModulesReader`
   */
  function(fn, modules = undefined) {
    if (modules !== undefined) return this.#withModules(fn, modules);
    return fn === this.#lastFunction ? this.#lastEntry : this.#byItself(fn);
  }

  #byItself(fn) {
    const entry = this.#byFunction.get(fn);
    if (entry === undefined) return this.#byItsLiteral(fn);
    this.#lastFunction = fn;
    this.#lastEntry = entry;
    return entry;
  }

  // A function that is written where it is passed is another one for each
  // call; where that is takes a third of the time to ask that its text does.
  // Asked only once there are such functions: V8 may have to find the ends of
  // all lines of a script for it.
  #byItsLiteral(fn) {
    if (this.#hasLiterals) {
      const entry = this.#byLiteral[this.#native.literalOf(fn)];
      if (entry !== undefined) return entry;
    }
    return this.#byItsSource(fn);
  }

  // Only the first function of a source is remembered: an entry of a weak map
  // costs more than all else that a job goes through on this side.
  #byItsSource(fn) {
    const source = functionSource(fn);
    const known = this.#bySource.get(source);
    if (known !== undefined) {
      this.#learn(fn, source, known);
      return known;
    }
    const entry = this.#ofSource(fn, source);
    this.#byFunction.set(fn, entry);
    return entry;
  }

  #learn(fn, source, entry) {
    this.#hasLiterals = true;
    // In the text of a method stands a name that may be another's.
    if (!textStartsWith(source, '(') || textStartsWith(source, '({')) return;
    const literal = this.#native.literalOf(fn);
    if (literal !== 0) this.#byLiteral[literal] = entry;
  }

  /** No job is under way: what the functions refer to may be collected. */
  rest() {
    this.#lastFunction = this.#lastEntry = null;
    this.#forgetDownTo(MAX_DEFINED);
  }

  #withModules(fn, modules) {
    const list = this.#modules.read(modules);
    const source = functionSource(fn);
    const last = this.#lastWithModules;
    if (source === last.source && list === last.list) return last.entry;
    const pair = pairOf(source, list);
    const entry = this.#bySource.get(pair) ?? this.#ofSource(fn, pair);
    this.#lastWithModules = { source, list, entry };
    return entry;
  }

  // REQUIRES: there is none of that source.
  #ofSource(fn, source) {
    const name = functionName(fn) || 'anonymous';
    const sees = seesContext(source);
    const reach = reachOf(source);
    if (reach !== Reach.Nothing) this.#pool.needRuntime();
    return this.#entry(EntryKind.Function, source, name, sees, reach);
  }

  /** @returns {object} the entry of an export of the pool's module */
  export(name) {
    let entry = this.#byExport.get(name);
    if (entry === undefined) {
      entry = this.#entry(EntryKind.Export, name, '');
    }
    return entry;
  }

  /** @returns {object} the entry whose job is over once the module loaded */
  ready() {
    this.#ready ??= this.#entry(EntryKind.Ready, '', '');
    return this.#ready;
  }

  /** A job that names the entry goes to the addon. */
  use(entry) {
    entry.pending += 1;
    // Forgotten while the job was waiting, or since its function was last used.
    if (entry.id === 0) this.#define(entry);
  }

  /**
   * Nothing is defined from here on: a pool that has stopped may still be
   * called. REQUIRES: no job names an entry any more.
   */
  drop() {
    this.#isDropped = true;
    const forget = (entry) => this.#forget(entry);
    this.#defined.forEach(forget);
  }

  #entry(kind, text, name, sees = Sees.Unknown, reach = Reach.Globals) {
    const pool = this.#pool;
    const entry = { pool, id: 0, pending: 0, kind, text, name, sees, reach };
    this.#define(entry);
    return entry;
  }

  #define(entry) {
    if (this.#isDropped) return;
    this.#forgetDownTo(MAX_DEFINED - 1);
    entry.id = this.#native.defineEntry(
      entry.kind,
      entry.text,
      `sloppy:${this.#poolName}/${entry.name}`,
      entry.sees,
      entry.reach,
    );
    // Memory was short: the job learns that there is nothing to call.
    if (entry.id === 0) return;
    this.#defined.set(entry.id, entry);
    this.#length += entry.text.length;
    const named = this.#namesOf(entry.kind);
    // Meanwhile another may have come of the same source.
    if (named?.has(entry.text) === false) named.set(entry.text, entry);
  }

  #namesOf(kind) {
    if (kind === EntryKind.Ready) return undefined;
    return kind === EntryKind.Function ? this.#bySource : this.#byExport;
  }

  #forget(entry) {
    this.#native.dropEntry(entry.id);
    this.#defined.delete(entry.id);
    this.#length -= entry.text.length;
    entry.id = 0;
    const named = this.#namesOf(entry.kind);
    if (named?.get(entry.text) === entry) named.delete(entry.text);
  }

  // The oldest that no job names: many may have been named at once.
  #forgetDownTo(count) {
    while (this.#defined.size > count || this.#length > MAX_LENGTH) {
      const id = findKey(this.#defined, (entry) => entry.pending === 0);
      if (id === undefined) return;
      this.#forget(this.#defined.get(id));
    }
  }
}

/** @returns {string} what an entry is called, '' when it has no name */
const nameOf = (entry) =>
  entry.kind === EntryKind.Function ? entry.name : entry.text;

module.exports = { PoolEntries, nameOf };
