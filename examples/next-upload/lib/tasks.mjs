import { createHash } from 'node:crypto';

export const sha256 = (bytes) =>
  createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
