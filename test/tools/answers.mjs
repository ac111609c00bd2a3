// The answers that the projects of test/tools/common print.
export const INLINE = 'isolate: 42';
export const MODULE = 'isolate: sum of 33 is High';
export const BOTH = `${INLINE}, ${MODULE}`;
// RUNTIME=thread or process in the environment asks for Node's own.
export const IN_NODE = `${INLINE}, ${MODULE.replace('isolate', 'node')}`;

// The answer that those of test/tools/common/bundled print.
export const TABLE = 'isolate: a,b 1,2';
