// SHA-256 (FIPS 180-4). Browsers keep theirs from pages without TLS, and give it to nobody who does not wait.

// The first 32 bits of the fractions of the first primes' roots.
const bitsOf = (/** @type {number} */ root) => (root % 1) * 2 ** 32;
const start = new Int32Array(8);
const constants = new Int32Array(64);
for (let number = 2, count = 0; count < 64; number += 1) {
  let isPrime = true;
  for (let factor = 2; factor < number; factor += 1) isPrime &&= number % factor > 0;
  if (!isPrime) continue;
  if (count < 8) start[count] = bitsOf(number ** (1 / 2));
  constants[count++] = bitsOf(number ** (1 / 3));
}

/**
 * @param {string} text
 * @returns {string} 64 hexadecimal digits, of the text's UTF-8 bytes
 */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((bytes.length + 72) & ~63);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bytes.length / 2 ** 29);
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = start.slice();
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let round = 0; round < 64; round += 1) {
      if (round < 16) words[round] = view.getInt32(block + round * 4);
      else {
        const x = words[round - 15], y = words[round - 2];
        words[round] = words[round - 16] + words[round - 7]
          + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
          + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
      }
      const one = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g)
        + constants[round] + words[round] | 0;
      const two = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c);
      h = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] += word; });
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/**
 * The hundredth of all devices that one is in (docs/client.md, Buckets).
 * @param {string} deviceID
 * @param {string} salt
 */
export function bucketOf(deviceID, salt = '') {
  const id = deviceID.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return Number(BigInt('0x' + sha256(salt ? `${salt}:${id}` : id).slice(0, 16)) % 100n);
}
