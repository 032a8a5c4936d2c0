// The API reference as a page: a title, two scripts of our own origin, and nothing from anywhere else.

/** Everything that the page needs comes from this origin; the scripts set styles and show images that they made. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What is switched off here would show advertisements or ask other servers. Keys typed in are not kept. */
const OPTIONS = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  orderSchemaPropertiesBy: 'preserve',
  documentDownloadType: 'json',
  authentication: { preferredSecurityScheme: 'subscriptionKey' },
}

export const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(OPTIONS)})\n`

/** The page; its scripts are named by their content. */
export function writePage(scripts: { bundle: string; start: string }): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Countersign API</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>
      <p>The reference needs JavaScript. The same in one file: <a href="/openapi.json">openapi.json</a>.</p>
    </noscript>
    <script src="${scripts.bundle}"></script>
    <script src="${scripts.start}"></script>
  </body>
</html>
`
}
