'use strict';

const { loadNative } = require('../../addon/load.js');

let live = 0;

/**
 * The entries of a pool by number. Each worker gets an entry when it first
 * needs it.
 */
class EntryTable {
  #entries = new Map();
  #last = 0;

  defineEntry = (kind, text, name) => {
    const id = ++this.#last;
    this.#entries.set(id, { id, kind, text, name });
    live += 1;
    return id;
  };

  dropEntry = (id) => {
    if (this.#entries.delete(id)) live -= 1;
  };

  /** Serves debuggers. Throws without the addon. */
  placeOf = (fn) => loadNative().placeOf(fn);

  /** Functions for workers are identified by their texts. */
  literalOf = () => 0;

  get(id) {
    return this.#entries.get(id);
  }
}

/** @returns {number} entries of all tables, for tests: see src/base/live.h */
const liveOwnedEntries = () => live;

module.exports = { EntryTable, liveOwnedEntries };
