/** What a semicolon does not end: comments, texts, names in quotes, and bodies between dollar signs. */
const WHOLE = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|;/g

/** The statements of a script, each without the semicolon after it. A body in `begin atomic` would be cut; we write none. */
export function splitSql(script: string): string[] {
  const statements: string[] = []
  let from = 0
  for (const { 0: found, index } of script.matchAll(WHOLE)) {
    if (found !== ';') continue
    statements.push(script.slice(from, index))
    from = index + 1
  }
  return [...statements, script.slice(from)].map((statement) => statement.trim()).filter(hasContent)
}

const hasContent = (statement: string) => statement.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, '').trim() !== ''
