// What of the console comes when somebody opens it, each with its style sheet (docs/decisions/0092).

import { Unreachable } from './api.js';
import { arrive } from './commands.js';
import { Failure, Loading, html, useEffect, useLoad } from './ui.js';

/** @typedef {Record<string, object>} Views what a module has, by its name */

/** What brings each module, by its name: where the console begins says it. */
/** @type {Record<string, () => Promise<Views>>} */
export const modules = {};

/** Brings a style sheet, and ends once it counts. */
const fetchStyle = (/** @type {string} */ name) => new Promise((done, fail) => {
  const link = Object.assign(document.createElement('link'), {
    rel: 'stylesheet', href: `${name}.css`, onload: done,
  });
  link.onerror = () => {
    link.remove();
    fail(new Unreachable());
  };
  document.head.append(link);
});

/** @type {Map<string, Promise<Views>>} */
const fetched = new Map();

function fetchModule(/** @type {string} */ name) {
  if (!fetched.has(name)) {
    fetched.set(name, Promise.all([modules[name](), fetchStyle(name)]).then(([module]) => module, () => {
      fetched.delete(name);
      throw new Unreachable();
    }));
  }
  return /** @type {Promise<Views>} */ (fetched.get(name));
}

/**
 * A view that comes when it is shown first.
 * @param {{of?: string, view: string} & Record<string, unknown>} props its module and name, and what it is given
 */
export function Later({ of = 'sheets', view, ...props }) {
  const [module, failure, retry] = useLoad(() => fetchModule(of), [of]);
  // Who was led here may have come before the view.
  useEffect(() => { if (module && view.endsWith('View')) arrive('main.view h1'); }, [module]);
  if (failure) return html`<${Failure} error=${failure} onRetry=${retry} />`;
  if (module) return html`<${module[view]} ...${props} />`;
  // A dialog has no place in the view.
  return view.endsWith('Dialog') ? null : html`<${Loading} />`;
}
