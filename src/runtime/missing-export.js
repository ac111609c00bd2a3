'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The error of a job whose
// export there is not.
const { ownKeys, slice, uncurry } = require('./primordials.js');

runtime.need?.('errors');
const RealmTypeError = runtime.errorClass('TypeError');

const textSlice = uncurry(slice);
const MAX_NAMES = 20;
// Names that importers of CommonJS see, and nobody has given.
const OF_ALL = ['module.exports', '__esModule'];

function addNames(object, names) {
  let keys;
  try {
    keys = ownKeys(object);
  } catch {
    // A proxy of the program's.
    return;
  }
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] !== OF_ALL[0] && keys[i] !== OF_ALL[1]) names[keys[i]] = true;
  }
}

// A job has named an export that is no function. Of others the names alone,
// because reading them may run code.
runtime.noFunction = (name, value) => {
  const shown = textSlice(name, 0, 64);
  if (value !== undefined) {
    return new RealmTypeError(
      `the module's export '${shown}' is no function, but a value of type ` +
        `${typeof value}`,
    );
  }
  const names = { __proto__: null };
  const namespace = runtime.moduleExports();
  if (namespace !== null) {
    addNames(namespace, names);
    addNames(runtime.wholeOfModule(), names);
  }
  const list = ownKeys(names);
  let has = '';
  for (let i = 0; i < list.length && i < MAX_NAMES; i++) {
    has += `${i === 0 ? '' : ', '}'${textSlice(list[i], 0, 64)}'`;
  }
  if (list.length > MAX_NAMES) has += ` and ${list.length - MAX_NAMES} more`;
  return new RealmTypeError(
    `the module has no export '${shown}'` +
      (has === '' ? ', and no others' : `; it exports ${has}`),
  );
};
