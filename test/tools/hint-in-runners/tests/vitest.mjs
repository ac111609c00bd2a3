import { test } from 'vitest';
import { refused } from '../full.cjs';

test('is refused', () => refused());
