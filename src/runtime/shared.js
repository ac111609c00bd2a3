'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. What the owner shares
// with all workers (WorkerPool.share): a value is decoded when a job first reads
// it, and kept.
const { H, box, options, scratch } = native;
const {
  RealmMap,
  apply,
  defineProperty,
  freeze,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
} = require('./primordials.js');
const { Header, SharedAnswer } = require('../../lib/protocol/wire.gen.js');

const { codec, noShared, rare } = runtime;
const { status: STATUS } = options;

// `{ number, isRead, value }` by the number of a value, and what jobs see by
// the number of the list of names that was valid for them.
const cells = new RealmMap();
const views = new RealmMap();

function take() {
  const { 0: text, 1: more } = box;
  // They may be large, and the next payload may be long in coming.
  box[0] = box[1] = undefined;
  return codec.decode(H[Header.Kind], H[Header.Number], scratch, 0, text, more);
}

function valueOf(cell) {
  if (cell.isRead) return cell.value;
  const answer = rare().presentShared(cell.number, true);
  if (answer === SharedAnswer.NoRoom) {
    throw runtime.codedError(STATUS.ResourceLimit, options.noRoomText);
  }
  // It was released before this job, or any other in this realm, read it.
  if (answer === SharedAnswer.Gone) return undefined;
  cell.value = take();
  cell.isRead = true;
  return cell.value;
}

function cellOf(number) {
  let cell = mapGet(cells, number);
  if (cell === undefined) {
    cell = { number, isRead: false, value: undefined };
    mapSet(cells, number, cell);
  }
  return cell;
}

// `names` is [[name, number], …].
function viewOf(names) {
  const view = { __proto__: null };
  for (let i = 0; i < names.length; i++) {
    const cell = cellOf(names[i][1]);
    defineProperty(view, names[i][0], {
      __proto__: null,
      get: () => valueOf(cell),
      enumerable: true,
    });
  }
  return freeze(view);
}

function forget(number) {
  apply(mapDelete, cells, [number]);
  apply(mapDelete, views, [number]);
}

// A worker that is never without a job reads no mail.
function forgetGone() {
  const look = (_, number) => {
    if (!rare().hasShared(number)) forget(number);
  };
  apply(mapForEach, cells, [look]);
  apply(mapForEach, views, [look]);
}

runtime.sharedOf = (seq) => {
  const number = rare().sharesOf(seq);
  if (number === 0) return noShared;
  let view = mapGet(views, number);
  if (view === undefined) {
    forgetGone();
    const answer = rare().presentShared(number, false);
    if (answer !== SharedAnswer.There) return noShared;
    view = viewOf(take());
    mapSet(views, number, view);
  }
  return view;
};

// The owner has no use for these numbers any more. Jobs that run keep what
// they have read.
runtime.sharesGone = (numbers) => {
  for (let i = 0; i < numbers.length; i++) forget(numbers[i]);
  rare().sharesGone(numbers);
};
