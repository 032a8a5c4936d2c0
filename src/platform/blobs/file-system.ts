// The calls that storage makes, as a value: tests watch their order and make them fail.
import * as nodeFileSystem from 'node:fs/promises'

export type FileSystem = Pick<typeof nodeFileSystem, 'open' | 'rename' | 'unlink' | 'mkdir' | 'readdir' | 'stat'>

export const realFileSystem: FileSystem = nodeFileSystem
