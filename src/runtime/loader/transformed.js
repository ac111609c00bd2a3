'use strict';

/**
 * The line before the map of a TypeScript file that was transformed: its type
 * tells such a text from one that has a map of its own.
 */
const MAP = '\n//# sourceMappingURL=data:application/json;source=typescript,';

module.exports = { MAP };
