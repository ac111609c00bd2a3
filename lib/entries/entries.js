'use strict';

const { bareList } = require('../base/bare.js');
const { isDebugged } = require('../base/debugger.js');
const { hasHelpers } = require('./compiler-helpers.js');
const { functionName, functionSource } = require('./function-source.js');
const { reachOf } = require('./function-analysis.js');
const { seesParameter } = require('../protocol/sees-parameter.js');
const { needMuchRoom } = require('../base/stack-room.js');
const { ModulesReader } = require('./job-modules.js');
const { OwnMap, OwnWeakMap, findKey } = require('../base/primordials.js');
const { EntryKind, Reach, Sees } = require('../protocol/wire.gen.js');

// Maximum number of entries; those that jobs under way use are kept beyond it.
const MAX_DEFINED = 1024;
// Maximum characters of all texts, because one may have a million.
const MAX_LENGTH = 2 ** 25;

// Tells of a source in parentheses only; the realm analyses methods in objects
// and functions with modules.
function seesContext(source) {
  const isPlain = source.startsWith('(') && !source.startsWith('({');
  if (!isPlain || hasHelpers(source)) return Sees.Unknown;
  const text = source.slice(1, -2);
  return seesParameter(text, 0) ? Sees.Whole : Sees.Members;
}

// The text for the runtime. The bracket replaces the source's parenthesis, so
// that columns stay the same.
function pairOf(source, list) {
  const item = source.startsWith('({') ? source : source.slice(1, -1);
  return `[${item},${list}]`;
}

/**
 * The entries that a pool's jobs call: functions by their source, exports of
 * the pool's module by name. The addon knows each by a number.
 */
class PoolEntries {
  #native;
  #poolName;
  #executor;
  #byFunction = new OwnWeakMap();
  #bySource = new OwnMap();
  #byExport = new OwnMap();
  #ready = null;
  // Entries that are defined in the addon, by number, oldest first. An entry is
  // dropped there if and only if it is in this map.
  #defined = new OwnMap();
  // Characters of the texts of those.
  #length = 0;
  // The last function and its entry, because most calls repeat it.
  #lastFunction = null;
  #lastEntry = null;
  // Entries by the place in a script where the function is written.
  #byLiteral = bareList();
  #hasLiterals = false;
  #isDropped = false;
  #modules = new ModulesReader();
  #lastWithModules = { source: '', list: '', entry: null };

  /**
   * @param {object} native defines and drops them in the addon
   * @param {string} poolName
   * @param {PoolExecutor} executor of the jobs that call them
   */
  constructor(native, poolName, executor) {
    this.#native = native;
    this.#poolName = poolName;
    this.#executor = executor;
  }

  /**
   * @param {Function} fn
   * @param {object} [modules] its imports, see `ModulesReader`
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

  // A function literal in a call is a new function for each call. Its place in
  // the script costs a third of the time that its text does. It is read only
  // once there are such functions, because V8 may have to find the ends of all
  // lines of a script for it.
  #byItsLiteral(fn) {
    if (this.#hasLiterals) {
      const entry = this.#byLiteral[this.#native.literalOf(fn)];
      if (entry !== undefined) return entry;
    }
    return this.#byItsSource(fn);
  }

  // Only the first function of a source is remembered, because an entry of a
  // weak map costs more than the rest of a job on this side.
  #byItsSource(fn) {
    const source = functionSource(fn);
    const text = this.#textOf(fn, source);
    const known = this.#bySource.get(text);
    if (known !== undefined) {
      this.#learn(fn, source, known);
      return known;
    }
    const entry = this.#ofSource(fn, source, text);
    this.#byFunction.set(fn, entry);
    return entry;
  }

  // Equal functions of different places are different ones for a debugger.
  #textOf(fn, source) {
    if (!isDebugged()) return source;
    needMuchRoom();
    const { inItsFile } = require('./function-place.js');
    return inItsFile(fn, source, this.#native);
  }

  #learn(fn, source, entry) {
    this.#hasLiterals = true;
    // The text of a method contains a name that another method may share.
    if (!source.startsWith('(') || source.startsWith('({')) return;
    const literal = this.#native.literalOf(fn);
    if (literal !== 0) this.#byLiteral[literal] = entry;
  }

  /** Drops strong references to functions once no job is under way. */
  dropCaches() {
    this.#lastFunction = this.#lastEntry = null;
    this.#forgetDownTo(MAX_DEFINED);
  }

  #withModules(fn, modules) {
    needMuchRoom();
    const list = this.#modules.read(modules);
    const source = functionSource(fn);
    const last = this.#lastWithModules;
    if (source === last.source && list === last.list && !isDebugged()) {
      return last.entry;
    }
    const pair = pairOf(source, list);
    const text = this.#textOf(fn, pair);
    const entry = this.#bySource.get(text) ?? this.#ofSource(fn, pair, text);
    this.#lastWithModules = { source, list, entry };
    return entry;
  }

  // REQUIRES: no entry has that text.
  #ofSource(fn, source, text) {
    needMuchRoom();
    const name = functionName(fn) || 'anonymous';
    const sees = seesContext(source);
    const reach = reachOf(source);
    if (reach !== Reach.Nothing) this.#executor.needRuntime();
    return this.#entry(EntryKind.Function, text, name, sees, reach);
  }

  /** @returns {object} the entry of an export of the pool's module */
  export(name) {
    let entry = this.#byExport.get(name);
    if (entry === undefined) {
      entry = this.#entry(EntryKind.Export, name, '');
    }
    return entry;
  }

  /**
   * @returns {object} the entry of a job that ends when the module has loaded
   */
  ready() {
    this.#ready ??= this.#entry(EntryKind.Ready, '', '');
    return this.#ready;
  }

  /** Called before a job with this entry is sent to the addon. */
  use(entry) {
    entry.pending += 1;
    // The entry was dropped while the job waited, or since its last use.
    if (entry.id === 0) this.#define(entry);
  }

  /**
   * Drops all entries and defines none from here on, because a stopped pool may
   * still be called. REQUIRES: no job uses an entry.
   */
  drop() {
    this.#isDropped = true;
    const forget = (entry) => this.#forget(entry);
    this.#defined.forEach(forget);
  }

  #entry(kind, text, name, sees = Sees.Unknown, reach = Reach.Globals) {
    const executor = this.#executor;
    const entry = {
      executor,
      id: 0,
      pending: 0,
      kind,
      text,
      name,
      sees,
      reach,
    };
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
    // Memory was short, so the job will fail without an entry.
    if (entry.id === 0) return;
    this.#defined.set(entry.id, entry);
    this.#length += entry.text.length;
    const named = this.#namesOf(entry.kind);
    // Meanwhile another entry may have been made for the same source.
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

  // Drops the oldest entries that no job uses.
  #forgetDownTo(count) {
    while (this.#defined.size > count || this.#length > MAX_LENGTH) {
      const id = findKey(this.#defined, (entry) => entry.pending === 0);
      if (id === undefined) return;
      this.#forget(this.#defined.get(id));
    }
  }
}

/** @returns {string} name of an entry, '' if it has none */
const nameOf = (entry) =>
  entry.kind === EntryKind.Function ? entry.name : entry.text;

module.exports = { PoolEntries, nameOf };
