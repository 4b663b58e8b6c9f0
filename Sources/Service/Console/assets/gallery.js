// The modules of the picture library, which come when somebody opens it. The build makes one of them, which is served
// here (Sources/BundleConsole).

export { CropDialog } from './gallery/crop.js';
export { PicturesView } from './gallery/library.js';
export { PickDialog } from './gallery/pick.js';
