// Files come through the same calls as everything else, so that the session's header goes along.

/** Long enough for the browser to take it over. */
const KEPT_MS = 60_000

/** Hands a file to the browser under this name. */
export function saveAs(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}

/** The same with a file that the service answered with; nothing where it had none. */
export async function saveAnswer(answer: Response | undefined, fileName: string): Promise<void> {
  if (answer !== undefined) saveAs(await answer.blob(), fileName)
}
