// What the console's modules ask of a browser when they are loaded, for node's test runner.

const storage = () => {
  const values = new Map();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => { values.set(name, String(value)); },
    removeItem: (name) => { values.delete(name); },
  };
};
Object.assign(globalThis, {
  localStorage: storage(), sessionStorage: storage(), document: { documentElement: {} }, addEventListener: () => {},
  history: { state: null, replaceState() {} },
});
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { language: 'en' } });

// Tests go from one language to another, and wait for neither.
const { fetchLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
await fetchLanguage('zh-Hans');
