export const chinese = {}; export const chineseTerms = {};
