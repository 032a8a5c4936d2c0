// The HTML part: one column, one button, the colours of the product in light and dark. Mail programs drop much of a
// style sheet, so what matters stands at the elements, and only the dark colours come from the sheet.
import { html, Html } from '#platform/mail/html.ts'
import type { Letter } from './letter.ts'

const FONT = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const INK = 'color:#1B1F2A'
const QUIET = 'color:#586172'

const STYLE = new Html(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .paper { background: #0F1218 !important; }
    .surface { background: #171B23 !important; border-color: #2A303B !important; }
    .ink { color: #E9EBF1 !important; }
    .quiet { color: #9BA5B4 !important; }
    .line { border-color: #2A303B !important; }
    .accent { background: #86A6FF !important; color: #0B1020 !important; }
    .link { color: #86A6FF !important; }
  }`)

/** The HTML part of an e-mail. Nothing is loaded from anywhere. */
export function writeHtml(letter: Letter): string {
  const { language, subject, organisation, department, greeting, headline, lines, code, button, real, footer, report } =
    letter
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body class="paper" style="margin:0;padding:0;background:#FAF9F6;${FONT}">
        <table
          role="presentation"
          class="paper"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background:#FAF9F6"
        >
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                class="surface"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:560px;background:#FFFFFF;border:1px solid #E3E1DA;border-radius:10px"
              >
                <tr>
                  <td align="left" style="padding:24px;font-size:16px;line-height:1.5;${FONT};overflow-wrap:anywhere">
                    <p class="ink" style="margin:0;font-size:20px;font-weight:600;${INK}">${organisation}</p>
                    ${department === undefined ? undefined : html`<p class="quiet" style="margin:0;font-size:14px;${QUIET}">${department}</p>`}
                    <p class="ink" style="margin:24px 0 0;${INK}">${greeting}</p>
                    <h1 class="ink" style="margin:12px 0 0;font-size:20px;line-height:1.4;font-weight:600;${INK}">
                      ${headline}
                    </h1>
                    ${code === undefined ? undefined : writeCode(code)}
                    ${lines.map((line) => html`<p class="ink" style="margin:12px 0 0;${INK}">${line}</p>`)}
                    ${button === undefined ? undefined : writeButton(button, letter)}
                    ${real === undefined ? undefined : writeReal(real)}
                  </td>
                </tr>
              </table>
              <p
                class="quiet"
                style="max-width:560px;margin:16px auto 0;font-size:14px;line-height:1.5;${QUIET};${FONT}"
              >
                ${footer}
                ${report === undefined ? undefined : html`<br /><a class="link" href="${report.url}" style="color:#1F4BD8">${report.label}</a>`}
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text
}

function writeCode(code: string): Html {
  return html`<p
    class="ink"
    style="margin:16px 0 4px;font-size:28px;font-weight:600;letter-spacing:4px;font-variant-numeric:tabular-nums;${INK}"
  >
    ${code}
  </p>`
}

function writeButton({ label, url }: { label: string; url: string }, { notes, copyAddress }: Letter): Html {
  return html`<p style="margin:24px 0">
      <a
        class="accent"
        href="${url}"
        style="display:inline-block;padding:12px 24px;min-height:20px;border-radius:10px;background:#1F4BD8;color:#FFFFFF;font-weight:600;text-decoration:none"
        >${label}</a
      >
    </p>
    ${notes.map((note) => html`<p class="ink" style="margin:8px 0 0;${INK}">${note}</p>`)}
    <p class="quiet" style="margin:16px 0 0;font-size:14px;${QUIET}">
      ${copyAddress}<br /><a class="link" href="${url}" style="color:#1F4BD8;word-break:break-all">${url}</a>
    </p>`
}

function writeReal({ title, lines }: NonNullable<Letter['real']>): Html {
  return html`<div class="line" style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #E3E1DA">
    <p class="quiet" style="margin:0;font-size:14px;font-weight:600;${QUIET}">${title}</p>
    <ul class="quiet" style="margin:8px 0 0;padding:0 0 0 20px;font-size:14px;${QUIET}">
      ${lines.map((line) => html`<li style="margin:0 0 4px">${line}</li>`)}
    </ul>
  </div>`
}
