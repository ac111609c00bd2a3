'use strict';
// The realm's side of shared values: the natives of src/runtime/shared.js, over a
// store that is loaded with the first value, because most pools share none.

const {
  Header,
  PayloadKind,
  SharedAnswer,
} = require('../../protocol/wire.gen.js');

/**
 * @param {object} realm
 * @param {Float64Array} realm.H the header that the runtime reads
 * @param {unknown[]} realm.box where it finds values
 * @param {(seq: number) => number} realm.sharesOf what a running job shares
 * @param {() => void} realm.tookShared tells the owner
 * @returns {{ natives: object, take(sent: object | undefined): number }} `take`
 *   keeps what came with a job, and tells the number of it
 */
function realmShares({ H, box, sharesOf, tookShared }) {
  let store = null;
  const natives = {
    sharesOf,
    presentShared(number, counts) {
      if (store === null || !store.has(number)) return SharedAnswer.Gone;
      H[Header.Kind] = PayloadKind.Null;
      box[0] = store.read(number);
      box[1] = undefined;
      if (counts) tookShared();
      return SharedAnswer.There;
    },
    // The owner has told of dropped values before the next job came.
    hasShared: () => true,
    sharesGone(numbers) {
      store?.drop(numbers);
    },
  };
  function take(sent) {
    if (sent === undefined) return 0;
    if (sent.parts !== undefined) {
      store ??= new (require('./shared-store.js').SharedStore)();
      store.take(sent);
    }
    return sent.number;
  }
  return { natives, take };
}

module.exports = { realmShares };
