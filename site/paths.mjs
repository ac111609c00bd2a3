import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Inside this folder, or Vite would not find Vue from the pages.
export const pages = join(root, 'site/build/pages');
export const dist = join(root, 'build/site/dist');
