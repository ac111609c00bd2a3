'use strict';
// The objects and arrays around the value being written. A value that is one of
// them is a cycle; their number is bounded.

const { CodecMap, list, mapGet, mapSet } = require('./captured.js');
const { Refusal } = require('./grammar.js');

const MAX_DEPTH = 1000;
// The nearest ancestors are searched one by one; those further out are in a
// map.
const NEAR = 24;

function createAncestors(refuse) {
  let near = null;
  let depth = 0;
  let deepest = 0;
  let deep = null;

  /** Stands for a value that contains nothing and cannot be an ancestor. */
  function check() {
    if (depth >= MAX_DEPTH) refuse(Refusal.UNREADABLE);
  }

  function enter(v) {
    check();
    if (near === null) {
      near = list();
      for (let i = 0; i < NEAR; i++) near[i] = null;
    }
    const scan = depth < NEAR ? depth : NEAR;
    for (let i = 0; i < scan; i++) if (near[i] === v) refuse(Refusal.CYCLE);
    if (depth >= NEAR) {
      if (deep === null) deep = new CodecMap();
      if (mapGet(deep, v) !== undefined) refuse(Refusal.CYCLE);
      mapSet(deep, v, true);
    }
    if (depth < NEAR) near[depth] = v;
    depth++;
    if (depth > deepest) deepest = depth;
  }

  function leave(v) {
    depth--;
    if (depth >= NEAR) mapSet(deep, v, undefined);
  }

  function leaveAll() {
    for (let i = 0; i < deepest && i < NEAR; i++) near[i] = null;
    depth = deepest = 0;
    deep = null;
  }

  return { check, enter, leave, leaveAll };
}

module.exports = { createAncestors };
