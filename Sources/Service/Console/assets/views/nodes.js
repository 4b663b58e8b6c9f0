// The nodes that serve what is published: a mark in the bar, where there are several, and where a revision is live.

import { get } from '../lib/api.js';
import { sideBySide, t } from '../lib/i18n.js';
import { refusalWords } from '../lib/sentences.js';
import { Component, html } from '../lib/ui.js';

/** How often the nodes are looked at, in milliseconds: where there is one, only for more to come. */
const often = 10_000, seldom = 60_000;

/**
 * @typedef {{name: string, address: string, version: string, alive: boolean, silentSeconds: number,
 *   pages: Record<string, string>, problem?: string, problemCode?: string}} Node
 */

/** Editions are ordered by generation, then by revision: `1.9` comes before `1.10`. */
const compare = (/** @type {string} */ left, /** @type {string} */ right) => {
  const [a, b] = [left, right].map((edition) => edition.split('.').map(Number));
  return a[0] - b[0] || a[1] - b[1];
};

/** The pages of which a node serves an older edition than another does. */
function pagesBehind(/** @type {Node} */ node, /** @type {Node[]} */ nodes) {
  const isBehind = (/** @type {string} */ page) => nodes
    .some(({ alive, pages }) => alive && page in pages && compare(node.pages[page], pages[page]) < 0);
  return Object.keys(node.pages).filter(isBehind);
}

/** Why a node cannot serve what is live, in words. */
export const problemOf = (/** @type {{problem?: string, problemCode?: string}} */ { problem, problemCode }) =>
  refusalWords({ code: problemCode ?? 'internal', message: problem ?? '', body: {} });

/** How it stands with a node, in words. */
function stateWords(/** @type {Node} */ node, /** @type {Node[]} */ nodes) {
  if (!node.alive) return t('not heard of for {count} seconds', { count: node.silentSeconds });
  if (node.problem) return t('cannot serve what is live: {problem}', { problem: problemOf(node) });
  const behind = pagesBehind(node, nodes);
  return behind.length > 0 ? t('behind: {pages}', { pages: sideBySide(behind) }) : t('up to date');
}

export class NodesMark extends Component {
  /** @type {{nodes: Node[]}} */
  state = { nodes: [] };
  #timer = 0;

  componentDidMount() { this.#look(); }
  componentWillUnmount() { clearTimeout(this.#timer); this.#timer = -1; }

  async #look() {
    try {
      if (!document.hidden) this.setState({ nodes: (await get(['nodes'])).value.nodes });
    } catch {
      // What is not known is not shown.
      this.setState({ nodes: [] });
    }
    if (this.#timer !== -1) this.#timer = setTimeout(() => this.#look(), this.state.nodes.length > 1 ? often : seldom);
  }

  render(/** @type {unknown} */ _, /** @type {{nodes: Node[]}} */ { nodes }) {
    if (nodes.length < 2) return null;
    const well = nodes.filter((node) => node.alive && !node.problem && pagesBehind(node, nodes).length === 0).length;
    const text = well === nodes.length ? t('{count} nodes', { count: nodes.length })
      : t('{well} of {count} nodes', { well, count: nodes.length });
    return html`<details class="nodes ${well === nodes.length ? '' : 'warning'}"><summary>${text}</summary>
      <ul>${nodes.map((node) => html`<li><strong>${node.name}</strong>${' '}
        ${node.address} · ${node.version} · ${stateWords(node, nodes)}</li>`)}</ul></details>`;
  }
}

/**
 * What a publish has come to, by its answer: where it is live.
 * @param {{revision: number, nodes?: {serving: number, of: number, missing?: string[]}}} answer
 */
export function liveWords({ revision: number, nodes }) {
  if (!nodes || nodes.of < 2) return t('Revision {number} is live', { number });
  const { serving, of: count, missing = [] } = nodes;
  return serving === count ? t('Revision {number} is live on all {count} nodes', { number, count })
    : t('Revision {number} is live on {serving} of {count} nodes, not yet on {names}', {
      number, serving, count, names: sideBySide(missing),
    });
}

/** For how many seconds a publish waits for all nodes. */
export const nodesWait = 2;
