// All modules of the console but those that come later. The build makes one of them, which is served here
// (Sources/BundleConsole).

import './main.js';

export * from './shared.js';
