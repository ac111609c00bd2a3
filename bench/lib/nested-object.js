'use strict';

/**
 * A nested object as applications have them: records with text, numbers,
 * dates as text, an address and a list.
 *
 * @param {number} records about 500 bytes of JSON each
 */
function nestedObject(records) {
  return {
    kind: 'orders',
    version: 3,
    orders: Array.from({ length: records }, (_, n) => ({
      id: n,
      total: n * 1.25 + 0.1,
      paid: n % 2 === 0,
      placed: `2026-01-${String((n % 28) + 1).padStart(2, '0')}T10:00:00Z`,
      customer: {
        name: `Customer number ${n}`,
        mail: `customer-${n}@example.org`,
        address: { street: `${n} Long Street`, city: 'Springfield', zip: n },
      },
      items: [
        { sku: `A-${n}`, count: 1, price: 9.99 },
        { sku: `B-${n}`, count: 2, price: 19.5 },
        { sku: `C-${n}`, count: 3, price: n / 7 },
      ],
      note: null,
    })),
  };
}

module.exports = { nestedObject };
