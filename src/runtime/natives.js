'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. A function of C++ costs
// two microseconds to make, so those that most jobs never call are made
// together, when one of them is called first. Behind a null prototype, what
// user code does to its own prototypes meanwhile does not reach them.
let rare = null;
let more = null;

runtime.rare = () => {
  rare ??= native.rare();
  return rare;
};

// What jobs with more than a number need.
runtime.more = () => {
  more ??= native.more();
  return more;
};
