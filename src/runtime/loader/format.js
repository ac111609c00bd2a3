'use strict';

/** isolate/modules/module_source.h */
const Format = {
  __proto__: null,
  Module: 0,
  CommonJs: 1,
  Json: 2,
  TypeScript: 3,
  Builtin: 4,
  Unknown: 5,
};

module.exports = { Format };
