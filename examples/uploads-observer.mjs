// Preloaded into a server: tells its parent of its pools and their jobs' ends.

import { subscribe } from 'node:diagnostics_channel';

for (const name of ['pool:created', 'pool:stopped', 'job:settled']) {
  subscribe(`sloppy-workers:${name}`, ({ code }) => {
    process.send({ name, code: code ?? null });
  });
}
