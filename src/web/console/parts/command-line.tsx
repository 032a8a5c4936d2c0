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

const FILE = 'content of '

/** Stands in a body for the content of a file; in the terminal the shell puts it there. */
export function contentOf(fileName: string): string {
  return FILE + fileName
}

/** A curl line of this service. Without a body it reads. */
export function curl(path: string, { method, body }: { method?: string; body?: object } = {}): string {
  const lines = [
    `curl -s '${window.location.origin}${path}'`,
    ...(method ? [`-X ${method}`] : []),
    `-H "Ocp-Apim-Subscription-Key: $KEY"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body, null, 2))}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** For the shell. A file comes by a here-document, since an argument has 128 KB at most, and a scan has more. */
function quote(json: string): string {
  if (!json.includes(FILE)) return `'${json.replaceAll("'", String.raw`'\''`)}'`
  const text = json
    .replaceAll(/[\\$`]/g, String.raw`\$&`)
    .replaceAll(/content of ([\w.-]+)/g, (_, file: string) => `$(base64 < ${file} | tr -d '\\n')`)
  return `@- <<END\n${text}\nEND`
}
