'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. A function of C++ costs
// two microseconds to make, so those that most jobs never call are made
// together, when one of them is called first. Behind a null prototype, what
// user code does to its own prototypes meanwhile does not reach them.
let made = null;

runtime.rare = () => {
  made ??= native.rare();
  return made;
};
