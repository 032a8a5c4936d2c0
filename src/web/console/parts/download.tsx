import { Button, type ButtonProps } from '../../ui/button.tsx'
import { useAction } from '../use-action.ts'
import { ErrorNotice } from './error-notice.tsx'

export type DownloadProps = Pick<ButtonProps, 'kind' | 'children'> & {
  fileName: string
  /** Asks the service for the file; undefined where there is none. */
  load: () => Promise<Response | undefined>
}

/** Brings a file to the person's machine. Not a plain link: the session counts only for calls that the console makes. */
export function Download({ kind = 'plain', fileName, load, children }: DownloadProps) {
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const response = await load()
      if (response !== undefined) save(await response.blob(), fileName)
    })
  return (
    <>
      <Button kind={kind} icon="download" isBusy={isBusy} onPress={() => void download()}>
        {children}
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}

/** Long enough for the browser to take it over. */
const KEPT_MS = 60_000

function save(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
