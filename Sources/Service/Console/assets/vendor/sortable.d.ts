// SortableJS puts itself on the window; lib/sorting.js says what is used of it.
export {};
