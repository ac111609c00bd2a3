'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Analyses which members
// of its context a function can see, for functions that the owner has not seen.
const { seesParameter } = require('../../lib/protocol/sees-parameter.js');
const { apply, sourceOf } = require('./primordials.js');

runtime.seesParameter = (fn, position) => {
  let text;
  try {
    text = apply(sourceOf, fn, []);
  } catch {
    return true;
  }
  return seesParameter(text, position);
};
