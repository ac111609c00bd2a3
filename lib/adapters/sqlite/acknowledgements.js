'use strict';

/**
 * Tells callers of transactions that are committed, in the order of their
 * commits, and not before the disk has what has to be there. The disk is waited
 * for beside the event loop and without a lock of the file, so meanwhile others
 * write; one wait serves all that were committed before it began.
 */
class Acknowledgements {
  #sync;
  #waiting = [];
  #isSyncing = false;

  /** @param {(() => Promise<void>) | undefined} sync undefined: never waits */
  constructor(sync) {
    this.#sync = sync;
  }

  /**
   * @param {{ isLasting: boolean,
   *   tell: (how: { isAlone: boolean, error?: Error }) => void }} commit
   *   `isLasting`: it has to survive a power cut; `isAlone`: no other is told in
   *   the same turn
   */
  add(commit) {
    const waits = this.#isSyncing || (this.#sync && commit.isLasting);
    if (!waits) {
      commit.tell({ isAlone: true });
      return;
    }
    this.#waiting.push(commit);
    if (!this.#isSyncing) this.#run();
  }

  async #run() {
    this.#isSyncing = true;
    while (this.#waiting.length > 0) {
      const commits = this.#waiting.splice(0);
      const isLasting = commits.some((commit) => commit.isLasting);
      const error = isLasting ? await this.#syncOnce() : undefined;
      const isAlone = commits.length === 1;
      for (const commit of commits) commit.tell({ isAlone, error });
    }
    this.#isSyncing = false;
  }

  async #syncOnce() {
    try {
      await this.#sync();
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

module.exports = { Acknowledgements };
