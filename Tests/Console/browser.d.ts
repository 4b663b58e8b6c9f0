// What browsers have and the compiler's library does not know yet.

interface JSON {
  /** A number as it was written; a method of newer browsers. */
  rawJSON?(text: string): { rawJSON: string };
  isRawJSON?(value: unknown): value is { rawJSON: string };
}

declare namespace Intl {
  interface Locale { getTimeZones?(): string[] | undefined; timeZones?: string[] }
  function supportedValuesOf(key: 'timeZone'): string[];
}
