'use strict';

/** The entries of a pool by number: each thread is told when it first needs one. */
class EntryTable {
  #entries = new Map();
  #last = 0;

  defineEntry = (kind, text, name) => {
    const id = ++this.#last;
    this.#entries.set(id, { id, kind, text, name });
    return id;
  };

  dropEntry = (id) => this.#entries.delete(id);

  /** Functions of threads are known by their texts. */
  literalOf = () => 0;

  get(id) {
    return this.#entries.get(id);
  }
}

module.exports = { EntryTable };
