// Runs once before all tests.
export async function globalSetup(): Promise<void> {}

export async function globalTeardown(): Promise<void> {}
