'use strict';

const { bareClass } = require('../base/bare.js');
const { LinkedList } = require('../base/linked-list.js');
const { OwnMap } = require('../base/primordials.js');

// Keys that are remembered.
const MAX_KEYS = 10_000;

class Home {
  prev = null;
  next = null;

  constructor(number) {
    this.key = null;
    this.number = number;
  }
}

bareClass(Home);

/**
 * Numbers for keys, by which an executor remembers the worker that had the last
 * job of each. The key that was not used for longest gives its number to a new
 * one, which begins at that one's worker. O(1) for each job.
 */
class Homes {
  #byKey = new OwnMap();
  // The one used last comes last.
  #used = new LinkedList();

  /** @returns {number} from 1 to MAX_KEYS */
  of(key) {
    let home = this.#byKey.get(key);
    if (home === undefined) {
      home = this.#next();
      home.key = key;
      this.#byKey.set(key, home);
    } else {
      this.#used.remove(home);
    }
    this.#used.push(home);
    return home.number;
  }

  #next() {
    const { size, head } = this.#used;
    if (size < MAX_KEYS) return new Home(size + 1);
    this.#used.remove(head);
    this.#byKey.delete(head.key);
    return head;
  }
}

bareClass(Homes);

module.exports = { Homes, MAX_KEYS };
