// For the tests; launch.js itself stays plain JavaScript.
export function launch(entry: URL, options?: { version?: string; dropArguments?: number }): Promise<void>
export function findEntry(name: string): URL
export function isNewEnough(version: string): boolean
export function findPinnedNode(platform: string, arch: string): string | undefined
