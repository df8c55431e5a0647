export { holdsMarkup, MarkupFilter, type LeakedCall, type MarkupEnd } from './markup-filter.ts'
export { QuoteTracker } from './quote-tracker.ts'
