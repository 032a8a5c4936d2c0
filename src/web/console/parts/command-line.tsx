import { Copy } from './copy.tsx'

export type CommandLineProps = {
  label: string
  command: string
}

/** A line for the terminal that works as it stands, once the key is in $KEY. */
export function CommandLine({ label, command }: CommandLineProps) {
  return (
    <figure className="command-line">
      <figcaption className="small">
        <span className="quiet">{label}</span>
        <Copy text={command} what="command" />
      </figcaption>
      <pre tabIndex={0}>
        <code>{command}</code>
      </pre>
    </figure>
  )
}

/** Stands in a body for the content of a file; in the terminal the shell puts it there. */
export function contentOf(fileName: string): string {
  return `content of ${fileName}`
}

/** A curl line of this service. Without a body it reads. */
export function curl(path: string, { method, body }: { method?: string; body?: object } = {}): string {
  const lines = [
    `curl -s '${window.location.origin}${path}'`,
    ...(method ? [`-X ${method}`] : []),
    `-H "Ocp-Apim-Subscription-Key: $KEY"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${writeBody(body)}'`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** Inside single quotes of the shell. A quote in a value ends them for a moment, and so does what the shell fills in. */
function writeBody(body: object): string {
  return JSON.stringify(body, null, 2)
    .replaceAll("'", String.raw`'\''`)
    .replaceAll(/content of ([\w.-]+)/g, (_, file: string) => `'"$(base64 < ${file} | tr -d '\\n')"'`)
}
