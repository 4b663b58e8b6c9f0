// What the console uses of Preact and htm, for `tsc --checkJs`; vendor/preact.js is as it was published.

/** What a component draws. */
export type Drawn = object | string | number | boolean | null | undefined;
export type Ref<T> = { current: T };

/** What stands in a template: what is drawn, an attribute's value, or a handler, which gets the browser's event. */
export type Part = ((...given: any[]) => unknown) | object | string | number | boolean | null | undefined;
export function html(strings: TemplateStringsArray, ...parts: Part[]): object;
export function render(drawn: Drawn, parent: Element): void;

export class Component<Props = any, State = any> {
  constructor(props?: Props);
  props: Props & { children?: any };
  state: State;
  setState(state: Partial<State>): void;
  forceUpdate(): void;
  render(props: any, state: any): Drawn;
}

export type Context<T> = { Provider: (props: { value: T; children?: any }) => Drawn };
export function createContext<T>(value: T): Context<T>;
export function useContext<T>(context: Context<T>): T;
export function useEffect(effect: () => void | (() => void), keys?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), keys?: readonly unknown[]): void;
export function useRef<T = any>(value?: T): Ref<T>;
export function useMemo<T>(make: () => T, keys: readonly unknown[]): T;
/** What begins as nothing may become anything. */
export function useState(value: null): [any, (next: any) => void];
export function useState<T>(value: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
