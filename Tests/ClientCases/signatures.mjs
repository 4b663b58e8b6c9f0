// Writes signatures.json: cases of signed pages, signed by node's own cryptography, so that no signer of ours proves
// our verifiers.
//
// usage: node Tests/ClientCases/signatures.mjs

import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The instant of all cases, in seconds: the clocks of the tests begin there. */
const now = 1_000_000_000;
const [created, expires] = [now - 100, now + 86_300];

/** A key by its name; nothing of it is secret. */
function keyOf(name) {
  const seed = createHash('sha256').update(`hearth ${name}`).digest();
  const bytes = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key, pinned: raw.toString('base64'), id: createHash('sha256').update(raw).digest('hex').slice(0, 16) };
}

const [first, second, stranger] = ['first', 'second', 'stranger'].map(keyOf);
const documentOf = (name) => readFileSync(new URL(`documents/${name}.json`, import.meta.url));
const digestOf = (name) => `sha-256=:${createHash('sha256').update(documentOf(name)).digest('base64')}:`;
const tagOf = (name) => `W/"${JSON.parse(documentOf(name)).version}"`;

/** RFC 9421 §2.5, of whatever components and parameters. */
function signature(components, parameters, key) {
  const input = `(${components.map(([name]) => `"${name}"`).join(' ')})${parameters}`;
  const values = components.map(([name, value]) => `"${name}": ${value}`);
  const base = [...values, `"@signature-params": ${input}`].join('\n');
  return { input, value: `:${sign(null, Buffer.from(base), key.key).toString('base64')}:` };
}

const parametersOf = (key, from = created, until = expires) =>
  `;created=${from};expires=${until};keyid="${key.id}";alg="ed25519"`;

/** Several signatures in one pair of fields. */
function fieldsOf(signatures) {
  const join = (name) => signatures.map((one, at) => `${one.label ?? `sig${at + 1}`}=${one[name]}`).join(', ');
  return { 'Signature-Input': join('input'), Signature: join('value') };
}

const ofPage = (page, revision, key, from, until) => signature(
  [['unencoded-digest', digestOf(page)], ['hearth-revision', revision]], parametersOf(key, from, until), key);
/** The fields of a 200 or a 226 that comes to a page. */
const signed = (page, revision, { keys = [first], from, until } = {}) => ({
  'Unencoded-Digest': digestOf(page), ...fieldsOf(keys.map((key) => ofPage(page, revision, key, from, until))),
});
/** The fields of a 304. */
const same = (page, revision, { keys = [first], from, until } = {}) => fieldsOf(keys.map((key) => signature(
  [['etag', tagOf(page)], ['hearth-revision', revision]], parametersOf(key, from, until), key)));

const whole = (page, revision, fields = signed(page, revision)) => ({ status: 200, body: page, revision, fields });
const changes = (from, to, revision, fields = signed(to, revision)) =>
  ({ status: 226, body: `${from}-to-${to}`, revision, fields });
const unchanged = (page, revision, fields = same(page, revision)) => ({ status: 304, tag: page, revision, fields });
const exchange = (asks, answer) => ({ asks, answer });
const afresh = (answer) => exchange({}, answer);
const of = (page, answer) => exchange({ changesOf: page }, answer);
const past = (answer) => exchange({ pastCaches: true }, answer);
const verified = { verification: first.id };
const isFirst = { holds: 'first', ...verified };

const require = { mode: 'require', keys: [first.pinned] };
const report = { mode: 'report', keys: [first.pinned] };
/** The fields with which a page was kept. */
const signedAndKept = (...given) => ({ ...signed(...given), 'Hearth-Revision': '1.7' });
/** A case that begins with a page that was kept. */
const kept = (name, signatures, exchanges, turn, edition = {}) => ({
  name, signatures, kept: { page: 'first', revision: '1.7', signed: signedAndKept('first', '1.7'), ...edition },
  turns: [{ exchanges, ...turn }],
});

/** A case in which the first answer does not verify. */
const refused = (name, because, fields, answer = {}) => ({
  name, signatures: require, turns: [
    {
      exchanges: [afresh({ ...whole('first', '1.7', fields), ...answer })],
      holds: null, revision: null, reports: 'unverified', because, state: 'noData', pause: [1, 1],
    },
    { exchanges: [afresh(whole('first', '1.7'))], ...isFirst, state: 'upToDate' },
  ],
});

/** What a page that is held is asked for when what came instead does not verify. */
const again = (name, answer) => ({
  name, signatures: require, turns: [
    { exchanges: [afresh(whole('first', '1.7'))], ...isFirst },
    {
      exchanges: [of('first', answer), afresh(whole('second', '1.8'))],
      holds: 'second', revision: '1.8', ...verified, state: 'upToDate',
    },
  ],
});

const [pageValue, revisionValue] = [['unencoded-digest', digestOf('first')], ['hearth-revision', '1.7']];
const others = (components, parameters, key = first) =>
  ({ 'Unencoded-Digest': digestOf('first'), ...fieldsOf([signature(components, parameters, key)]) });
/** A page that is signed with other parameters. */
const withParameters = (parameters, key) => others([pageValue, revisionValue], parameters, key);
const good = signed('first', '1.7');

const cases = [
  {
    name: 'a page, changes, nothing new and another page, all signed', signatures: require, turns: [
      {
        exchanges: [afresh(whole('first', '1.7'))],
        holds: 'first', revision: '1.7', ...verified, state: 'upToDate', pause: [30, 33],
      },
      {
        exchanges: [of('first', changes('first', 'second', '1.8'))],
        holds: 'second', revision: '1.8', changes: 'first-to-second', ...verified, state: 'upToDate',
      },
      {
        exchanges: [of('second', unchanged('second', '1.9'))],
        holds: 'second', revision: '1.9', ...verified, state: 'upToDate',
      },
      {
        exchanges: [of('second', whole('third', '1.10'))],
        holds: 'third', revision: '1.10', changes: 'second-to-third', ...verified,
      },
    ],
  },
  refused('an answer without a signature', 'unsigned', {}),
  refused('a signature without what it is of', 'unsigned', { ...good, 'Signature-Input': null }),
  refused('the signature of another page', 'otherContent', signed('second', '1.7')),
  refused('another page under a digest that was made to fit', 'wrongSignature',
    { ...signed('second', '1.7'), 'Unencoded-Digest': digestOf('first') }),
  refused('a page without the digest that is signed', 'otherContent', { ...good, 'Unencoded-Digest': null }),
  refused('the signature of another edition', 'wrongSignature', signed('first', '1.6')),
  refused('no edition', 'unreadable', good, { revision: null }),
  refused('a 304\'s signature on a page', 'otherContent', same('first', '1.7')),
  refused('a key that is not pinned', 'unknownKey', signed('first', '1.7', { keys: [stranger] })),
  refused('a stranger\'s signature in the name of a pinned key', 'wrongSignature',
    withParameters(parametersOf(first), stranger)),
  refused('a signature of the future', 'notYet', signed('first', '1.7', { from: now + 400 })),
  refused('components in another order', 'unreadable', others([revisionValue, pageValue], parametersOf(first))),
  refused('the digest alone', 'unreadable', others([pageValue], parametersOf(first))),
  refused('the edition alone', 'unreadable', others([revisionValue], parametersOf(first))),
  refused('another algorithm', 'unreadable', withParameters(parametersOf(first).replace('ed25519', 'hmac-sha256'))),
  refused('no algorithm', 'unreadable', withParameters(parametersOf(first).replace(';alg="ed25519"', ''))),
  refused('no expiry', 'unreadable', withParameters(parametersOf(first).replace(`;expires=${expires}`, ''))),
  refused('times that are no whole seconds', 'unreadable', withParameters(parametersOf(first, `${created}.5`))),
  refused('a signature under another label', 'unreadable',
    { ...good, Signature: good.Signature.replace('sig1', 'sig2') }),
  refused('a signature that is cut', 'unreadable', { ...good, Signature: good.Signature.slice(0, 60) }),
  refused('a field that is no dictionary', 'unreadable', { ...good, 'Signature-Input': '((((((("', Signature: ':::' }),
  refused('a field of more than 8,192 bytes', 'unreadable',
    { ...good, 'Signature-Input': `${'x=("@method"), '.repeat(600)}${good['Signature-Input']}` }),
  {
    name: 'of several signatures one is enough', signatures: require, turns: [
      {
        exchanges: [afresh(whole('first', '1.7', { 'Unencoded-Digest': digestOf('first'), ...fieldsOf([
          { ...signature([['@status', '200']], ';created=1;keyid="proxy";tag="a;b"', stranger), label: 'proxy' },
          ofPage('first', '1.7', stranger), ofPage('first', '1.7', first, 1, 2), ofPage('first', '1.7', first),
        ]) }))],
        ...isFirst, state: 'upToDate',
      },
    ],
  },
  {
    name: 'keys change while the app runs',
    signatures: { mode: 'require', keys: [first.pinned, second.pinned] },
    turns: [
      { exchanges: [afresh(whole('first', '1.7'))], ...isFirst },
      {
        exchanges: [of('first', unchanged('first', '1.8', same('first', '1.8', { keys: [second, first] })))],
        holds: 'first', verification: second.id,
      },
      {
        exchanges: [of('first', changes('first', 'second', '1.9', signed('second', '1.9', { keys: [second] })))],
        holds: 'second', verification: second.id,
      },
      {
        exchanges: [of('second', whole('third', '1.10', signed('third', '1.10', { keys: [stranger] })))],
        holds: 'second', reports: 'unverified', because: 'unknownKey', verification: second.id,
      },
    ],
  },
  {
    name: 'the clock may be off by five minutes', signatures: require, turns: [
      { exchanges: [afresh(whole('first', '1.7', signed('first', '1.7', { from: now + 290 })))], ...isFirst },
      {
        exchanges: [of('first', unchanged('first', '1.7', same('first', '1.7', { until: now - 60 })))],
        ...isFirst, state: 'upToDate',
      },
    ],
  },
  {
    name: 'a cache that serves yesterday\'s signed page is asked past', signatures: require, turns: [
      {
        exchanges: [
          afresh(whole('first', '1.7', signed('first', '1.7', { until: now - 400 }))), past(whole('second', '1.8')),
        ],
        holds: 'second', revision: '1.8', ...verified,
      },
      {
        exchanges: [
          of('second', unchanged('second', '1.8', same('second', '1.8', { until: now - 400 }))),
          past(whole('second', '1.8', signed('second', '1.8', { until: now - 400 }))),
        ],
        holds: 'second', ...verified, reports: 'unverified', because: 'expired', state: 'stale', pause: [1, 1],
      },
    ],
  },
  {
    name: 'an older signed page is not shown again', signatures: require, turns: [
      { exchanges: [afresh(whole('second', '1.9'))], holds: 'second', ...verified },
      {
        exchanges: [of('second', whole('first', '1.8')), past(whole('first', '1.8'))],
        holds: 'second', revision: '1.9', reports: 'dropped', state: 'stale',
      },
      {
        exchanges: [of('second', unchanged('second', '1.8')), past(whole('third', '1.10'))],
        holds: 'third', revision: '1.10', ...verified,
      },
    ],
  },
  again('a 304 of another page in this one\'s name', unchanged('first', '1.8', same('second', '1.8'))),
  again('a 304 of an older edition in a newer one\'s name', unchanged('first', '1.8', same('first', '1.7'))),
  again('a 304 without a signature', unchanged('first', '1.8', {})),
  again('changes without a signature', changes('first', 'second', '1.8', {})),
  again('changes that are signed, and lead elsewhere', changes('first', 'second', '1.8', signed('third', '1.8'))),
  again('signed changes of another page', changes('second', 'third', '1.8')),
  {
    name: 'where the whole page does not verify either, what is held stays', signatures: require, turns: [
      { exchanges: [afresh(whole('first', '1.7'))], ...isFirst },
      {
        exchanges: [of('first', changes('first', 'second', '1.8', {})), afresh(whole('second', '1.8', {}))],
        ...isFirst, revision: '1.7', reports: 'unverified', because: 'unsigned', state: 'stale',
      },
    ],
  },
  {
    name: 'a cache that answers 304 by itself sends the signature of the page', signatures: require, turns: [
      { exchanges: [afresh(whole('first', '1.7'))], ...isFirst },
      { exchanges: [of('first', unchanged('first', '1.7', signed('first', '1.7')))], ...isFirst, state: 'upToDate' },
      {
        exchanges: [of('first', unchanged('first', '1.8', signed('second', '1.8'))), afresh(whole('first', '1.8'))],
        ...isFirst, revision: '1.8',
      },
    ],
  },
  {
    name: 'a captive portal, and a damaged page under its signature, are no page', signatures: require, turns: [
      {
        exchanges: [afresh({ status: 200, text: '<html>Welcome</html>', fields: {} })],
        holds: null, reports: 'unreadable',
      },
      { exchanges: [afresh({ ...whole('first', '1.7'), replace: ['频道', '頻道'] })], holds: null, reports: 'unreadable' },
      {
        exchanges: [afresh({ status: 503, text: '', fields: { 'Retry-After': '7' } })],
        holds: null, reports: 'refused', pause: [7, 8],
      },
    ],
  },
  kept('what was kept is verified again, also when its signature is over', require,
    [of('first', { fails: 'no network' })], { ...isFirst, revision: '1.7', reports: 'unreachable', state: 'stale' },
    { signed: signedAndKept('first', '1.7', { from: 1, until: 2 }) }),
  kept('what was kept goes on with signed changes', require,
    [of('first', changes('first', 'second', '1.8'))], { holds: 'second', ...verified, state: 'upToDate' }),
  kept('what was kept without a signature, by an earlier app, is not shown', require,
    [afresh({ fails: 'no network' })], { holds: null, reports: 'unreachable', state: 'noData' }, { signed: null }),
  kept('what was kept under another page\'s signature is not shown', require,
    [afresh(whole('second', '1.8'))], { holds: 'second', ...verified }, { signed: signedAndKept('second', '1.7') }),
  kept('what was kept under a key that is pinned no more is not shown', { mode: 'require', keys: [second.pinned] },
    [afresh(whole('first', '1.7', signed('first', '1.7', { keys: [second] })))],
    { holds: 'first', verification: second.id }),
  kept('the highest edition of a key is kept', require,
    [afresh(whole('second', '1.8')), past(whole('second', '1.8'))],
    { holds: null, reports: 'dropped', state: 'noData' }, { signed: null, highest: { [first.id]: '1.9' } }),
  {
    name: 'a client that reports shows what does not verify, and says so', signatures: report, turns: [
      {
        exchanges: [afresh(whole('first', '1.7', {}))],
        holds: 'first', revision: '1.7', verification: 'unsigned', state: 'upToDate',
      },
      {
        exchanges: [of('first', unchanged('first', '1.7', {}))],
        holds: 'first', verification: 'unsigned', state: 'upToDate',
      },
      {
        exchanges: [of('first', changes('first', 'second', '1.8', signed('second', '1.8', { keys: [stranger] })))],
        holds: 'second', verification: 'unknownKey', state: 'upToDate',
      },
      {
        exchanges: [of('second', unchanged('second', '1.8', same('second', '1.8', { until: now - 400 })))],
        holds: 'second', verification: 'expired', state: 'upToDate',
      },
      {
        exchanges: [
          of('second', changes('second', 'third', '1.9', signed('first', '1.9'))),
          afresh(whole('third', '1.9', signed('first', '1.9'))),
        ],
        holds: 'third', verification: 'otherContent', state: 'upToDate',
      },
      { exchanges: [of('third', whole('second', '1.10'))], holds: 'second', ...verified, state: 'upToDate' },
    ],
  },
  kept('a client that reports shows what was kept without a signature', report,
    [of('first', unchanged('first', '1.7'))], { ...isFirst, state: 'upToDate' }, { signed: null }),
];

/** The text of a case. */
const textOf = ({ turns, ...aCase }) => `  ${JSON.stringify(aCase).slice(0, -1)}, "turns": [\n${
  turns.map((turn) => `    ${JSON.stringify(turn)}`).join(',\n')}\n  ]}`;
/** The text of signatures.json. */
export const text = `[\n${cases.map(textOf).join(',\n')}\n]\n`;

const file = new URL('signatures.json', import.meta.url);
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, text);
