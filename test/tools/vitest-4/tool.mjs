import { runVitest, vitestPackages } from '../vitest.mjs';

export const packages = vitestPackages('4.1.12');
export const common = ['typescript', 'vitest'];
export default runVitest;
