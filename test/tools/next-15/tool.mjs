import { nextPackages, runNext } from '../next.mjs';

export const packages = nextPackages('15.5.29');
export const common = ['next'];
export const takesMinutes = true;
export default runNext([[]]);
