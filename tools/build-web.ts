// Builds the pages into dist/web: named by their content, with a compressed copy beside each file. `npm start` and the
// browser tests call it when the sources have changed; an image calls it once.
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { NONCE_MARK } from '../src/platform/http/static-pages.ts'
import { hashWebSources, STAMP_FILE, WEB_FOLDER } from '../src/main/web-build.ts'

const SOURCE = resolve(import.meta.dirname, '../src/web')
const PDF_PACKAGE = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const PDF_DATA = ['legacy/build/pdf.worker.min.mjs', 'cmaps', 'standard_fonts', 'wasm', 'iccs']
/** Fonts, pictures and character maps are compressed already. */
const COMPRESSIBLE = /\.(js|mjs|css|svg|wasm)$/
const LEAST_BYTES = 256
/** Up to this size a file gets the best compression; beyond, a few percent would cost seconds at the first start. */
const BEST_UP_TO_BYTES = 128 * 1024

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Each page is built for itself: what they share travels in one file with the rest, and nothing has to be preloaded. */
const PAGES = ['sign', 'paper', 'verify', 'console'] as const

/** The pages speak the React API and are built with Preact: a tenth of the size. */
const PREACT = [
  { find: /^react-dom\/client$/, replacement: join(SOURCE, 'small-react-dom.ts') },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react$/, replacement: join(SOURCE, 'small-react.ts') },
  // The build for older browsers: people sign on the phone that they have.
  { find: /^pdfjs-dist$/, replacement: 'pdfjs-dist/legacy/build/pdf.min.mjs' },
]

const startedFrom = hashWebSources()
const partial = `${WEB_FOLDER}.${process.pid}`
try {
  mkdirSync(partial, { recursive: true })
  for (const page of PAGES) await buildPage(page, partial)
  copyPdfData(partial)
  await compressAll(partial)
  writeFileSync(join(partial, STAMP_FILE), startedFrom)
  replaceFolder(partial, WEB_FOLDER)
} finally {
  rmSync(partial, { recursive: true, force: true })
}

async function buildPage(page: (typeof PAGES)[number], outDir: string): Promise<void> {
  // The signing page was first, and its files are called by their names alone.
  const prefix = page === 'sign' ? '' : `${page}-`
  await build({
    configFile: false,
    root: SOURCE,
    logLevel: 'error',
    define: { PDF_DATA: JSON.stringify(pdfDataAddress()) },
    resolve: { alias: PREACT },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    html: { cspNonce: NONCE_MARK },
    build: {
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: { [page]: join(SOURCE, page, 'index.html') },
        output: {
          chunkFileNames: `assets/${prefix}[name]-[hash].js`,
          // What the console's pages are made of travels together: one file instead of dozens.
          ...(page === 'console' && {
            codeSplitting: { groups: [{ name: 'parts', test: /src\/web\/(ui|console\/parts)\// }] },
          }),
        },
      },
    },
  })
}

function pdfVersion(): string {
  return (JSON.parse(readFileSync(join(PDF_PACKAGE, 'package.json'), 'utf8')) as { version: string }).version
}

/** Its version is in the name, so that these too can be kept for good. */
function pdfDataAddress(): string {
  return `/assets/pdf-data-${pdfVersion()}/`
}

function copyPdfData(outDir: string): void {
  const folder = join(outDir, pdfDataAddress())
  for (const name of PDF_DATA) cpSync(join(PDF_PACKAGE, name), join(folder, basename(name)), { recursive: true })
  // The interpreter for scripts inside documents: nothing here runs them.
  for (const file of globSync('**/quickjs*', { cwd: outDir })) rmSync(join(outDir, file))
}

async function compressAll(outDir: string): Promise<void> {
  const paths = globSync('assets/**/*', { cwd: outDir }).map((name) => join(outDir, name))
  const worthIt = paths.filter((path) => COMPRESSIBLE.test(path) && statSync(path).size >= LEAST_BYTES)
  await Promise.all(worthIt.map((path) => compress(path, readFileSync(path))))
}

async function compress(path: string, plain: Buffer): Promise<void> {
  const quality = plain.length <= BEST_UP_TO_BYTES ? 11 : 9
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [brotli, gzipped] = await Promise.all([toBrotli(plain, { params }), toGzip(plain, { level: 9 })])
  if (brotli.length < plain.length) writeFileSync(`${path}.br`, brotli)
  if (gzipped.length < plain.length) writeFileSync(`${path}.gz`, gzipped)
}

/** The old pages go only when the new ones are whole; another build may have been faster. */
function replaceFolder(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  rmSync(to, { recursive: true, force: true })
  renameSync(from, to)
}
