// Clients upload, too many at once, and leave:
//   node examples/fastify-upload/main.mjs

import { fileURLToPath } from 'node:url';
import { tryUploads } from '../uploads.mjs';

await tryUploads([fileURLToPath(new URL('./server.mjs', import.meta.url))]);
console.log('ok');
