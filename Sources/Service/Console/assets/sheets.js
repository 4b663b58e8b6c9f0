// The modules of the console's tables, changes, calendar and webhooks, which come when they are shown first. The build
// makes one of them, which is served here (Sources/BundleConsole).

export { TableDialog } from './sheets/table.js';
export { TranslationsView } from './sheets/translations.js';
export { CalendarView } from './views/calendar.js';
export { ChangesPanel } from './views/changes.js';
export { WebhooksView } from './sheets/webhooks.js';
