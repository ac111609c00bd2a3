'use strict';

const { defineProperty } = Object;
const { prototype } = Map;
const METHODS = ['get', 'set', 'has', 'delete'];

/**
 * @returns {Map} for a realm that jobs share: a job that replaces the methods of
 *   all maps would otherwise lose its own end
 */
function lastingMap() {
  const map = new Map();
  for (const name of METHODS) {
    defineProperty(map, name, { value: prototype[name] });
  }
  return map;
}

module.exports = { lastingMap };
