'use strict';
// Maps of a realm that jobs share. A job that replaces what all maps have would
// otherwise lose its own end, and those of others.

const { apply } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { prototype } = Map;
const METHODS = ['get', 'set', 'has', 'delete'];
const { get: sizeOf } = getOwnPropertyDescriptor(prototype, 'size');
const { keys } = prototype;
const { next } = getPrototypeOf(new Map().keys());

/** @returns {Map} with members of its own: `get`, `set`, `has`, `delete`, `size` */
function lastingMap() {
  const map = new Map();
  for (const name of METHODS) {
    defineProperty(map, name, { value: prototype[name] });
  }
  defineProperty(map, 'size', { get: sizeOf });
  return map;
}

/**
 * @param {Map} map of `lastingMap`, whose oldest entries go
 * @param {number} most that stay
 */
function keepNewest(map, most) {
  while (map.size > most) {
    map.delete(apply(next, apply(keys, map, []), []).value);
  }
}

module.exports = { keepNewest, lastingMap };
