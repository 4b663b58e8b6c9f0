import type { HearthClient, Item, Page } from './index.js';

/** The items of long lists, as far as they were asked for: what docs/client.md, "Long lists", explains. */
export class Lists {
  /** The page whose lists they are, where another one is shown than the client has. */
  shown: Page | null;
  /** The lists of the page that a client holds. */
  constructor(client: HearthClient);
  readonly client: HearthClient;
  /**
   * The items of a section that are here: those of the page, and those that `more` brought since its list is this one.
   */
  items(section: string): Item[];
  /** How many items of a section `more` can still bring. */
  rest(section: string): number;
  /**
   * Brings the next items of a section; none at the end of its list, or when the page has another list by now. Whoever
   * asks meanwhile gets the same ones. Where the list is gone, `states` asks for the page again.
   * @throws ClientError
   */
  more(section: string): Promise<Item[]>;
}
