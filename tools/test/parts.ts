// The tests are run in parts, each in a process of its own. Two at a time keep a small machine busy: half of its time, a
// test waits for a clock, a browser or another process.

/**
 * A file belongs to the first of these folders that it lies in. Begun in this order and two at a time, the parts come to
 * their end together, and the tests of whole installations run mostly without a browser beside them.
 */
const FOLDERS = ['test/journeys/', 'src/features/', 'test/', '']

/** Shares the files out among the parts, in the order in which the parts are begun. */
export function splitIntoParts(files: readonly string[]): string[][] {
  const folderOf = (file: string) => FOLDERS.find((folder) => file.startsWith(folder))
  return FOLDERS.map((folder) => files.filter((file) => folderOf(file) === folder)).filter((part) => part.length > 0)
}
