// Files come through the same calls as everything else, so that the session's header goes along.

/** Hands an answer to the browser as a file with this name. */
export async function saveAs(answer: unknown, fileName: string): Promise<void> {
  const content = await (answer as Response).blob()
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser has begun to save by the next turn; the copy in memory may go a while after.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
