// All modules of the console. The build makes one of them, which is served here (Sources/BundleConsole).

import './main.js';
