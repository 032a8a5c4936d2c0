// Browsers call themselves by long names; people know them by short ones.

const BROWSERS: [mark: RegExp, name: string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: [mark: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** "Firefox on Windows"; "An unknown browser" where it says nothing that we know. */
export function describeBrowser(agent: string): string {
  const find = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(agent))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === undefined) return 'An unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
