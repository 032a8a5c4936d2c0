export { changeCounts, countRequests, type CountedKind } from './request-counts.ts'
