/** How the process that repairs a document answers. */
export const EXIT = { done: 0, needsPassword: 10, notRepairable: 11, isProtected: 12 } as const
