import { runVitest, vitestPackages } from '../vitest.mjs';

export const packages = vitestPackages('5.1.1');
export const common = ['typescript', 'vitest'];
/** The oldest Node that it takes. */
export const nodes = '22';
export default runVitest;
