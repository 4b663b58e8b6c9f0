// The modules of the console's tables, layouts, sources, changes, history, audiences, audit, calendar, preview links,
// settings of pages, sort rules, tokens and webhooks, which come when they are shown first. The build makes one of
// them, served here (Sources/BundleConsole).

export { ClientMenu } from './sheets/client-menu.js';
export { Coming } from './sheets/coming.js';
export { LayoutField, PageBackground } from './sheets/layout.js';
export { ListsOfItem } from './sheets/named-lists.js';
export { TableDialog } from './sheets/table.js';
export { TranslationsView } from './sheets/translations.js';
export { AddSection } from './views/add-section.js';
export { AudiencesView } from './views/audiences.js';
export { AuditView } from './views/audit.js';
export { CalendarView } from './views/calendar.js';
export { ChangesPanel } from './views/changes.js';
export { HistoryView } from './views/history.js';
export { PageSettingsDialog } from './views/page-settings.js';
export { PreviewLinkDialog } from './views/preview-link.js';
export { RulesDialog } from './views/rules.js';
export { ScheduleTogether } from './views/schedule-together.js';
export { TokensView } from './views/tokens.js';
export { WebhooksView } from './views/webhooks.js';
