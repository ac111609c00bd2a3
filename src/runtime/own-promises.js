'use strict';

/**
 * Promises of the loader itself. `await` and then() read `constructor`, its
 * species and `then` of a promise, which a program may have replaced for all,
 * so that these have own ones.
 *
 * @param {object} captured before user code ran
 */
function createOwnPromises({ RealmPromise, then, defineProperty }) {
  const definition = (value) => ({
    __proto__: null,
    value,
    configurable: true,
    writable: true,
  });

  /** @template T @param {Promise<T>} promise @returns {Promise<T>} the same */
  function own(promise) {
    defineProperty(promise, 'constructor', definition(RealmPromise));
    defineProperty(promise, 'then', definition(ownThen));
    return promise;
  }

  function ownThen(done, failed) {
    return follow(this, done, failed);
  }

  // await wants the realm's constructor, then() one that has no species.
  function follow(promise, done, failed) {
    promise.constructor = undefined;
    const next = then(promise, done, failed);
    promise.constructor = RealmPromise;
    return own(next);
  }

  const make = (executor) => own(new RealmPromise(executor));

  return {
    own,
    follow,
    make,
    resolved: make((resolve) => resolve()),

    /** Resolves when all of them have. @param {Promise<unknown>[]} promises */
    allOf: (promises) =>
      make((resolve, reject) => {
        let left = promises.length;
        if (left === 0) resolve();
        const one = () => {
          left -= 1;
          if (left === 0) resolve();
        };
        for (let i = 0; i < promises.length; ++i) {
          follow(promises[i], one, reject);
        }
      }),

    /** @param {() => Promise<unknown>} begin may throw */
    attempt(begin) {
      try {
        return own(begin());
      } catch (error) {
        return make((_resolve, reject) => reject(error));
      }
    },

    /** A promise for a program, which may look at it. */
    forUser: (promise) => new RealmPromise((resolve) => resolve(promise)),
  };
}

module.exports = { createOwnPromises };
