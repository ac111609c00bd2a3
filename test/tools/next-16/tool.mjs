import { nextPackages, runNext } from '../next.mjs';

export const packages = nextPackages('16.4.6');
export const common = ['next'];
export const takesMinutes = true;
export default runNext([[], ['--webpack']]);
