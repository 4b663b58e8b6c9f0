// What the console's modules ask of a browser when they are loaded, for node's test runner.

import { register } from 'node:module';

// The client is laid beside the console's modules by the build alone.
const clients = new URL('../../clients/typescript/', import.meta.url);
const hook = `export const resolve = (name, context, next) => {
  const [, module] = /[/]client[/](.+)$/.exec(name) ?? [];
  return next(module ? new URL(module, '${clients}').href : name, context);
};`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const storage = () => {
  const values = new Map();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => { values.set(name, String(value)); },
    removeItem: (name) => { values.delete(name); },
  };
};
const addEventListener = () => {};
Object.assign(globalThis, {
  localStorage: storage(), sessionStorage: storage(), addEventListener,
  document: { documentElement: {}, createElement: () => ({ style: {} }), addEventListener },
  history: { state: null, replaceState() {} },
});
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { language: 'en' } });

// Tests go from one language to another, and wait for neither.
const { fetchLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
await fetchLanguage('zh-Hans');
