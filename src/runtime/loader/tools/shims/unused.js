'use strict';

/** Stands in for plugins that none of the resolver's options asks for. */
module.exports = class Unused {
  constructor() {
    throw new Error('the resolver was bundled without this plugin');
  }
};
