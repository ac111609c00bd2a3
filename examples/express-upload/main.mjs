// Clients upload, too many at once, and leave:
//   node examples/express-upload/main.mjs

import { fileURLToPath } from 'node:url';
import { tryUploads } from '../uploads.mjs';

await tryUploads([fileURLToPath(new URL('./server.mjs', import.meta.url))]);
console.log('ok');
