// Makes dist/js: the program as plain JavaScript, for the package that `npm pack` makes of this folder. Node runs our
// TypeScript as it stands, but not below node_modules, where an installed package lies. The tree has the shape of the
// sources, so that everything in it finds its neighbours as it does here.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { ensureWebBuilt } from '../src/main/web-build.ts'

const ROOT = resolve(import.meta.dirname, '..')
const TARGET = join(ROOT, 'dist', 'js')
const LEFT_OUT = /\.test\.ts$|\/testing\/|^src\/web\//
/** Names of our own modules, wherever they stand: in imports, and in addresses of processes and threads. */
const MODULE_NAME = /(['"`])((?:\.\.?\/|#)[^'"`\n]*)\.ts\1/g

await ensureWebBuilt()
rmSync(TARGET, { recursive: true, force: true })
for (const path of globSync('{src,client/src}/**/*.ts', { cwd: ROOT })) {
  if (!LEFT_OUT.test(path)) write(path.replace(/\.ts$/, '.js'), toJavaScript(readFileSync(join(ROOT, path), 'utf8')))
}
for (const folder of ['db/migrations', 'dist/web'])
  cpSync(join(ROOT, folder), join(TARGET, folder), { recursive: true })
write('package.json', describePackage())

/** Types become spaces, so that lines and columns in stack traces are those of the sources. */
function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(MODULE_NAME, '$1$2.js$1')
}

/** What Node reads of a package for the modules below it: their kind, and where names with # lead. */
function describePackage(): string {
  const { name, version, type, imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string
    version: string
    type: string
    imports: Record<string, string>
  }
  const built = Object.fromEntries(Object.entries(imports).map(([from, to]) => [from, to.replace(/\.ts$/, '.js')]))
  return `${JSON.stringify({ name, version, type, private: true, imports: built }, null, 2)}\n`
}

function write(path: string, content: string): void {
  const place = join(TARGET, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, content)
}
