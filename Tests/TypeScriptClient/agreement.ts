// What index.d.ts declares is what the sources are: the compiler holds the one against the other, in both directions.

import type * as declared from '../../clients/typescript/index';
import * as client from '../../clients/typescript/client.js';
import * as json from '../../clients/typescript/json.js';
import * as page from '../../clients/typescript/page.js';
import * as sha256 from '../../clients/typescript/sha256.js';
import * as signed from '../../clients/typescript/signatures.js';

type Declared = typeof declared;
const sources = { ...client, ...json, ...page, ...sha256 };

export const exported: Omit<Declared, 'HearthClient'> = sources;
export const same: Pick<
  typeof sources, 'applying' | 'changesBetween' | 'readPage' | 'textOf' | 'read' | 'bucketOf'
> = null as unknown as Declared;
export const instance: declared.HearthClient = new client.HearthClient({ server: 'https://home.example.com' });

export const signatures: typeof import('../../clients/typescript/signatures').Signatures = signed.Signatures;

import type { HearthPage as DeclaredPage } from '../../clients/typescript/element';
import { HearthPage } from '../../clients/typescript/element.js';
export const element: DeclaredPage = new HearthPage() as unknown as DeclaredPage;
