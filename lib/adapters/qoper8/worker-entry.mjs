// An ES module imported by a thread or an isolate is not searched for the names
// that a CommonJS file exports, which takes longer than the rest of its start.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./worker.js');
