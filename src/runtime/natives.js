'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Functions of C++ that
// most jobs never call are made together at the first call of one, because each
// costs two microseconds. Their object has a null prototype, so that changed
// prototypes of user code do not affect them.
let rare = null;
let more = null;

runtime.rare = () => {
  rare ??= native.rare();
  return rare;
};

// Makes the functions for jobs with more than a number.
runtime.more = () => {
  more ??= native.more();
  return more;
};
