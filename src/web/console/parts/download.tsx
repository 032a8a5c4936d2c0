import { Button, type ButtonProps } from '../../ui/button.tsx'
import { saveAnswer } from '../download.ts'
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
  const download = () => run(async () => saveAnswer(await load(), fileName))
  return (
    <>
      <Button kind={kind} icon="download" isBusy={isBusy} onPress={() => void download()}>
        {children}
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}
