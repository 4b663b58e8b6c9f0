// What docs/client.md, "Signed pages", explains.

import type { Settings } from './index.js';

/**
 * Why an answer does not verify.
 * - `unsigned`: it has no signature, or something on the way drops fields.
 * - `unreadable`: its signature is not one that Hearth makes, or above 8,192 bytes.
 * - `unknownKey`: it is signed by keys that are not pinned.
 * - `wrongSignature`: the key that it names did not make it, or the answer was changed on the way.
 * - `otherContent`: it is of other content than what the answer comes to.
 * - `notYet`: it was made later than now.
 * - `expired`: it is over.
 * - `unsupported`: the browser verifies no Ed25519, or not for a page without TLS.
 */
export type SignatureFailure =
  | 'unsigned' | 'unreadable' | 'unknownKey' | 'wrongSignature' | 'otherContent' | 'notYet' | 'expired' | 'unsupported';

/**
 * What the signature of the last answer that was taken says of the page: the id of the key that signed it, or why none
 * did.
 */
export type Verification = { keyID: string; reason: null } | { keyID: null; reason: SignatureFailure };

/** What else a client with pinned keys may be told. */
export interface Options {
  /** How many seconds the device's clock may be off: 300. */
  clockSkew: number;
  /** What verifies: `crypto.subtle`, which browsers keep from pages without TLS. It needs `Ed25519`. */
  subtle: SubtleCrypto;
  /** The date, in milliseconds as of `Date.now()`. */
  date: () => number;
  /** Is told whenever `verification` changes. */
  report?: (verification: Verification) => void;
}

/**
 * The keys that sign the pages of one client, and the highest edition that each has signed. Each client needs its own:
 * it keeps a second copy of the page, and applies each change set to that first, to verify the result.
 */
export class Signatures {
  /**
   * @param mode `require` drops what does not verify (`ClientError` of the kind `unverified`); `report` shows it.
   * @param keys 1 to 4 public keys as `hearth keys list` prints them: base64 of 32 bytes.
   * @throws TypeError for keys that cannot be pinned
   */
  constructor(mode: 'report' | 'require', keys: string[], options?: Partial<Options>);
  readonly mode: 'report' | 'require';
  /** The keys that are pinned. */
  readonly keys: string[];
  /** `null` before there is a page. */
  readonly verification: Verification | null;
  /** The settings of the one client whose pages these keys sign. */
  settings(settings: Settings): Settings;
}
