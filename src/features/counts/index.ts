export { changeCounts, countRequests, sumUp, type CountChange, type CountedKind } from './request-counts.ts'
