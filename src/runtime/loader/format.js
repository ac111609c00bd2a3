'use strict';

/** isolate/modules/module_source.h */
const Format = Object.freeze({
  Module: 0,
  CommonJs: 1,
  Json: 2,
  TypeScript: 3,
  Builtin: 4,
  Unknown: 5,
});

module.exports = { Format };
