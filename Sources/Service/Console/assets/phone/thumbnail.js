// A picture on its own, drawn as the web element draws one.

import { pictureOf, rules } from '../client/plain.js';
import { adopt } from '../client/sheet.js';
import { html, useLayoutEffect, useRef } from '../lib/ui.js';

/** A picture, or its placeholder while and where it cannot be loaded. */
export function Picture(/** @type {{picture: {url: string}}} */ { picture }) {
  const place = useRef();
  useLayoutEffect(() => {
    adopt(document, rules);
    const room = { resolve: (/** @type {string} */ url) => url, width: place.current.clientWidth };
    place.current.replaceChildren(pictureOf(picture, '', room));
  }, [picture.url]);
  return html`<span class="picture" ref=${place} />`;
}
